#include <teeny/kernel.h>

TEENY_KERNEL(count, (i32 *out, u32 bits), META(), { out[0] = __builtin_popcount(bits); });
