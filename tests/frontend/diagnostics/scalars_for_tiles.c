// Scalars where an operation takes tiles.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, i32 n), META(B = 64), {
    out[0] = tl_max(n);
    out[1] = tl_sum(n);
    tl_store(out, tl_arange(0, B), tl_cast(f32, tl_expand(n, 0, B)));
    out[2] = n[3];
});
