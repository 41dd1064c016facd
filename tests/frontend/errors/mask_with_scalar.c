#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out, i32 n, bool is_on), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_zeros(f32, BLOCK), (i < n) & is_on);
});
