#include <teeny/kernel.h>

TEENY_KERNEL(copy, (f32 *out, f32 in), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(in, i));
});
