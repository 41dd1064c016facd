/* What the math functions should give, and how far off a result is.
 *
 * The reference for f32 is the C library in f64, for f64 in long double: 29 and (on x86-64) 11 more
 * digits than the result has, so that its own error of about one unit does not show in two decimals
 * of a result's. */
#ifndef TEENY_TESTS_MATH_REFERENCE_H
#define TEENY_TESTS_MATH_REFERENCE_H

#include <stdbool.h>

struct math_reference {
    const char *stem;
    double (*for_f32)(double x, double y); /* y: for pow alone */
    long double (*for_f64)(long double x, long double y);
    double low, high; /* where the function is neither 0 nor 1 nor infinite, for sampling */
};

/* NULL for an unknown name. */
const struct math_reference *math_reference_find(const char *stem);

/* The distance of a result from the exact value, in units in the last place of the result's type
 * around that value. Infinity counts as the power of two that comes after the largest number.
 * Negative where result and value are of different kinds: NaN and a number, zeros of unlike sign.
 */
double math_error_f32(float result, double exact);
double math_error_f64(double result, long double exact);

#endif
