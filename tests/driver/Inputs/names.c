#include <teeny/kernel.h>

TEENY_KERNEL(k, (i32 *stream, i32 stream_, i32 class), META(), { stream[0] = stream_ + class; });
TEENY_KERNEL(refused, (i32 *out), META(launch = 1), { out[0] = launch; });
TEENY_KERNEL(and, (i32 *out), META(eq = 1), { out[0] = eq; });
TEENY_KERNEL(packed, (i32 *teeny_launch), META(), { teeny_launch[0] = 1; });
