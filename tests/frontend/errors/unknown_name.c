#include <teeny/kernel.h>

static const float factor = 2;

TEENY_KERNEL(scale, (f32 *out), META(), { out[0] *= factor; });
