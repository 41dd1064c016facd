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
