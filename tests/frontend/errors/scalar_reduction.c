#include <teeny/kernel.h>

TEENY_KERNEL(sums, (f32 *out), META(), {
    tl_tile(f32, 4, 8) x = tl_zeros(f32, 4, 8);
    tl_tile(f32, 4) sums = tl_sum(x, 1);
    tl_store(out, tl_arange(0, 4), sums);
});
