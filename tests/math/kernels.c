/* See kernels.h. */
#include "kernels.h"

#include <teeny/kernel.h>

enum { PROGRAM = 1024 };

/* What starts the kernel stem_T, which is defined right before it, with `...` of its arguments. */
#define LAUNCH(stem, T, ...)                                                                       \
    static teeny_status launch_##stem##_##T(teeny_function *function, teeny_stream *stream,        \
        int32_t n, void *out, const void *x, const void *y)                                        \
    {                                                                                              \
        teeny_grid grid = teeny_grid1((uint32_t)((n + PROGRAM - 1) / PROGRAM));                    \
        (void)y;                                                                                   \
        return TEENY_LAUNCH_FUNCTION(stem##_##T, function, stream, grid, __VA_ARGS__);             \
    }

#define UNARY(stem, T)                                                                             \
    TEENY_KERNEL(stem##_##T, (T * out, const T *x, i32 n), META(BLOCK = 1024), {                   \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_store(out, i, tl_##stem(tl_load(x, i, i < n)), i < n);                                  \
    });                                                                                            \
    LAUNCH(stem, T, out, x, n)

#define BINARY(stem, T)                                                                            \
    TEENY_KERNEL(stem##_##T, (T * out, const T *x, const T *y, i32 n), META(BLOCK = 1024), {       \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_store(out, i, tl_##stem(tl_load(x, i, i < n), tl_load(y, i, i < n)), i < n);            \
    });                                                                                            \
    LAUNCH(stem, T, out, x, y, n)

#define IN_BOTH_TYPES(M, stem) M(stem, f32) M(stem, f64)

IN_BOTH_TYPES(UNARY, cos)
IN_BOTH_TYPES(UNARY, erf)
IN_BOTH_TYPES(UNARY, exp)
IN_BOTH_TYPES(UNARY, exp2)
IN_BOTH_TYPES(UNARY, log)
IN_BOTH_TYPES(UNARY, log2)
IN_BOTH_TYPES(BINARY, pow)
IN_BOTH_TYPES(UNARY, round)
IN_BOTH_TYPES(UNARY, rsqrt)
IN_BOTH_TYPES(UNARY, sin)
IN_BOTH_TYPES(UNARY, tanh)

const struct math_kernel math_kernels[] = {
#define FUNCTION(operation, stem, f32_bound, f64_bound, summary)                                   \
    {#stem, {{TEENY_KERNEL_OF(stem##_f32), launch_##stem##_f32},                                   \
                {TEENY_KERNEL_OF(stem##_f64), launch_##stem##_f64}}},
#include "math/functions.def"
};
const size_t math_kernel_count = sizeof math_kernels / sizeof *math_kernels;
