#include <teeny/kernel.h>

TEENY_KERNEL(repeat, (f32 *out), META(), {
    tl_tile(f32, 8) x = tl_zeros(f32, 8);
    out[0] = tl_sum(tl_broadcast_to(x, 4, 8));
});
