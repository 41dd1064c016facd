#include <teeny/kernel.h>

TEENY_KERNEL(any, (f32 *out, i32 n), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    __auto_type in_range = i < n;
    in_range = i;
    tl_store(out, i, tl_zeros(f32, BLOCK), in_range);
});
