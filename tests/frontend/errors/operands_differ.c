#include <teeny/kernel.h>

TEENY_KERNEL(larger, (f32 *out, const f32 *in), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_maximum(tl_load(in, i), i));
});
