/* Floats narrower than f32 in plain C, for host compilers that have none of them. */
#ifndef TEENY_TESTS_CONFORM_NARROW_H
#define TEENY_TESTS_CONFORM_NARROW_H

#include <stdbool.h>

struct narrow {
    int exponent_bits, fraction_bits; /* a sign bit is above them */
    bool is_finite;                   /* the largest pattern is NaN, and all below it are numbers */
    bool saturates;                   /* what is too large becomes the largest number */
};
extern const struct narrow narrow_f16, narrow_bf16, narrow_f8e4m3, narrow_f8e5m2;

long double narrow_decode(const struct narrow *format, unsigned bits);

/* One rounding, to nearest even; subnormals are kept, a NaN is quiet. */
unsigned narrow_encode(const struct narrow *format, long double value);

#endif
