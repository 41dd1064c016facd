// Arguments that only the lowering judges.
#include <teeny/kernel.h>

TEENY_KERNEL(constants, (f32 *out, f32 *in, i32 n), META(M = 32, N = 16), {
    tl_tile(i32, M) i = tl_arange(0, M);
    tl_tile(f32, M, N) x = tl_load(in, tl_expand(i, 1, N));
    tl_store(out, i, tl_sum(x, 1));
    tl_store(out, i, tl_sum(x, n, M));
    tl_expand_dims(x, n);
    tl_expand_dims(x, i);
    tl_permute(x, n, 1);
    tl_reshape(x, N, n * M);
    tl_store(x, i, 0.0f);
    tl_store_block(n, (0), x);
});
