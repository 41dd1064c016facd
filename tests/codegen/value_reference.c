/* See value_reference.h. */
#include "value_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct type i1 = {"i1", 1, 0}, f32 = {"f32", 32, 24};
static const struct type i8 = {"i8", 8, 0}, i16 = {"i16", 16, 0}, i32 = {"i32", 32, 0},
                         i64 = {"i64", 64, 0}, f16 = {"f16", 16, 11}, bf16 = {"bf16", 16, 8},
                         f64 = {"f64", 64, 53};
const struct type *const integers[4] = {&i8, &i16, &i32, &i64};
const struct type *const floats[4] = {&f16, &bf16, &f32, &f64};

/* ---- Patterns -------------------------------------------------------------------------------- */

uint64_t low_bits(uint64_t value, unsigned width)
{
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

int64_t as_signed(const struct type *type, uint64_t value)
{
    unsigned unused = 64 - type->width;
    return (int64_t)(value << unused) >> unused;
}

/* The largest exponent of a finite float. */
static int greatest_exponent(const struct type *type)
{
    return (1 << (type->width - type->digits - 1)) - 1;
}

/* Every f16, bf16 and f32 is a double. */
double as_double(const struct type *type, uint64_t value)
{
    unsigned fraction_bits = type->digits - 1;
    int bias = greatest_exponent(type);
    uint64_t fraction = low_bits(value, fraction_bits);
    int exponent = (int)low_bits(value >> fraction_bits, type->width - type->digits);
    double sign = value >> (type->width - 1) & 1 ? -1.0 : 1.0;
    if (exponent == 2 * bias + 1)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp((double)fraction, 1 - bias - (int)fraction_bits);
    fraction |= UINT64_C(1) << fraction_bits;
    return sign * ldexp((double)fraction, exponent - bias - (int)fraction_bits);
}

/* To nearest even, with subnormals and infinity. */
uint64_t from_double(const struct type *type, long double value)
{
    unsigned fraction_bits = type->digits - 1;
    int bias = greatest_exponent(type);
    uint64_t sign = (uint64_t)(signbit(value) != 0) << (type->width - 1);
    uint64_t infinity = ((UINT64_C(1) << (type->width - type->digits)) - 1) << fraction_bits;
    if (isnan(value))
        return infinity | UINT64_C(1) << (fraction_bits - 1);
    if (isinf(value) || value == 0.0L)
        return sign | (value == 0.0L ? 0 : infinity);
    int exponent;
    frexpl(value, &exponent);
    exponent = exponent - 1 < 1 - bias ? 1 - bias : exponent - 1;
    long double unit = ldexpl(1.0L, exponent - (int)fraction_bits);
    long double scaled = nearbyintl(fabsl(value) / unit); /* to nearest even is the default */
    uint64_t whole = (uint64_t)scaled;
    uint64_t pattern = whole + ((uint64_t)(exponent + bias - 1) << fraction_bits);
    return sign | (pattern > infinity ? infinity : pattern);
}

bool is_nan(const struct type *type, uint64_t value)
{
    return type->digits && isnan(as_double(type, value));
}

/* ---- What integer operations mean -------------------------------------------------------------
 */

#define UNSIGNED(name, expression)                                                                 \
    static uint64_t name(const struct type *type, uint64_t a, uint64_t b)                          \
    {                                                                                              \
        (void)type, (void)a, (void)b;                                                              \
        return expression;                                                                         \
    }
#define SIGNED(name, expression)                                                                   \
    static uint64_t name(const struct type *type, uint64_t x, uint64_t y)                          \
    {                                                                                              \
        int64_t a = as_signed(type, x), b = as_signed(type, y);                                    \
        (void)a, (void)b;                                                                          \
        return (uint64_t)(expression);                                                             \
    }

static bool divides(int64_t a, int64_t b)
{
    (void)a;
    return b != 0;
}

static int64_t quotient(int64_t a, int64_t b)
{
    return b == -1 ? (int64_t)-(uint64_t)a : a / b;
}

static int64_t rest(int64_t a, int64_t b)
{
    return b == -1 ? 0 : a % b;
}

UNSIGNED(add, a + b)
UNSIGNED(subtract, a - b)
UNSIGNED(multiply, a *b)
UNSIGNED(and, a &b)
UNSIGNED(or, a | b)
UNSIGNED(xor, a ^ b)
UNSIGNED(divide_unsigned, b ? a / b : ANYTHING)
UNSIGNED(rest_unsigned, b ? a % b : ANYTHING)
UNSIGNED(ceiling_unsigned, b ? a / b + (a % b != 0) : ANYTHING)
SIGNED(divide_signed, divides(a, b) ? quotient(a, b) : (int64_t)ANYTHING)
SIGNED(rest_signed, divides(a, b) ? rest(a, b) : (int64_t)ANYTHING)
SIGNED(ceiling_signed,
    divides(a, b) ? quotient(a, b) + (rest(a, b) != 0 && (a < 0) == (b < 0)) : (int64_t)ANYTHING)
SIGNED(floor_signed,
    divides(a, b) ? quotient(a, b) - (rest(a, b) != 0 && (a < 0) != (b < 0)) : (int64_t)ANYTHING)
UNSIGNED(shift_left, b < type->width ? a << b : ANYTHING)
UNSIGNED(shift_right_unsigned, b < type->width ? a >> b : ANYTHING)
UNSIGNED(shift_right_signed, b < type->width ? (uint64_t)(as_signed(type, a) >> b) : ANYTHING)
SIGNED(maximum_signed, a > b ? a : b)
SIGNED(minimum_signed, a < b ? a : b)
UNSIGNED(maximum_unsigned, a > b ? a : b)
UNSIGNED(minimum_unsigned, a < b ? a : b)
SIGNED(absolute, a < 0 ? -(uint64_t)a : (uint64_t)a)
UNSIGNED(ones, (uint64_t)__builtin_popcountll(a))
UNSIGNED(leading_zeros, a ? (uint64_t)__builtin_clzll(a) - (64 - type->width) : type->width)
UNSIGNED(trailing_zeros, a ? (uint64_t)__builtin_ctzll(a) : type->width)
UNSIGNED(equal, a == b)
UNSIGNED(unequal, a != b)
SIGNED(less_signed, a < b)
SIGNED(at_most_signed, a <= b)
SIGNED(greater_signed, a > b)
SIGNED(at_least_signed, a >= b)
UNSIGNED(less_unsigned, a < b)
UNSIGNED(at_most_unsigned, a <= b)
UNSIGNED(greater_unsigned, a > b)
UNSIGNED(at_least_unsigned, a >= b)
UNSIGNED(choose, as_signed(type, a) < as_signed(type, b) ? a : b)

const struct operation integer_operations[] = {
    {"arith.addi %a, %b : T", NULL, add},
    {"arith.subi %a, %b : T", NULL, subtract},
    {"arith.muli %a, %b : T", NULL, multiply},
    {"arith.andi %a, %b : T", NULL, and},
    {"arith.ori %a, %b : T", NULL, or},
    {"arith.xori %a, %b : T", NULL, xor},
    {"arith.divsi %a, %b : T", NULL, divide_signed},
    {"arith.divui %a, %b : T", NULL, divide_unsigned},
    {"arith.remsi %a, %b : T", NULL, rest_signed},
    {"arith.remui %a, %b : T", NULL, rest_unsigned},
    {"arith.ceildivsi %a, %b : T", NULL, ceiling_signed},
    {"arith.ceildivui %a, %b : T", NULL, ceiling_unsigned},
    {"arith.floordivsi %a, %b : T", NULL, floor_signed},
    {"arith.shli %a, %b : T", NULL, shift_left},
    {"arith.shrsi %a, %b : T", NULL, shift_right_signed},
    {"arith.shrui %a, %b : T", NULL, shift_right_unsigned},
    {"arith.maxsi %a, %b : T", NULL, maximum_signed},
    {"arith.minsi %a, %b : T", NULL, minimum_signed},
    {"arith.maxui %a, %b : T", NULL, maximum_unsigned},
    {"arith.minui %a, %b : T", NULL, minimum_unsigned},
    {"math.absi %a : T", NULL, absolute},
    {"math.ctpop %a : T", NULL, ones},
    {"math.ctlz %a : T", NULL, leading_zeros},
    {"math.cttz %a : T", NULL, trailing_zeros},
    {"arith.cmpi eq, %a, %b : T", &i1, equal},
    {"arith.cmpi ne, %a, %b : T", &i1, unequal},
    {"arith.cmpi slt, %a, %b : T", &i1, less_signed},
    {"arith.cmpi sle, %a, %b : T", &i1, at_most_signed},
    {"arith.cmpi sgt, %a, %b : T", &i1, greater_signed},
    {"arith.cmpi sge, %a, %b : T", &i1, at_least_signed},
    {"arith.cmpi ult, %a, %b : T", &i1, less_unsigned},
    {"arith.cmpi ule, %a, %b : T", &i1, at_most_unsigned},
    {"arith.cmpi ugt, %a, %b : T", &i1, greater_unsigned},
    {"arith.cmpi uge, %a, %b : T", &i1, at_least_unsigned},
    {"arith.select %less, %a, %b : M, T", NULL, choose},
};
const unsigned integer_operation_count = sizeof integer_operations / sizeof *integer_operations;

/* ---- What floating-point operations mean ------------------------------------------------------
 */

#define FLOATING(name, expression)                                                                 \
    static uint64_t name(const struct type *type, uint64_t p, uint64_t q)                          \
    {                                                                                              \
        double x = as_double(type, p), y = as_double(type, q);                                     \
        (void)x, (void)y;                                                                          \
        return from_double(type, expression);                                                      \
    }
#define COMPARED(name, expression)                                                                 \
    static uint64_t name(const struct type *type, uint64_t p, uint64_t q)                          \
    {                                                                                              \
        double x = as_double(type, p), y = as_double(type, q);                                     \
        bool nan = isnan(x) || isnan(y);                                                           \
        (void)x, (void)y, (void)nan;                                                               \
        return expression;                                                                         \
    }

/* The greater of two numbers, +0 above -0. */
static double greater_of(double x, double y)
{
    if (x == y)
        return signbit(x) ? y : x;
    return x > y ? x : y;
}

static double lesser_of(double x, double y)
{
    return -greater_of(-x, -y);
}

/* A product and a sum, rounded once. Machines without such an instruction make f64's from simpler
 * ones, which lose digits near zero; f16 and bf16 compute in f32 and round that. */
static uint64_t fused(const struct type *type, double a, double b, double c)
{
    if (type->width < 64)
        return from_double(type, (double)fmaf((float)a, (float)b, (float)c));
    if (getenv("CPU_PROCESSOR") && fabs(a * b) < 0x1p-960)
        return ANYTHING;
    return from_double(type, fma(a, b, c));
}

static uint64_t fused_f(const struct type *type, uint64_t p, uint64_t q)
{
    return fused(type, as_double(type, p), as_double(type, q), as_double(type, p));
}

static uint64_t fused_square_f(const struct type *type, uint64_t p, uint64_t q)
{
    return fused(type, as_double(type, p), as_double(type, p), as_double(type, q));
}

/* For f64 these are C's own operations; for the others a double holds sums and products exactly, or
 * with so many digits that rounding them again is right. */
FLOATING(add_f, x + y)
FLOATING(subtract_f, x - y)
FLOATING(multiply_f, x *y)
FLOATING(divide_f, x / y)
FLOATING(root_f, sqrt(x))
FLOATING(floor_f, floor(x))
FLOATING(ceiling_f, ceil(x))
FLOATING(truncate_f, trunc(x))
FLOATING(nearest_f, nearbyint(x))
FLOATING(max_number, isnan(x) ? y : isnan(y) ? x : greater_of(x, y))
FLOATING(min_number, isnan(x) ? y : isnan(y) ? x : lesser_of(x, y))
FLOATING(max_nan, isnan(x) || isnan(y) ? (double)NAN : greater_of(x, y))
FLOATING(min_nan, isnan(x) || isnan(y) ? (double)NAN : lesser_of(x, y))
UNSIGNED(negate_f, a ^ UINT64_C(1) << (type->width - 1))
UNSIGNED(absolute_f, a &low_bits(~UINT64_C(0), type->width - 1))
UNSIGNED(copy_sign_f,
    (a & low_bits(~UINT64_C(0), type->width - 1)) | (b & UINT64_C(1) << (type->width - 1)))
COMPARED(never, 0)
COMPARED(ordered_equal, x == y)
COMPARED(ordered_greater, x > y)
COMPARED(ordered_at_least, x >= y)
COMPARED(ordered_less, x < y)
COMPARED(ordered_at_most, x <= y)
COMPARED(ordered_unequal, x<y || x> y)
COMPARED(ordered, !nan)
COMPARED(unordered_equal, nan || x == y)
COMPARED(unordered_greater, nan || x > y)
COMPARED(unordered_at_least, nan || x >= y)
COMPARED(unordered_less, nan || x < y)
COMPARED(unordered_at_most, nan || x <= y)
COMPARED(unordered_unequal, nan || x != y)
COMPARED(unordered, nan)
COMPARED(always, 1)
COMPARED(is_nan_f, isnan(x))
COMPARED(is_infinite_f, isinf(x) != 0)
COMPARED(is_finite_f, isfinite(x) != 0)

const struct operation float_operations[] = {
    {"arith.addf %a, %b : T", NULL, add_f},
    {"arith.subf %a, %b : T", NULL, subtract_f},
    {"arith.mulf %a, %b : T", NULL, multiply_f},
    {"arith.divf %a, %b : T", NULL, divide_f},
    {"tt.precise_divf %a, %b : T", NULL, divide_f},
    {"tt.precise_sqrt %a : T", NULL, root_f},
    {"math.sqrt %a : T", NULL, root_f},
    {"arith.negf %a : T", NULL, negate_f},
    {"math.absf %a : T", NULL, absolute_f},
    {"math.copysign %a, %b : T", NULL, copy_sign_f},
    {"math.fma %a, %b, %a : T", NULL, fused_f},
    {"math.fma %a, %a, %b : T", NULL, fused_square_f},
    {"math.floor %a : T", NULL, floor_f},
    {"math.ceil %a : T", NULL, ceiling_f},
    {"math.trunc %a : T", NULL, truncate_f},
    {"math.roundeven %a : T", NULL, nearest_f},
    {"arith.maxnumf %a, %b : T", NULL, max_number},
    {"arith.minnumf %a, %b : T", NULL, min_number},
    {"arith.maximumf %a, %b : T", NULL, max_nan},
    {"arith.minimumf %a, %b : T", NULL, min_nan},
    {"arith.cmpf false, %a, %b : T", &i1, never},
    {"arith.cmpf oeq, %a, %b : T", &i1, ordered_equal},
    {"arith.cmpf ogt, %a, %b : T", &i1, ordered_greater},
    {"arith.cmpf oge, %a, %b : T", &i1, ordered_at_least},
    {"arith.cmpf olt, %a, %b : T", &i1, ordered_less},
    {"arith.cmpf ole, %a, %b : T", &i1, ordered_at_most},
    {"arith.cmpf one, %a, %b : T", &i1, ordered_unequal},
    {"arith.cmpf ord, %a, %b : T", &i1, ordered},
    {"arith.cmpf ueq, %a, %b : T", &i1, unordered_equal},
    {"arith.cmpf ugt, %a, %b : T", &i1, unordered_greater},
    {"arith.cmpf uge, %a, %b : T", &i1, unordered_at_least},
    {"arith.cmpf ult, %a, %b : T", &i1, unordered_less},
    {"arith.cmpf ule, %a, %b : T", &i1, unordered_at_most},
    {"arith.cmpf une, %a, %b : T", &i1, unordered_unequal},
    {"arith.cmpf uno, %a, %b : T", &i1, unordered},
    {"arith.cmpf true, %a, %b : T", &i1, always},
    {"math.isnan %a : T", &i1, is_nan_f},
    {"math.isinf %a : T", &i1, is_infinite_f},
    {"math.isfinite %a : T", &i1, is_finite_f},
};
const unsigned float_operation_count = sizeof float_operations / sizeof *float_operations;

/* ---- What conversions mean --------------------------------------------------------------------
 */

const struct type *conversion_target;

uint64_t float_to_float(const struct type *type, uint64_t a, uint64_t b)
{
    (void)b;
    return from_double(conversion_target, as_double(type, a));
}

uint64_t signed_to_float(const struct type *type, uint64_t a, uint64_t b)
{
    (void)b;
    return from_double(conversion_target, (long double)as_signed(type, a));
}

uint64_t unsigned_to_float(const struct type *type, uint64_t a, uint64_t b)
{
    (void)type, (void)b;
    return from_double(conversion_target, (long double)a);
}

uint64_t float_to_signed(const struct type *type, uint64_t a, uint64_t b)
{
    (void)b;
    double value = as_double(type, a), limit = ldexp(1.0, (int)conversion_target->width - 1);
    if (isnan(value))
        return 0;
    if (value >= limit)
        return (UINT64_C(1) << (conversion_target->width - 1)) - 1;
    return value < -limit ? UINT64_C(1) << (conversion_target->width - 1)
                          : (uint64_t)(int64_t)value;
}

uint64_t float_to_unsigned(const struct type *type, uint64_t a, uint64_t b)
{
    (void)b;
    double value = as_double(type, a);
    if (isnan(value) || value <= 0.0)
        return 0;
    return value >= ldexp(1.0, (int)conversion_target->width) ? ~UINT64_C(0) : (uint64_t)value;
}

uint64_t unsigned_value(const struct type *type, uint64_t a, uint64_t b)
{
    (void)type, (void)b;
    return a;
}

uint64_t signed_value(const struct type *type, uint64_t a, uint64_t b)
{
    (void)b;
    return (uint64_t)as_signed(type, a);
}

/* ---- Operands -------------------------------------------------------------------------------- */

void integer_operands(const struct type *type, uint64_t *out)
{
    const uint64_t least = UINT64_C(1) << (type->width - 1);
    const uint64_t telling[SIDE] = {0, 1, 2, 3, 5, 7, ~UINT64_C(0), ~UINT64_C(1), ~UINT64_C(6),
        least, least + 1, least - 1, least - 2, least >> 1, UINT64_C(0x123456789abcdef1), 100};
    for (int i = 0; i < SIDE; i++)
        out[i] = low_bits(telling[i], type->width);
}

void float_operands(const struct type *type, uint64_t *out)
{
    const uint64_t one = (uint64_t)greatest_exponent(type) << (type->digits - 1);
    const uint64_t infinity = (2 * (uint64_t)greatest_exponent(type) + 1) << (type->digits - 1);
    const uint64_t sign = UINT64_C(1) << (type->width - 1);
    const uint64_t telling[SIDE] = {0, sign, one, one | sign, one + 1, one + 2, one - 1, 1,
        3 | sign, infinity, infinity | sign, infinity - 1,
        infinity | UINT64_C(1) << (type->digits - 2), one + (UINT64_C(5) << (type->digits - 3)),
        one / 2 * 3 / 2, from_double(type, -2.5)};
    memcpy(out, telling, sizeof telling);
}

/* Floats around the places where rounding to a narrower type or to an integer turns. */
double turning_double(unsigned i)
{
    static const double bases[] = {1.0, 1.5, 65504.0, 65519.0, 65520.0, 65536.0, 127.0, 128.0,
        255.0, 256.0, 32767.0, 2147483647.0, 4294967295.0, 9.3e18, 1.9e19, 6e-8, 3e-8, 2.9e-8,
        1e-39, 1e-45, 7e-46, 3.4e38, 3.5e38, 1e300, 0.5, 0.999, 2.5, 1.00390625, 1.01171875,
        1.00048828125, 1.00146484375, 0.0};
    static const double nudges[] = {1.0, 1.0 + 0x1p-52, 1.0 - 0x1p-53, 1.0 + 0x1p-30};
    double value = bases[i / 8 % 32] * nudges[i / 2 % 4];
    return i % 2 ? -value : value;
}

/* Integers around ties of f16, bf16 and f32, and others. */
/* 2^k, half a unit of its last digit in bf16, f16 or f32, and one more, one less or nothing. */
uint64_t turning_integer(unsigned i)
{
    static const unsigned digits[] = {8, 11, 24, 53};
    unsigned k = i % 64, less = digits[i / 64 % 4];
    uint64_t half = k >= less ? UINT64_C(1) << (k - less) : 0;
    return (UINT64_C(1) << k) + half + (uint64_t)(i % 3) - 1;
}
