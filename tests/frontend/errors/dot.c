#include <teeny/kernel.h>

TEENY_KERNEL(matmul, (f32 *out), META(), {
    tl_tile(f16, 16, 32) a = tl_zeros(f16, 16, 32);
    tl_tile(f16, 16, 32) b = tl_zeros(f16, 16, 32);
    out[0] = tl_sum(tl_dot(a, b, tl_zeros(f32, 16, 16)));
});
