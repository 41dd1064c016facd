// Tiles that differ in element, shape or sign; what clang sees is not what teenyc does.
#include <teeny/kernel.h>

TEENY_DECL(enum { N = 64 };);
TEENY_DEVICE(tl_tile(f32, N), flat, (tl_tile(f32, N) x), { return x; });
TEENY_DEVICE(tl_tile(f32, N), flattened, (tl_tile(f32, 8, 8) x), { return x; });

TEENY_KERNEL(clang_sees, (f32 *out, const f32 *x, const i32 *q, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = i;
    tl_tile(f32, 32) w = tl_load(x, i);
    v = v + tl_load(q, i);
    v = v * n;
    v = v * 0.1;
    v = 1.0f;
    n = i;
    v = v && v;
    v = !v;
    v = n ? v : 1;
    if (v < 0) n = 1;
});

TEENY_KERNEL(teenyc_sees, (f32 *out, const u32 *u, i32 n, f32 f, bool flag), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(u32, 64) k = tl_load(u, i);
    tl_tile(f32, 64) v = tl_load(out, i);
    tl_tile(f32, 8, 8) square = v;
    tl_tile(f32, 8, 8) late;
    late = v;
    v = flat(tl_zeros(f32, 8, 8));
    v = flattened(tl_zeros(f32, 8, 8));
    tl_store(out, i, v + tl_zeros(f32, 8, 8));
    tl_tile(i32, 64) j = k;
    j = i + k;
    j = i * f;
    j = i * 0.5f;
    __auto_type m = i < n;
    m = m & flag;
    m = m | 1;
    m = i;
    f = v[0];
    v[1] = f;
});
