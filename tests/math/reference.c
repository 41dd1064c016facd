/* See reference.h. */
#include "reference.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- References ------------------------------------------------------------------------------ */

#define UNARY(stem)                                                                                \
    static double stem##_for_f32(double x, double y)                                               \
    {                                                                                              \
        (void)y;                                                                                   \
        return stem(x);                                                                            \
    }                                                                                              \
    static long double stem##_for_f64(long double x, long double y)                                \
    {                                                                                              \
        (void)y;                                                                                   \
        return stem##l(x);                                                                         \
    }

static double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

static long double rsqrtl(long double x)
{
    return 1.0L / sqrtl(x);
}

UNARY(cos)
UNARY(erf)
UNARY(exp)
UNARY(exp2)
UNARY(log)
UNARY(log2)
UNARY(round)
UNARY(rsqrt)
UNARY(sin)
UNARY(tanh)

static const struct math_reference references[] = {
    {"cos", cos_for_f32, cos_for_f64, -1e6, 1e6},
    {"erf", erf_for_f32, erf_for_f64, -6, 6},
    {"exp", exp_for_f32, exp_for_f64, -746, 710},
    {"exp2", exp2_for_f32, exp2_for_f64, -1075, 1025},
    {"log", log_for_f32, log_for_f64, 0, 4},
    {"log2", log2_for_f32, log2_for_f64, 0, 4},
    {"pow", pow, powl, 0, 0},
    {"round", round_for_f32, round_for_f64, -100, 100},
    {"rsqrt", rsqrt_for_f32, rsqrt_for_f64, 0, 4},
    {"sin", sin_for_f32, sin_for_f64, -1e6, 1e6},
    {"tanh", tanh_for_f32, tanh_for_f64, -20, 20},
};

const struct math_reference *math_reference_find(const char *stem)
{
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].stem, stem) == 0)
            return &references[i];
    return NULL;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* What makes a type's numbers: digits, and the exponents of the first normal number and of
 * infinity.
 */
struct format {
    int digits, least, end;
};
static const struct format f32_format = {24, -125, 129}, f64_format = {53, -1021, 1025};

static long double unit_at(struct format format, long double value)
{
    int exponent;
    frexpl(value, &exponent);
    if (exponent < format.least)
        exponent = format.least;
    if (exponent >= format.end)
        exponent = format.end - 1;
    return ldexpl(1.0L, exponent - format.digits);
}

/* `nearest`: the exact value as the type rounds it. */
static double error_of(struct format format, double result, long double exact, double nearest)
{
    const double other_kind = -1.0;
    if (isnan(exact) || isnan(result))
        return isnan(exact) && isnan(result) ? 0.0 : other_kind;
    if (result == 0.0 && exact == 0.0L)
        return !signbit(result) == !signbit(exact) ? 0.0 : other_kind;
    if (isinf(exact) || (isinf(result) && result == nearest))
        return result == nearest ? 0.0 : other_kind;
    long double seen = isinf(result) ? copysignl(ldexpl(1.0L, format.end - 1), result) : result;
    return (double)(fabsl(seen - exact) / unit_at(format, exact));
}

double math_error_f32(float result, double exact)
{
    return error_of(f32_format, result, exact, (float)exact);
}

double math_error_f64(double result, long double exact)
{
    return error_of(f64_format, result, exact, (double)exact);
}
