/* What elementwise operations mean, in plain C over 64-bit patterns, and operands that tell. */
#ifndef VALUE_REFERENCE_H
#define VALUE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { SIDE = 16, LANES = SIDE * SIDE };

struct type {
    const char *name;
    unsigned width;
    unsigned digits; /* of a float's significand, the hidden one included; 0: an integer */
};

extern const struct type i1, f32;
extern const struct type *const integers[4];
extern const struct type *const floats[4];

/* Operands and the result are patterns in the low bits. */
typedef uint64_t reference(const struct type *type, uint64_t a, uint64_t b);

struct operation {
    const char *text; /* with T for the operand's type, R for the result's, M for a mask's */
    const struct type *result; /* NULL: the operand's */
    reference *expected;
};

extern const struct operation integer_operations[], float_operations[];
extern const unsigned integer_operation_count, float_operation_count;

/* Conversions to `conversion_target`. */
extern const struct type *conversion_target;
reference float_to_float, signed_to_float, unsigned_to_float, float_to_signed, float_to_unsigned,
    unsigned_value, signed_value;

/* What is unspecified: any result will do. */
#define ANYTHING UINT64_C(0x7e57ab1e7e57ab1e)

uint64_t low_bits(uint64_t value, unsigned width);
int64_t as_signed(const struct type *type, uint64_t value);
double as_double(const struct type *type, uint64_t value);
uint64_t from_double(const struct type *type, long double value); /* to nearest even */
bool is_nan(const struct type *type, uint64_t value);

void integer_operands(const struct type *type, uint64_t *out); /* SIDE of them */
void float_operands(const struct type *type, uint64_t *out);

/* Numbers around the places where rounding to a narrower type, or to an integer, turns. */
double turning_double(unsigned i);
uint64_t turning_integer(unsigned i);

#endif
