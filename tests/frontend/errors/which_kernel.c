#include <teeny/kernel.h>

TEENY_KERNEL(first, (f32 *out), META(), { out[0] = 1; });
TEENY_KERNEL(second, (f32 *out), META(), { out[0] = 2; });
// teenyc: which_kernel.c --target cpu --emit ttir
