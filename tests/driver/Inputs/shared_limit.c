#include <teeny/kernel.h>

// Partial results of all warps, a value and its index each.
TEENY_KERNEL(reduction, (i32 *out, const f32 *in), META(A = 16, B = 4, C = 128), {
    tl_tile(i32, A, B, C) a = tl_broadcast_to(tl_reshape(tl_arange(0, A), A, 1, 1), A, B, C);
    tl_tile(i32, A, B, C) b = tl_broadcast_to(tl_reshape(tl_arange(0, B), 1, B, 1), A, B, C);
    tl_tile(i32, A, B, C) c = tl_broadcast_to(tl_reshape(tl_arange(0, C), 1, 1, C), A, B, C);
    tl_tile(f32, A, B, C) x = tl_load(in, (a * B + b) * C + c);
    tl_tile(i32, A, C) at = tl_expand(tl_arange(0, A), 1, C) * C + tl_expand(tl_arange(0, C), 0, A);
    tl_store(out, at, tl_argmax(x, 1, A, C));
});

// A transposition.
TEENY_KERNEL(conversion, (f64 *out, const f64 *in), META(ROWS = 64, COLUMNS = 64), {
    tl_tile(i32, ROWS, COLUMNS) row = tl_expand(tl_arange(0, ROWS), 1, COLUMNS);
    tl_tile(i32, ROWS, COLUMNS) column = tl_expand(tl_arange(0, COLUMNS), 0, ROWS);
    tl_tile(f64, ROWS, COLUMNS) x = tl_load(in, row * COLUMNS + column);
    tl_store(out, column * ROWS + row, x);
});

// A product without tensor cores, whose factors are kept. REPEAT is no size.
TEENY_KERNEL(product, (f32 *out, const f32 *in), META(REPEAT = 4, M = 64, K = 64), {
    tl_tile(i32, M) i = tl_arange(0, M);
    tl_tile(i32, K) k = tl_arange(0, K);
    tl_tile(f32, M, K) x = tl_load(in, tl_expand(i, 1, K) * K + tl_expand(k, 0, M));
    tl_tile(f32, M, M) sum = tl_zeros(f32, M, M);
    for (i32 r = 0; r < REPEAT; r++)
        sum = tl_dot(x, tl_trans(x), sum);
    tl_store(out, tl_expand(i, 1, M) * M + tl_expand(i, 0, M), sum);
});

// Tiles of several rounds at once.
TEENY_KERNEL(loop, (f32 *out, const f16 *a, const f16 *b, i32 k), META(BM = 64, BN = 64, BK = 64), {
    tl_tile(i32, BM) i = tl_arange(0, BM);
    tl_tile(i32, BN) j = tl_arange(0, BN);
    tl_tile(i32, BK) l = tl_arange(0, BK);
    tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
    for (i32 at = 0; at < k; at += BK) {
        tl_tile(f16, BM, BK) x = tl_load(a, tl_expand(i, 1, BK) * k + tl_expand(l, 0, BM) + at);
        tl_tile(f16, BK, BN) y = tl_load(b, tl_expand(l + at, 1, BN) * BN + tl_expand(j, 0, BK));
        sum = tl_dot(x, y, sum);
    }
    tl_store(out, tl_expand(i, 1, BN) * BN + tl_expand(j, 0, BM), sum);
});

// A transposition again: REPEAT changes nothing of what it needs.
TEENY_KERNEL(scaled, (f64 *out, const f64 *in), META(ROWS = 64, REPEAT = 1024), {
    tl_tile(i32, ROWS, 256) row = tl_expand(tl_arange(0, ROWS), 1, 256);
    tl_tile(i32, ROWS, 256) column = tl_expand(tl_arange(0, 256), 0, ROWS);
    tl_tile(f64, ROWS, 256) x = tl_load(in, row * 256 + column);
    tl_store(out, column * ROWS + row, x * REPEAT);
});
