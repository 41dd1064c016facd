#include <teeny/kernel.h>

TEENY_KERNEL(count, (i32 *out, i32 n), META(BLOCK = 64), { out[0] = tl_sum(tl_arange(0, BLOCK) < n); });
