#include <teeny/kernel.h>

TEENY_KERNEL(bits, (i64 *out, f32 x), META(), { out[0] = tl_bitcast(i64, x); });
