/* See narrow.h. */
#include "narrow.h"

#include <math.h>

const struct narrow narrow_f16 = {5, 10, false, false};
const struct narrow narrow_bf16 = {8, 7, false, false};
const struct narrow narrow_f8e4m3 = {4, 3, true, true};
const struct narrow narrow_f8e5m2 = {5, 2, false, true};

static unsigned sign_bit(const struct narrow *format)
{
    return 1u << (format->exponent_bits + format->fraction_bits);
}

static int bias(const struct narrow *format)
{
    return (1 << (format->exponent_bits - 1)) - 1;
}

/* The least magnitude that is no number: infinity, or the one NaN. */
static unsigned first_special(const struct narrow *format)
{
    const unsigned exponents = (1u << format->exponent_bits) - 1;
    return format->is_finite ? sign_bit(format) - 1 : exponents << format->fraction_bits;
}

long double narrow_decode(const struct narrow *format, unsigned bits)
{
    const unsigned magnitude = bits & (sign_bit(format) - 1), special = first_special(format);
    const unsigned hidden = 1u << format->fraction_bits, fraction = magnitude & (hidden - 1);
    const int exponent = (int)(magnitude >> format->fraction_bits);
    const int last_place = 1 - bias(format) - format->fraction_bits;
    const long double sign = bits & sign_bit(format) ? -1.0L : 1.0L;
    if (magnitude >= special)
        return format->is_finite || magnitude > special ? (long double)NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexpl((long double)fraction, last_place);
    return sign * ldexpl((long double)(fraction + hidden), last_place + exponent - 1);
}

static unsigned largest(const struct narrow *format)
{
    return first_special(format) - (format->saturates ? 1 : 0);
}

/* The number is counted in units of its last place, which rounds it; a count that reaches the next
 * power of two, or infinity, carries into the exponent as it should. */
static unsigned encode_magnitude(const struct narrow *format, long double value)
{
    int exponent;
    frexpl(value, &exponent);
    const int least = 1 - bias(format);
    exponent = exponent - 1 > least ? exponent - 1 : least;
    if (exponent > bias(format) + 1)
        return largest(format);
    const long double units = ldexpl(value, format->fraction_bits - exponent);
    const unsigned count = (unsigned)nearbyintl(units); /* to nearest even is C's default */
    const unsigned magnitude = count + ((unsigned)(exponent - least) << format->fraction_bits);
    return magnitude < largest(format) ? magnitude : largest(format);
}

unsigned narrow_encode(const struct narrow *format, long double value)
{
    const unsigned sign = signbit(value) ? sign_bit(format) : 0;
    if (isnan(value))
        return format->is_finite ? first_special(format)
                                 : first_special(format) | 1u << (format->fraction_bits - 1);
    if (value == 0 || isinf(value))
        return sign | (value == 0 ? 0 : largest(format));
    return sign | encode_magnitude(format, fabsl(value));
}
