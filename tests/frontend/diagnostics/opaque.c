// bf16 scalars, and f8 in any shape, are loaded, stored and cast.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (bf16 *h, f8e4m3 *a, f8e5m2 *b, f32 *out, bf16 s, f32 f), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    out[0] = s;
    h[0] = f;
    h[1] = 1.0f;
    s = s + s;
    s = -s;
    out[1] = s < s;
    tl_tile(f8e4m3, 64) x = tl_load(a, i);
    x = x + x;
    x = x * 2;
    tl_tile(f8e5m2, 64) y = tl_load(b, i);
    y = -y;
    tl_store(b, i, y, y > y);
    tl_store(h, 0, 1.5f);
});
