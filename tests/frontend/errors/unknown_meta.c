#include <teeny/kernel.h>

TEENY_KERNEL(fill, (f32 *out), META(BLOCK = 64), { out[0] = BLOCK; });
// teenyc: --check unknown_meta.c -D BLOCKS=128
