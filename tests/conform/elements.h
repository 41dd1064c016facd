/* The element types as plain C sees them: what a pattern in memory stands for, and back.
 *
 * A number is held wide: integers in 64 bits, floats in long double. Storing wraps integers and
 * rounds floats once, to nearest even.
 */
#ifndef TEENY_TESTS_CONFORM_ELEMENTS_H
#define TEENY_TESTS_CONFORM_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// clang-format off
enum element_id {
    BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, F8E4M3, F8E5M2, ELEMENTS
};
// clang-format on

enum element_class { TRUTH, SIGNED, UNSIGNED, FLOATING };

struct element {
    const char *name; /* as the language spells it */
    size_t size;
    enum element_class class;
    int digits; /* of a float's significand, the hidden one included */
    int least;  /* floats: the exponent, by frexp, of the least normal number */
    int end;    /* floats: the exponent, by frexp, of the power of two that all are below */
};

extern const struct element elements[ELEMENTS];

/* Sets of element types. */
typedef unsigned element_set;
#define ONE(element) (1u << (element))
enum {
    SIGNED_INTEGERS = ONE(I8) | ONE(I16) | ONE(I32) | ONE(I64),
    UNSIGNED_INTEGERS = ONE(U8) | ONE(U16) | ONE(U32) | ONE(U64),
    INTEGERS = SIGNED_INTEGERS | UNSIGNED_INTEGERS,
    FLOATS = ONE(F16) | ONE(BF16) | ONE(F32) | ONE(F64),
    NUMBERS = INTEGERS | FLOATS,
    COMPUTED = NUMBERS | ONE(BOOL),
    F8 = ONE(F8E4M3) | ONE(F8E5M2), /* loaded, stored, moved and cast */
    EVERY = COMPUTED | F8,
};

struct number {
    union {
        int64_t i;  /* SIGNED */
        uint64_t u; /* UNSIGNED, and TRUTH: 0 or 1 */
    };
    long double f; /* FLOATING */
};

struct number number_signed(int64_t value);
struct number number_unsigned(uint64_t value);
struct number number_float(long double value);

/* What the pattern at `memory` stands for. */
struct number element_load(enum element_id element, const void *memory);

/* Writes a number of the same class; a NaN is written quiet. */
void element_store(enum element_id element, void *memory, struct number number);

/* The number after storing and loading. */
struct number element_round(enum element_id element, struct number number);

/* tl_cast, in plain C: floats to integers saturate and NaN becomes 0, to bool is != 0. */
struct number element_convert(enum element_id from, enum element_id to, struct number number);

/* The distance between neighbours of a float type at a value. */
long double element_unit(enum element_id element, long double value);

/* The number as text, exactly; good until the eighth next call of the thread. */
const char *element_text(enum element_id element, struct number number);

/* What C promotes a scalar to before it computes; f16 stays. */
enum element_id element_promoted(enum element_id element);

/* The signed integer as wide: what the lanes of a comparison are. Of bool it is i32. */
enum element_id element_lanes(enum element_id element);

/* What sums and products of an element give. */
enum element_id element_widened(enum element_id element);

#endif
