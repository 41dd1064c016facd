/* See elements.h. Every float narrower than f32 is coded by one function of the sizes of its
 * fields. */
#include "command/run/elements.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const element elements[] = {
    {"bool", ELEMENT_BOOLEAN, 1, 0, false, 1},
    {"i8", ELEMENT_SIGNED, 1, 0, false, 0},
    {"i16", ELEMENT_SIGNED, 2, 0, false, 0},
    {"i32", ELEMENT_SIGNED, 4, 0, false, 0},
    {"i64", ELEMENT_SIGNED, 8, 0, false, 0},
    {"u8", ELEMENT_UNSIGNED, 1, 0, false, 0},
    {"u16", ELEMENT_UNSIGNED, 2, 0, false, 0},
    {"u32", ELEMENT_UNSIGNED, 4, 0, false, 0},
    {"u64", ELEMENT_UNSIGNED, 8, 0, false, 0},
    {"f16", ELEMENT_FLOATING, 2, 10, false, 5},
    {"bf16", ELEMENT_FLOATING, 2, 7, false, 4},
    {"f32", ELEMENT_FLOATING, 4, 23, false, 9},
    {"f64", ELEMENT_FLOATING, 8, 52, false, 17},
    {"f8e4m3", ELEMENT_FLOATING, 1, 3, true, 3},
    {"f8e5m2", ELEMENT_FLOATING, 1, 2, false, 2},
};

enum { ELEMENTS = sizeof elements / sizeof elements[0] };

const element *element_find(const char *name, size_t length)
{
    for (size_t i = 0; i < ELEMENTS; i++)
        if (strlen(elements[i].name) == length && memcmp(elements[i].name, name, length) == 0)
            return &elements[i];
    return NULL;
}

const char *element_names(void)
{
    static char names[128];
    size_t length = 0;
    for (size_t i = 0; i < ELEMENTS; i++)
        length += (size_t)snprintf(
            names + length, sizeof names - length, "%s%s", i ? ", " : "", elements[i].name);
    return names;
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static uint64_t read_bits(const element *element, const void *bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, bytes, element->bytes); /* little endian, as everything here */
    return bits;
}

static unsigned total_bits(const element *element)
{
    return 8 * element->bytes;
}

static uint64_t sign_bit(const element *element)
{
    return UINT64_C(1) << (total_bits(element) - 1);
}

static int exponent_bits(const element *element)
{
    return (int)(total_bits(element) - element->mantissa_bits - 1);
}

static int bias(const element *element)
{
    return (1 << (exponent_bits(element) - 1)) - 1;
}

/* The magnitude from which on there is no number. */
static uint64_t first_special(const element *element)
{
    uint64_t infinity = ((UINT64_C(1) << exponent_bits(element)) - 1) << element->mantissa_bits;
    return element->is_finite ? sign_bit(element) - 1 : infinity;
}

static long double decode_magnitude(const element *element, uint64_t magnitude)
{
    uint64_t exponent = magnitude >> element->mantissa_bits;
    uint64_t mantissa = magnitude & ((UINT64_C(1) << element->mantissa_bits) - 1);
    int scale = 1 - bias(element) - (int)element->mantissa_bits;
    if (exponent == 0)
        return ldexpl((long double)mantissa, scale);
    mantissa |= UINT64_C(1) << element->mantissa_bits;
    return ldexpl((long double)mantissa, scale + (int)exponent - 1);
}

/* The nearest magnitude to a number that is not negative; what is too large gets infinity, or,
 * without one, NaN. */
static uint64_t encode_magnitude(const element *element, long double value)
{
    int exponent;
    if (value == 0)
        return 0;
    frexpl(value, &exponent); /* value is below 2^exponent */
    int lowest = 1 - bias(element);
    if (exponent - 1 < lowest)
        exponent = lowest + 1;
    int scale = exponent - 1 - (int)element->mantissa_bits; /* of the last place */
    uint64_t places = (uint64_t)rintl(ldexpl(value, -scale));
    uint64_t above = (uint64_t)(exponent - 1 - lowest) << element->mantissa_bits;
    uint64_t magnitude = above + places;
    return magnitude < first_special(element) ? magnitude : first_special(element);
}

static uint64_t encode_float(const element *element, long double value)
{
    uint64_t sign = signbit(value) ? sign_bit(element) : 0;
    if (isnan(value))
        return first_special(element) + (element->is_finite ? 0 : 1);
    if (isinf(value))
        return sign | first_special(element);
    return sign | encode_magnitude(element, fabsl(value));
}

static long double decode_float(const element *element, uint64_t bits)
{
    uint64_t magnitude = bits & (sign_bit(element) - 1);
    long double value = INFINITY;
    if (magnitude > first_special(element) ||
        (element->is_finite && magnitude == first_special(element)))
        value = NAN;
    else if (magnitude < first_special(element))
        value = decode_magnitude(element, magnitude);
    return bits & sign_bit(element) ? -value : value;
}

/* ---- Values ---------------------------------------------------------------------------------- */

void element_encode(const element *element, long double value, void *out_bytes)
{
    uint64_t bits = 0;
    switch (element->class) {
    case ELEMENT_BOOLEAN:
        bits = value != 0;
        break;
    case ELEMENT_SIGNED:
        bits = (uint64_t)(int64_t)value;
        break;
    case ELEMENT_UNSIGNED:
        bits = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
        break;
    case ELEMENT_FLOATING:
        bits = encode_float(element, value);
        break;
    }
    memcpy(out_bytes, &bits, element->bytes);
}

static int64_t signed_value(const element *element, const void *bytes)
{
    unsigned unused = 64 - total_bits(element);
    return (int64_t)(read_bits(element, bytes) << unused) >> unused;
}

long double element_decode(const element *element, const void *bytes)
{
    if (element->class == ELEMENT_FLOATING)
        return decode_float(element, read_bits(element, bytes));
    if (element->class == ELEMENT_SIGNED)
        return (long double)signed_value(element, bytes);
    return (long double)read_bits(element, bytes);
}

bool element_fits(const element *element, long double value)
{
    long double limit = ldexpl(1, (int)total_bits(element) - (element->class == ELEMENT_SIGNED));
    if (element->class == ELEMENT_BOOLEAN)
        limit = 2;
    long double least = element->class == ELEMENT_SIGNED ? -limit : 0;
    return value == truncl(value) && value >= least && value < limit;
}

int64_t element_rank(const element *element, const void *bytes)
{
    if (element->class == ELEMENT_SIGNED)
        return signed_value(element, bytes);
    uint64_t bits = read_bits(element, bytes);
    if (element->class != ELEMENT_FLOATING)
        return (int64_t)bits;
    int64_t magnitude = (int64_t)(bits & (sign_bit(element) - 1));
    return bits & sign_bit(element) ? -magnitude : magnitude;
}

bool element_is_nan(const element *element, const void *bytes)
{
    return element->class == ELEMENT_FLOATING && isnan(element_decode(element, bytes));
}

long double element_ulp(const element *element, long double magnitude)
{
    uint64_t bits = encode_magnitude(element, magnitude);
    if (bits + 1 >= first_special(element))
        bits = first_special(element) - 2;
    return decode_magnitude(element, bits + 1) - decode_magnitude(element, bits);
}

const char *element_print(const element *element, const void *bytes, char *text)
{
    enum { SIZE = 64 };
    if (element->class == ELEMENT_FLOATING)
        snprintf(text, SIZE, "%.*Lg", element->digits, element_decode(element, bytes));
    else
        snprintf(text, SIZE, "%.0Lf", element_decode(element, bytes));
    return text;
}
