#include <teeny/kernel.h>

TEENY_KERNEL(scale, (f32 *out, const f32 *in, const u32 *at, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_load(in, i, i < n);
    tl_store(out, i, x, tl_arange(0, 64) < n);
    tl_store(out, i, tl_cast(f32, tl_exp(i)));
    tl_store(in, i, x * x);
    tl_store(out, i + tl_load(at, i), x);
    tl_store(out, tl_arange(0, 128), tl_reshape(x, 8, 16));
});
