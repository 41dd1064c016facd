#include <teeny/kernel.h>

TEENY_KERNEL(copy, (i32 *out, const u32 *in), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(i32, BLOCK) x = tl_load(in, i);
    tl_store(out, i, x);
});
