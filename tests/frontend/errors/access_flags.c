#include <teeny/kernel.h>

TEENY_KERNEL(copy, (f32 *out, const f32 *in), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(in, i, i < 50, 0, TL_CACHE_WT), i < 50);
});
