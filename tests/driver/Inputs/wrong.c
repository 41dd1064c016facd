#include <teeny/kernel.h>

TEENY_KERNEL(right, (i32 *out), META(), { out[0] = 1; });
TEENY_KERNEL(wrong, (i32 *out), META(), { out[0] = missing; });
TEENY_KERNEL(wrong_too, (const i32 *out), META(), { out[0] = 1; });
