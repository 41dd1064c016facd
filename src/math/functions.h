/* The math functions as text of the tt dialect, inside teenyc.
 *
 * The C files of this folder are kernel C: each TEENY_DEVICE of functions.def, in f32 and f64, is
 * lowered when teenyc is built (embed.c) to one tt.func from scalars to a scalar: straight line,
 * nothing but constants and elementwise operations without effects.
 */
#ifndef TEENY_MATH_FUNCTIONS_H
#define TEENY_MATH_FUNCTIONS_H

#include <stddef.h>

struct math_function {
    const char *name; /* "exp_f32" */
    const char *text; /* a module with that tt.func */
};

/* Sorted by nothing; few enough for a search from the front. */
extern const struct math_function math_functions[];
extern const size_t math_function_count;

#endif
