#include <teeny/kernel.h>

TEENY_DECL(static f32 factor = 2;);

TEENY_KERNEL(scale, (f32 *out), META(), { out[0] *= factor; });
