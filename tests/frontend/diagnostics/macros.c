// How the capture macros are written.
#include <teeny/kernel.h>

TEENY_KERNEL(no_meta, (f32 *out), { out[0] = 1; });
TEENY_KERNEL(no_body, (f32 *out), META());
TEENY_KERNEL(two words, (f32 *out), META(), { out[0] = 1; });
TEENY_KERNEL(, (f32 *out), META(), { out[0] = 1; });
TEENY_KERNEL(no_parentheses, f32 *out, META(), { out[0] = 1; });
TEENY_KERNEL(two_lists, (f32 *out) (i32 n), META(), { out[0] = 1; });
TEENY_KERNEL(bare_meta, (f32 *out), META, { out[0] = 1; });
TEENY_KERNEL(two_metas, (f32 *out), META(A = 1)(B = 2), { out[0] = 1; });
TEENY_DEVICE(f32, no_parameters);
TEENY_DEVICE(f32, 3, (f32 x), { return x; });
TEENY_TYPE(T);
TEENY_TYPE(2, f32);
