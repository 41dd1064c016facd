#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK = 64), {
    tl_store_block(out, (0), tl_zeros(f32, BLOCK));
});
