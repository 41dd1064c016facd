#include <teeny/kernel.h>

TEENY_KERNEL(scale, (f32 *out), META(BLOCK = 64, WIDE = 1), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
#if WIDE
    tl_store(out, i, 2 * tl_load(out, i));
#endif
});
