#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK = 64), { out[0] = BLOCK; });
// teenyc: --check meta_too_large.c -D BLOCK=36893488147419103232
