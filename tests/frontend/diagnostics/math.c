// What casts, selections and functions take.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, const f32 *x, const i32 *q, i32 n, f64 d, i64 w), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(x, i);
    tl_tile(i32, 32) j = tl_arange(0, 32);
    tl_exp(i);
    tl_sqrt(n);
    tl_exp(x);
    tl_maximum(i < n, i < n);
    tl_pow(i, i);
    tl_cdiv(v, v);
    tl_fdiv(i, i);
    tl_cast(f32, x);
    tl_cast(i32, out);
    tl_bitcast(f32, w);
    tl_bitcast(i16, v);
    tl_bitcast(i64, x);
    tl_where(i < n, v, i);
    tl_where(j < n, v, v);
    tl_where(v, v, v);
    tl_where(x, v, v);
});

TEENY_KERNEL(clang_sees, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(x, i);
    tl_maximum(v, i);
    tl_maximum(v, x);
    tl_fma(v, v, i);
    tl_clamp(v, i, v);
    tl_where(i < n, x, x);
});
