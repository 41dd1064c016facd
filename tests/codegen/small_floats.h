/* bf16 and f16 as bits, for tests. */
#ifndef TEENY_TESTS_SMALL_FLOATS_H
#define TEENY_TESTS_SMALL_FLOATS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bfloat_of(double value)
{
    float wide = (float)value;
    uint32_t bits;
    memcpy(&bits, &wide, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static inline double from_bfloat(uint16_t value)
{
    uint32_t bits = (uint32_t)value << 16;
    float wide;
    memcpy(&wide, &bits, sizeof wide);
    return (double)wide;
}

/* Normal numbers only, cut. */
static inline uint16_t half_of(double value)
{
    int exponent;
    double fraction = frexp(fabs(value), &exponent);
    uint16_t sign = value < 0 ? 0x8000 : 0;
    if (fraction == 0 || exponent < -13)
        return sign;
    return (uint16_t)(sign | (exponent + 14) << 10 | (int)(fraction * 2048 - 1024));
}

static inline double from_half(uint16_t half)
{
    int exponent = half >> 10 & 31;
    double size = exponent ? ldexp((half & 0x3ff) + 1024, exponent - 25) : ldexp(half & 0x3ff, -24);
    return half & 0x8000 ? -size : size;
}

#endif
