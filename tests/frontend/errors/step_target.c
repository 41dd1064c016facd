#include <teeny/kernel.h>

TEENY_KERNEL(step, (tl_tensor(f32, 1) out), META(), { out.base++; });
