#include <teeny/kernel.h>

TEENY_KERNEL(no_value, (f32 *out), META(A), { out[0] = 1; });
TEENY_KERNEL(in_parentheses, (f32 *out), META((A = 1)), { out[0] = 1; });
TEENY_KERNEL(empty, (f32 *out), META(A = ), { out[0] = 1; });
TEENY_KERNEL(twice, (f32 *out), META(A = 1, A = 2), { out[0] = 1; });
TEENY_KERNEL(fraction, (f32 *out), META(A = 1.5), { out[0] = 1; });
TEENY_KERNEL(later, (f32 *out), META(A = B, B = 2), { out[0] = 1; });
TEENY_KERNEL(written_to, (f32 *out), META(A = 1), { A = 2; out[0] = 1; });
TEENY_KERNEL(dimension, (f32 *out), META(A = 48), { tl_tile(f32, A) x = tl_zeros(f32, A); });
TEENY_KERNEL(too_large, (u64 *out), META(A = 18446744073709551615u), { out[0] = A; });
TEENY_KERNEL(enumerator, (u64 *out), META(), {
    enum { SMALL = 1, LARGE = 0x80000000 };
    out[0] = LARGE;
});
