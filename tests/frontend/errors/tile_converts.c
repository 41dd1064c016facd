#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK = 64), {
    tl_tile(f32, BLOCK) ones = 1.0f;
    tl_store(out, tl_arange(0, BLOCK), ones);
});
