#include <teeny/kernel.h>

TEENY_KERNEL(other_names, (i32 *out), META(), { out[0] = 1; });
