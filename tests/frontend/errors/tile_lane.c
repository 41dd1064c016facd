#include <teeny/kernel.h>

TEENY_KERNEL(first, (f32 *out, const f32 *in), META(BLOCK = 64), {
    tl_tile(f32, BLOCK) x = tl_load(in, tl_arange(0, BLOCK));
    out[0] = x[0];
});
