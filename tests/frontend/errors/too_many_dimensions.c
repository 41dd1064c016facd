#include <teeny/kernel.h>

TEENY_KERNEL(deep, (f32 *out), META(), {
    tl_tile(f32, 2, 2, 2, 2, 2) x = tl_zeros(f32, 2, 2, 2, 2, 2);
    out[0] = tl_sum(tl_expand_dims(x, 0));
});
