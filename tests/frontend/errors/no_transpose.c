#include <teeny/kernel.h>

TEENY_KERNEL(turn, (f32 *out), META(), {
    tl_tile(f32, 64) x = tl_zeros(f32, 64);
    tl_store(out, tl_arange(0, 64), tl_trans(x));
});
