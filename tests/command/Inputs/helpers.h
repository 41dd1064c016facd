/* A helper in a file of its own, which is found beside the kernels. */
#include <teeny/kernel.h>

TEENY_DEVICE(tl_tile(f32, 64), twice, (tl_tile(f32, 64) x), { return x * 2.0f; });
