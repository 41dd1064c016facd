#include <teeny/kernel.h>

TEENY_KERNEL(choose, (f32 *out, const f32 *in, i32 n), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_where(i < n, tl_load(in, i), i));
});
