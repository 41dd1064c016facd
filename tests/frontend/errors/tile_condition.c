#include <teeny/kernel.h>

TEENY_KERNEL(positive, (f32 *out, const f32 *in), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_load(in, i);
    if (x < 0)
        x = -x;
    tl_store(out, i, x);
});
