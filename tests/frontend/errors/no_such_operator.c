#include <teeny/kernel.h>

TEENY_KERNEL(rest, (f32 *out), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_load(out, i);
    tl_store(out, i, x % (x + 1));
});
