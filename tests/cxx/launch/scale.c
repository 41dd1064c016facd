#include <teeny/kernel.h>

#include "scale.h"

TEENY_KERNEL(scale, (f32 *out, const f32 *x, f32 factor, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, factor * tl_load(x, i, i < n), i < n);
});
