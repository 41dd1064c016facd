#include <teeny/kernel.h>

TEENY_KERNEL(scaled, (f32 *x, i32 stride, i32 n), META(BLOCK = 512), {
    i32 step = stride;
    for (i32 i = 0; i < 4; i++) {
        tl_tile(i32, BLOCK) at = i * BLOCK + tl_arange(0, BLOCK);
        tl_store(x, at * stride, tl_load(x, at * stride, at < n) * 2.0f + (f32)step, at < n);
        step = step + 1;
        stride = 1;
    }
});
