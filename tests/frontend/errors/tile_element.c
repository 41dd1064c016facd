#include <teeny/kernel.h>

TEENY_DECL(typedef struct { f32 x, y; } point;);

TEENY_KERNEL(fill, (f32 *out), META(), {
    tl_tile(f32, 64) x = tl_zeros(f32, 64);
    out[0] = tl_sum(tl_cast(point, x));
});
