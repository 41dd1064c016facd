#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK), { tl_store(out, tl_arange(0, BLOCK), tl_zeros(f32, BLOCK)); });
