#include <teeny/kernel.h>

TEENY_KERNEL(add, (f32 *out, const f32 *x, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) v = tl_load(x, i, i < n);
    tl_store(out, i, v + 1.0f, i < n);
});

TEENY_KERNEL(turned, (f32 *out, const f32 *x, i32 n), META(SIZE = 64), {
    tl_tile(i32, SIZE) i = tl_arange(0, SIZE);
    tl_tile(i32, SIZE, SIZE) row = tl_expand(i, 1, SIZE);
    tl_tile(i32, SIZE, SIZE) column = tl_expand(i, 0, SIZE);
    tl_tile(f32, SIZE, SIZE) v = tl_load(x, row * n + column);
    tl_store(out, column * n + row, v);
    out[SIZE * n] = tl_sum(v);
});

TEENY_KERNEL(wrapped, (f32 *x, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(i32, BLOCK) at = i % 4096;
    tl_store(x, i, tl_load(x, at));
});

TEENY_KERNEL(product, (f32 *out, const f16 *a, const f16 *b), META(SIZE = 64, STEP = 32), {
    tl_tile(i32, SIZE) i = tl_arange(0, SIZE);
    tl_tile(i32, STEP) k = tl_arange(0, STEP);
    tl_tile(f32, SIZE, SIZE) sum = tl_zeros(f32, SIZE, SIZE);
    for (i32 at = 0; at < 1024; at += STEP) {
        tl_tile(f16, SIZE, STEP) x = tl_load(a, tl_expand(i, 1, STEP) * 1024 + tl_expand(k + at, 0, SIZE));
        tl_tile(f16, STEP, SIZE) y = tl_load(b, tl_expand(k + at, 1, SIZE) * SIZE + tl_expand(i, 0, STEP));
        sum = tl_dot(x, y, sum);
    }
    tl_store(out, tl_expand(i, 1, SIZE) * SIZE + tl_expand(i, 0, SIZE), sum);
});

TEENY_KERNEL(rows, (f32 *out, const f32 *x), META(ROWS = 128, COLUMNS = 64), {
    tl_tile(i32, ROWS, COLUMNS) row = tl_expand(tl_arange(0, ROWS), 1, COLUMNS);
    tl_tile(i32, COLUMNS) column = tl_arange(0, COLUMNS);
    tl_tile(f32, ROWS, COLUMNS) v = tl_load(x, row * COLUMNS + tl_expand(column, 0, ROWS));
    tl_store(out, column, tl_sum(v, 0, COLUMNS));
});
