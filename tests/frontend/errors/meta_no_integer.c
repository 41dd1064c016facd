#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK = 64), { out[0] = BLOCK; });
// teenyc: --check meta_no_integer.c -D BLOCK=half
