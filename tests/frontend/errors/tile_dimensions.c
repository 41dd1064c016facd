#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK = 48), {
    tl_tile(f32, BLOCK) x = tl_zeros(f32, BLOCK);
    tl_store(out, tl_arange(0, BLOCK), x);
});
