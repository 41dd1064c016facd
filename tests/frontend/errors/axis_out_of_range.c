#include <teeny/kernel.h>

TEENY_KERNEL(row, (f32 *out), META(), {
    tl_tile(f32, 8) x = tl_zeros(f32, 8);
    tl_tile(f32, 8, 1) column = tl_expand_dims(x, 2);
    out[0] = tl_sum(column);
});
