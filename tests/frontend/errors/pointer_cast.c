#include <teeny/kernel.h>

TEENY_KERNEL(address, (i64 *out), META(), { out[0] = tl_cast(i64, out); });
