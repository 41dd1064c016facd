/* The kernels that compute one math function each, over arrays. */
#ifndef TEENY_TESTS_MATH_KERNELS_H
#define TEENY_TESTS_MATH_KERNELS_H

#include <teeny/teeny.h>

enum { MATH_F32, MATH_F64, MATH_TYPES };

/* Starts a function that was loaded of `kernel`: n elements of out from those of x and, for pow, y.
 * Device pointers. */
typedef teeny_status math_launch(teeny_function *function, teeny_stream *stream, int32_t n,
    void *out, const void *x, const void *y);

struct math_kernel {
    const char *stem; /* as in src/math/functions.def */
    struct {
        const teeny_kernel *kernel;
        math_launch *launch;
    } types[MATH_TYPES];
};

extern const struct math_kernel math_kernels[];
extern const size_t math_kernel_count;

#endif
