#include <teeny/kernel.h>

TEENY_KERNEL(copy, (f32 *out, const f32 *at), META(BLOCK = 64), {
    tl_tile(f32, BLOCK) where = tl_load(at, tl_arange(0, BLOCK));
    tl_store(out, where, where);
});
