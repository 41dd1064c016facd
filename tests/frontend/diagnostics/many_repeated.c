// An error of a helper is shown once, however many kernels there are.
#include <teeny/kernel.h>

TEENY_DEVICE(f32, helper, (f32 x), { return x + missing; });
TEENY_KERNEL(k0, (f32 *out), META(), { out[0] = helper(0); });
TEENY_KERNEL(k1, (f32 *out), META(), { out[0] = helper(1); });
TEENY_KERNEL(k2, (f32 *out), META(), { out[0] = helper(2); });
TEENY_KERNEL(k3, (f32 *out), META(), { out[0] = helper(3); });
TEENY_KERNEL(k4, (f32 *out), META(), { out[0] = helper(4); });
TEENY_KERNEL(k5, (f32 *out), META(), { out[0] = helper(5); });
TEENY_KERNEL(k6, (f32 *out), META(), { out[0] = helper(6); });
TEENY_KERNEL(k7, (f32 *out), META(), { out[0] = helper(7); });
TEENY_KERNEL(k8, (f32 *out), META(), { out[0] = helper(8); });
TEENY_KERNEL(k9, (f32 *out), META(), { out[0] = helper(9); });
TEENY_KERNEL(k10, (f32 *out), META(), { out[0] = helper(10); });
TEENY_KERNEL(k11, (f32 *out), META(), { out[0] = helper(11); });
TEENY_KERNEL(k12, (f32 *out), META(), { out[0] = helper(12); });
TEENY_KERNEL(k13, (f32 *out), META(), { out[0] = helper(13); });
TEENY_KERNEL(k14, (f32 *out), META(), { out[0] = helper(14); });
TEENY_KERNEL(k15, (f32 *out), META(), { out[0] = helper(15); });
TEENY_KERNEL(k16, (f32 *out), META(), { out[0] = helper(16); });
TEENY_KERNEL(k17, (f32 *out), META(), { out[0] = helper(17); });
TEENY_KERNEL(k18, (f32 *out), META(), { out[0] = helper(18); });
TEENY_KERNEL(k19, (f32 *out), META(), { out[0] = helper(19); });
TEENY_KERNEL(k20, (f32 *out), META(), { out[0] = helper(20); });
TEENY_KERNEL(k21, (f32 *out), META(), { out[0] = helper(21); });
TEENY_KERNEL(k22, (f32 *out), META(), { out[0] = helper(22); });
TEENY_KERNEL(k23, (f32 *out), META(), { out[0] = helper(23); });
TEENY_KERNEL(k24, (f32 *out), META(), { out[0] = helper(24); });
