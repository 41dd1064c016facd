#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out, i32 n), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_zeros(f32, BLOCK), tl_arange(0, 32) < n);
});
