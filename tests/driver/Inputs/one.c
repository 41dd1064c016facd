#include <teeny/kernel.h>

TEENY_KERNEL(one, (i32 *out), META(VALUE = 1), { out[0] = VALUE; });
