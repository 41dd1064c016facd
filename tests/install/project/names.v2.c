#include <teeny/kernel.h>

TEENY_KERNEL(names_v2, (i32 *out), META(), { out[0] = 1; });
