#include <teeny/kernel.h>

TEENY_KERNEL(clang_sees, (f32 *out, const f32 *x, i32 n), META(), {
    x[0] = 1;
    *x = 2;
    out = x;
    out = n;
    i32 *q = out;
    n = out;
    n[0] = 1;
});
TEENY_KERNEL(teenyc_sees, (f32 *out, const f32 *x, i32 n), META(), {
    i64 distance = out - x;
    n = out == x;
    n = !out;
    f32 *p = (f32 *)x;
    i32 *q = (i32 *)out;
    f32 **pp = &out;
});
