// What the operations check themselves.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, const f32 *x, const i32 *q, f32 f, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(x, i);
    tl_store(x, i, v);
    tl_store(out, i, i);
    tl_store(out, i, f);
    tl_store(out, i, tl_zeros(f32, 32));
    tl_store(out, i, v, n);
    tl_store(out, i, v, tl_arange(0, 32) < n);
    tl_store(out, i, v, v);
    tl_store(out, i, v, out);
    tl_store(out, 0, out);
    tl_store(out, v, v);
    tl_store(out, out, v);
    tl_store(out, out, f);
    tl_load(x, i, v);
    tl_load(x, i, i < n, v);
    tl_load(x, i, i < n, x);
    tl_full(f32, v, 64);
    tl_full(f32, out, 64);
    tl_load(x, 0, i < n);
});
