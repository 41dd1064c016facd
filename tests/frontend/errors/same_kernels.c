#include <teeny/kernel.h>

TEENY_KERNEL(copy, (f32 *out, const f32 *in), META(), { out[0] = in[0]; });
TEENY_KERNEL(copy, (i32 *out, const i32 *in), META(), { out[0] = in[0]; });
// teenyc: same_kernels.c --kernel copy --target cpu --emit ttir
