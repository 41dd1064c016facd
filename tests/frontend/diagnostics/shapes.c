// What the shape operations take.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(f32, 8, 8) a = tl_zeros(f32, 8, 8);
    tl_tile(f32, 64) v = tl_zeros(f32, 64);
    tl_expand_dims(a, 4);
    tl_expand(a, 3, 8);
    tl_expand_dims(tl_zeros(f32, 2, 2, 2, 2, 2), 0);
    tl_expand_dims(x[0], 0);
    tl_broadcast_to(a, 16, 8);
    tl_broadcast_to(v, 8, 8);
    tl_reshape(a, 8, 16);
    tl_reshape(x[0], 1);
    tl_trans(v);
    tl_trans(x[0]);
    tl_permute(a, 0, 0);
    tl_permute(a, 0, 2);
    tl_permute(a, 1);
    tl_permute(v, 0, 1);
});
