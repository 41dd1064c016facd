// What uses a value that had an error says nothing more: one error a line.
#include <teeny/kernel.h>

TEENY_DEVICE(f32, wrong, (f32 a, f32 b), { return __builtin_trap(), a + b; });

TEENY_KERNEL(operations, (f32 *out, const f32 *x, tl_tensor(f32, 1) A, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(x, i);
    tl_exp(v[0]);
    tl_abs(v[1]);
    tl_maximum(v[2], 1.0f);
    tl_clamp(v[3], 1.0f, 2.0f);
    tl_cdiv(n, (i32)v[4]);
    tl_mask(i + (i32)v[5] < i);
    tl_sum(v * v[6]);
    tl_trans(v * v[7]);
    tl_reshape(tl_permute(tl_reshape(v * v[8], 8, 8), 1, 0), 64);
    tl_store_block(A, ((i32)v[9]), v);
    tl_store_block(A, (0), v * v[10]);
    tl_pow(v[11], v);
    tl_argmax(v * v[12]);
    tl_reduce(v, wrong);
});
TEENY_KERNEL(statements, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(f32, 64) v = tl_zeros(f32, 64);
    out[(i32)v[0]] = 1;
    out[(i32)v[1]]++;
    while (v[2] > 0)
        n++;
    for (i32 k = 0; k < n; k++)
        if (v[3] > 0)
            break;
    do
        n = (i32)v[4];
    while (n);
    switch ((i32)v[5]) {
    case 1:
        n = 1;
    }
    n = v[6] > 0 ? 1 : 2;
    n = n ? (i32)v[7] : n++;
    f32 unset;
    if (n)
        unset = v[8];
    bool b = (bool)(x + (i32)v[9]);
    (void)({});
    out[0] = ({ n++; { n--; } 1.0f; });
});
TEENY_KERNEL(pointers, (f32 *out, const f32 *x, i32 n), META(), {
    const f32 *p;
    if (n)
        p = x;
    bool has = p;
    out[0] = has;
    out[1] = (f32)({ while (n--) ; });
});
