/* The kernels of cases.h. */
#include <teeny/kernel.h>

#include "cases.h"

TEENY_KERNEL(add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 4096), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

/* For rows of up to 4096 elements, and of up to 1024. */
TEENY_KERNEL(softmax, (f32 *out, const f32 *x, i32 n), META(BLOCK = 4096), {
    i32 row = tl_program_id(0);
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x + row * n, i, i < n, -INFINITY);
    tl_tile(f32, BLOCK) e = tl_exp(v - tl_max(v));
    tl_store(out + row * n, i, e / tl_sum(e), i < n);
});

TEENY_KERNEL(layernorm, (f32 *out, const f32 *x, const f32 *w, const f32 *b, i32 n), META(BLOCK = 4096), {
    i32 row = tl_program_id(0);
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x + row * n, i, i < n);
    f32 mean = tl_sum(v) / (f32)n;
    tl_tile(f32, BLOCK) d = tl_where(i < n, v - mean, 0.0f);
    f32 scale = 1.0f / tl_sqrt(tl_sum(d * d) / (f32)n + 1e-5f);
    tl_store(out + row * n, i, d * scale * tl_load(w, i, i < n) + tl_load(b, i, i < n), i < n);
});

TEENY_KERNEL(softmax_short, (f32 *out, const f32 *x, i32 n), META(BLOCK = 1024), {
    i32 row = tl_program_id(0);
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x + row * n, i, i < n, -INFINITY);
    tl_tile(f32, BLOCK) e = tl_exp(v - tl_max(v));
    tl_store(out + row * n, i, e / tl_sum(e), i < n);
});

TEENY_KERNEL(layernorm_short, (f32 *out, const f32 *x, const f32 *w, const f32 *b, i32 n), META(BLOCK = 1024), {
    i32 row = tl_program_id(0);
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x + row * n, i, i < n);
    f32 mean = tl_sum(v) / (f32)n;
    tl_tile(f32, BLOCK) d = tl_where(i < n, v - mean, 0.0f);
    f32 scale = 1.0f / tl_sqrt(tl_sum(d * d) / (f32)n + 1e-5f);
    tl_store(out + row * n, i, d * scale * tl_load(w, i, i < n) + tl_load(b, i, i < n), i < n);
});

TEENY_KERNEL(matmul, (f32 *out, const f32 *a, const f32 *b, i32 rows, i32 columns, i32 inner),
    META(BM = 128, BN = 128, BK = 128), {
    tl_tile(i32, BM) i = tl_program_id(0) * BM + tl_arange(0, BM);
    tl_tile(i32, BN) j = tl_program_id(1) * BN + tl_arange(0, BN);
    tl_tile(i32, BK) k = tl_arange(0, BK);
    tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
    for (i32 first = 0; first < inner; first += BK) {
        tl_tile(i32, BM, BK) ia = tl_expand(i, 1, BK);
        tl_tile(i32, BM, BK) ka = tl_expand(k + first, 0, BM);
        tl_tile(i32, BK, BN) kb = tl_expand(k + first, 1, BN);
        tl_tile(i32, BK, BN) jb = tl_expand(j, 0, BK);
        tl_tile(f32, BM, BK) ta = tl_load(a, ia * inner + ka, (ia < rows) & (ka < inner));
        tl_tile(f32, BK, BN) tb = tl_load(b, kb * columns + jb, (kb < inner) & (jb < columns));
        sum = tl_dot(ta, tb, sum);
    }
    tl_tile(i32, BM, BN) io = tl_expand(i, 1, BN);
    tl_tile(i32, BM, BN) jo = tl_expand(j, 0, BM);
    tl_store(out, io * columns + jo, sum, (io < rows) & (jo < columns));
});

teeny_status launch_add(teeny_stream *stream, struct size size, struct memory m)
{
    int n = size.rows * size.columns;
    return TEENY_LAUNCH(add, stream, teeny_grid1((n + 4095) / 4096), m.out, m.x, m.y, n);
}

teeny_status launch_softmax(teeny_stream *stream, struct size size, struct memory m)
{
    teeny_grid grid = teeny_grid1(size.rows);
    if (size.columns <= 1024)
        return TEENY_LAUNCH(softmax_short, stream, grid, m.out, m.x, size.columns);
    return TEENY_LAUNCH(softmax, stream, grid, m.out, m.x, size.columns);
}

teeny_status launch_layernorm(teeny_stream *stream, struct size size, struct memory m)
{
    teeny_grid grid = teeny_grid1(size.rows);
    if (size.columns <= 1024)
        return TEENY_LAUNCH(layernorm_short, stream, grid, m.out, m.x, m.y, m.z, size.columns);
    return TEENY_LAUNCH(layernorm, stream, grid, m.out, m.x, m.y, m.z, size.columns);
}

teeny_status launch_matmul(teeny_stream *stream, struct size size, struct memory m)
{
    teeny_grid grid = teeny_grid2((size.rows + 127) / 128, (size.columns + 127) / 128);
    return TEENY_LAUNCH(
        matmul, stream, grid, m.out, m.x, m.y, size.rows, size.columns, size.inner);
}
