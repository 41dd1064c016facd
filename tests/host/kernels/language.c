/* What the language has besides element types: declarations, helpers, types of the file, statements,
 * nested operations, masks and many parameters. */
#include <teeny/kernel.h>

TEENY_DECL(enum { TILE = 64, HALF = TILE / 2 }; enum mode { UP, DOWN };);
TEENY_TYPE(T, f16);
TEENY_TYPE(Index, i32);
TEENY_DEVICE(f32, plus, (f32 x, f32 y), { return x + y; });
TEENY_DEVICE(tl_tile(f32, TILE), doubled, (tl_tile(f32, TILE) x), { return x + x; });
TEENY_DEVICE(void, put, (f32 * p, i32 at, f32 x), { p[at] = x; });

TEENY_KERNEL(typed, (T *out, const T *x, Index *at, i32 n), META(BLOCK = TILE, QUARTER = BLOCK / 4), {
    tl_tile(Index, BLOCK) i = tl_load(at, tl_arange(0, BLOCK));
    tl_tile(T, BLOCK) v = tl_load(x, i, i < n, -INFINITY);
    tl_store(out, i, v * (T)0.5f, i < QUARTER);
});

TEENY_KERNEL(helped, (f32 *out, const f32 *x, enum mode mode), META(), {
    put(out, 0, plus(plus(x[0], x[1]), plus(x[2], mode == DOWN)));
    tl_tile(i32, TILE) i = tl_arange(0, TILE);
    tl_store(out, i, doubled(doubled(tl_load(x, i))));
});

TEENY_KERNEL(nested, (f32 *out, const f32 *x, const i32 *at), META(), {
    tl_tile(i32, TILE) i = tl_arange(0, TILE);
    tl_store(out, tl_load(at, tl_load(at, tl_load(at, i))),
        tl_load(x, tl_load(at, i), tl_load(at, i) < tl_load(at, i + TILE), tl_load(x, 0)) +
            tl_full(f32, tl_load(x, tl_load(at, 3)), TILE),
        (tl_load(x, i) > 0.0f) & ~(tl_load(at, i) == 3));
});

TEENY_KERNEL(control, (f32 *out, i32 n), META(STEPS = 4), {
    f32 sum = 0;
    for (i32 i = 0; i < n; i += STEPS) {
        if (i % 3 == 0)
            continue;
        switch (i & 3) {
        case 0:
            sum += 1;
            break;
        default:
            sum -= 1;
        }
    }
    while (n-- > 0)
        sum *= 2;
    do {
        sum += n ? 1 : 2;
    } while (sum < 3 && n != 7);
    out[tl_program_id(0) + tl_num_programs(1)] = sum;
});

TEENY_KERNEL(ranks, (f32 *out, f32 f), META(), {
    tl_tile(f32, 2, 4, 2, 4, 2) a = tl_full(f32, f, 2, 4, 2, 4, 2);
    tl_store(out, tl_full(i32, 0, 2, 4, 2, 4, 2), a * a);
});

TEENY_KERNEL(many, (f32 *a, f32 *b, f32 *c, f32 *d, f32 *e, f32 *f, f32 *g, f32 *h, i32 i, i32 j, i32 k,
                   i32 l, i64 m, i64 n, i64 o, i64 p, u8 q, u8 r, u16 s, u16 t, bool u, bool v, f64 w,
                   f64 x, const f32 *y, const f32 *z, const i32 *aa, const i32 *bb, f32 cc, f32 dd,
                   bf16 ee, f8e4m3 ff), META(), {
    a[i + j + k + l] = b[m] + c[n] + d[o] + e[p] + f[q] + g[r] + h[s] + y[t] + z[0] + cc + dd;
    a[0] = (f32)(w + x + aa[0] + bb[0] + u + v);
    (void)ee, (void)ff;
});

TEENY_KERNEL(text, (f32 *out), META(), {
    /* comments, "quotes' in them, and // others */
    out[0] = 'a' + '\'' + '"' + sizeof("a \" b \\"); // to the end of the line
    out[1] = 0x1p3f + 1.5e-3f + 07;
});
