// Arguments that clang would explain by what the operations expand to.
#include <teeny/kernel.h>

TEENY_KERNEL(axes, (f32 *out, f32 *in, i32 n), META(M = 32, N = 16), {
    tl_tile(i32, M) i = tl_arange(0, M);
    tl_tile(f32, M, N) x = tl_load(in, tl_expand(i, 1, N));
    tl_tile(f32, M) s = tl_sum(x, 1);
    tl_tile(i32, N) lowest = 2 + tl_argmin(x, 0);
    f32 whole = tl_sum(x, 1, M);
    out[0] = tl_sum(tl_broadcast_to(x, n, M));
    out[1] = tl_sum(tl_maximum(out, x));
    tl_zeros(f32, x);
    tl_zeros(f32, i);
    tl_program_id(i);
    tl_load(x, i);
    tl_load_block(in, 0, M);
    tl_store_block(in, 0, x);
});
