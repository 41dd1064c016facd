/* See half.h. */
#include "half.h"

#include <math.h>

struct format {
    int fraction_bits;
    int bias;
};
static const struct format f16 = {10, 15}, bf16 = {7, 127};

long double half_from_f16(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const long double sign = bits & 0x8000 ? -1.0L : 1.0L;
    if (exponent == 31)
        return fraction ? (long double)NAN : sign * (long double)INFINITY;
    if (exponent == 0)
        return sign * ldexpl((long double)fraction, -24);
    return sign * ldexpl((long double)(fraction + 1024), exponent - 25);
}

/* The number is counted in units of its last place, which rounds it; a count that reaches the next
 * power of two, or infinity, carries into the exponent as it should. */
static uint16_t round_to(struct format format, long double value)
{
    const unsigned sign = signbit(value) ? 0x8000u : 0;
    const unsigned infinity = (2u * (unsigned)format.bias + 1) << format.fraction_bits;
    if (isnan(value))
        return (uint16_t)(infinity | 1u << (format.fraction_bits - 1));
    if (value == 0 || isinf(value))
        return (uint16_t)(sign | (value == 0 ? 0 : infinity));
    int exponent;
    frexpl(value, &exponent);
    exponent = exponent - 1 > -format.bias ? exponent - 1 : 1 - format.bias;
    if (exponent > format.bias)
        return (uint16_t)(sign | infinity);
    const long double units = ldexpl(fabsl(value), format.fraction_bits - exponent);
    const unsigned count = (unsigned)nearbyintl(units); /* to nearest even is C's default */
    return (uint16_t)(sign |
                      (count + ((unsigned)(exponent + format.bias - 1) << format.fraction_bits)));
}

uint16_t half_to_f16(long double value)
{
    return round_to(f16, value);
}

uint16_t half_to_bf16(long double value)
{
    return round_to(bf16, value);
}
