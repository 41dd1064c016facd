#include <teeny/kernel.h>

TEENY_KERNEL(scale, (f32 *out, const f32 *in, f32 by, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(in, i, i < n) * by, i < n);
});
