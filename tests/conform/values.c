/* See values.h. */
#include "values.h"

#include <math.h>

/* A generator that gives any element without those before it (Steele, Lea, Flood: Fast splittable
 * pseudorandom number generators, 2014). */
uint64_t value_bits(unsigned operand, size_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + operand * UINT64_C(0xd1b54a32d192ed03);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static struct number special_float(enum element_id element, unsigned which)
{
    const struct element *type = &elements[element];
    const long double unit = ldexpl(1.0L, 1 - type->digits);
    const long double least = ldexpl(1.0L, type->least - type->digits); /* the least of all */
    const long double values[SPECIALS] = {0.0L, -0.0L, 1.0L, -1.0L, INFINITY, -INFINITY, NAN,
        ldexpl(2.0L - unit, type->end - 2), /* the largest */
        -ldexpl(2.0L - unit, type->end - 2), least, -3 * least, ldexpl(1.0L, type->least - 1), 0.5L,
        -2.5L, 1.0L + unit, ldexpl(1.0L + unit, type->digits / 2)};
    return number_float(values[which % SPECIALS]);
}

static struct number special_integer(enum element_id element, unsigned which)
{
    const unsigned bits = 8 * (unsigned)elements[element].size;
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t values[SPECIALS] = {0, 1, 2, 3, 7, 10, sign >> 1, sign - 1, sign, sign + 1,
        ~UINT64_C(0), ~UINT64_C(1), ~UINT64_C(6), bits - 1, UINT64_C(1) << bits / 2,
        UINT64_C(0x123456789abcdef5)};
    return element_round(element, number_unsigned(values[which % SPECIALS]));
}

struct number value_special(enum element_id element, unsigned which)
{
    if (elements[element].class == FLOATING)
        return special_float(element, which);
    if (elements[element].class == TRUTH)
        return number_unsigned(which & 1);
    return special_integer(element, which);
}

/* Random patterns of floats hardly ever meet each other's exponents: half of them are near 1. */
static struct number random_pattern(enum element_id element, unsigned operand, size_t i)
{
    const uint64_t bits = value_bits(operand, i);
    if (elements[element].class == TRUTH)
        return number_unsigned(bits >> 20 & 1);
    if (elements[element].class != FLOATING || bits >> 63)
        return element_load(element, &bits);
    const long double near = (long double)(int64_t)(bits << 1) / 0x1p60L;
    return element_round(element, number_float(near));
}

struct number value_mixed(enum element_id element, unsigned operand, size_t i)
{
    if (i >= SPECIAL_PAIRS)
        return random_pattern(element, operand, i);
    const unsigned pair = (unsigned)i;
    if (operand == 0)
        return value_special(element, pair);
    return value_special(element, operand == 1 ? pair / SPECIALS : 7 * pair + pair / SPECIALS);
}

enum { TURNING_FLOATS = 32, TURNING = 224 };

static struct number turning_float(enum element_id element, unsigned i)
{
    static const long double bases[TURNING_FLOATS] = {127.5L, 128.5L, 255.5L, 256.5L, 32767.5L,
        65504.0L, 65519.0L, 65520.0L, 65536.0L, 0x1p31L, 0x1p32L, 0x1p63L, 0x1p64L, 510.0L, 200.0L,
        0.999L, 0.5L, 1.5L, 2.5L, 1.00390625L, 1.01171875L, 1.00048828125L, 1.00146484375L,
        0x1.000001p0L, 0x1.000003p0L, 6e-8L, 3e-8L, 2.9e-8L, 1e-39L, 1e-45L, 7e-46L, 3.4e38L};
    static const long double nudges[] = {1, 1 + 0x1p-52L, 1 - 0x1p-53L};
    const long double value = bases[i % TURNING_FLOATS] * nudges[i / TURNING_FLOATS % 3];
    return element_round(element, number_float(i / 96 % 2 ? -value : value));
}

static struct number turning_integer(enum element_id element, unsigned i)
{
    static const unsigned digits[] = {8, 11, 24, 53};
    const unsigned k = i % 64, less = digits[value_bits(0, i) >> 40 & 3];
    const uint64_t half = k >= less ? UINT64_C(1) << (k - less) : 0;
    return element_round(element, number_unsigned((UINT64_C(1) << k) + half + i / 64 % 3 - 1));
}

struct number value_turning(enum element_id element, unsigned operand, size_t i)
{
    const unsigned turn = (unsigned)i - SPECIALS;
    if (i < SPECIALS)
        return value_special(element, (unsigned)i);
    if (elements[element].class != TRUTH && elements[element].size == 1)
        return element_load(element, &turn);
    if (turn >= TURNING || elements[element].class == TRUTH)
        return random_pattern(element, operand, i);
    return elements[element].class == FLOATING ? turning_float(element, turn)
                                               : turning_integer(element, turn);
}

struct number value_small(enum element_id element, unsigned operand, size_t i)
{
    const int64_t small = (int64_t)(value_bits(operand, i) >> 40 & 15) - 7; /* -7 to 8 */
    switch (elements[element].class) {
    case FLOATING:
        return number_float((long double)small / 8);
    case SIGNED:
        return number_signed(small);
    case TRUTH:
        return number_unsigned(small & 1);
    default:
        return number_unsigned((uint64_t)(small + 7));
    }
}
