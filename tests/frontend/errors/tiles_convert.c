#include <teeny/kernel.h>

TEENY_KERNEL(add, (f32 *out, const f32 *x, const i32 *y), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i) + tl_load(y, i));
});
