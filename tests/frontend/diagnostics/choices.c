// Errors in the sides of a `?:`, which assign, are shown and lead to nothing else.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(f32, 64) v = tl_zeros(f32, 64);
    n = n ? (v = v[0] + v, 1) : 2;
    tl_store(out, tl_arange(0, 64), v);
});
