// No kernel.
#include <teeny/kernel.h>

#if 0
TEENY_KERNEL(k, (f32 *out), META(), { out[0] = 1; });
#endif
