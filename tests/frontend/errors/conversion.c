#include <teeny/kernel.h>

TEENY_KERNEL(bits, (i32 *out, f32 *in), META(), { out[0] = *(i32 *)in; });
