#include "factor.h"
#include "kernels.h"

TEENY_KERNEL(scale, (f32 *out, const f32 *x, i32 n), META(BLOCK = 128), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) * (f32)FACTOR, i < n);
});
