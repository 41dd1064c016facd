#include <teeny/kernel.h>

TEENY_KERNEL(add, (f32 *out), META(), {
    tl_tile(f32, 8, 8) rows = tl_zeros(f32, 8, 8);
    tl_tile(f32, 64) flat = tl_zeros(f32, 64);
    tl_store(out, tl_arange(0, 64), flat + rows);
});
