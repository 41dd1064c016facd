// Calls with too few and too many arguments.
#include <teeny/kernel.h>

TEENY_KERNEL(counts, (f32 *out, f32 *in), META(M = 32, N = 16), {
    tl_tile(i32, M) i = tl_arange(M);
    tl_tile(f32, M, N) x = tl_load(in);
    tl_tile(f32, M) s = tl_sum();
    tl_tile(f32, M) nested = tl_maximum(s, tl_exp(s, tl_sqrt(s, s)));
    tl_store(out, i, tl_where(i < 3, s), i < 8); tl_store(out, i);
    for (i32 k = 0; k < tl_cdiv(7); k++)
        out[k] = tl_dot(x, x);
    tl_load_block(in, (0, 1));
    tl_store(out,
        i,
#if 1
        s, 1, 2, 3,
#endif
        i);
});
