#include <teeny/kernel.h>

TEENY_KERNEL(square, (f32 *out, const f32 *in), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 8, 8) x = tl_load(in, i);
    tl_store(out, i, tl_reshape(x * x, 64));
});
