#include <teeny/kernel.h>

TEENY_DEVICE(i32, first_of, (i32 first, ...), { return first; });

TEENY_KERNEL(use, (i32 *out), META(), { out[0] = first_of(1, 2, 3); });
