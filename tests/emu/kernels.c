/* The kernels of kernels_test.c. Their lines stand in what it expects. */
#include "kernels.h"

TEENY_KERNEL(add, (f32 * out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n); /* line 6 */
});

TEENY_KERNEL(add_unmasked, (f32 * out, const f32 *x), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) more = tl_load(x, i) + 1.0f; /* line 11 */
    tl_store(out, i, more);
});

TEENY_KERNEL(last_program, (i32 * out), META(BLOCK = 1), {
    tl_store(out, 0, tl_program_id(0) * BLOCK); /* line 16 */
});

TEENY_KERNEL(two_to_one, (i32 * out), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i / 2, i); /* line 21 */
});

TEENY_KERNEL(sum_rows, (f32 * out, const f32 *x), META(ROWS = 16, COLUMNS = 256), {
    tl_tile(i32, ROWS) i = tl_arange(0, ROWS);
    tl_tile(i32, ROWS, COLUMNS) at =
        tl_expand(i, 1, COLUMNS) * COLUMNS + tl_expand(tl_arange(0, COLUMNS), 0, ROWS);
    tl_store(out, i, tl_sum(tl_load(x, at), 1, ROWS)); /* line 28 */
});

TEENY_KERNEL(move_up, (i32 * x), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(x, i + 1, tl_load(x, i)); /* line 33 */
});

TEENY_KERNEL(multiply, (f32 *c, const f16 *a, const f16 *b), META(SIZE = 32), {
    tl_tile(i32, SIZE) i = tl_arange(0, SIZE);
    tl_tile(i32, SIZE, SIZE) at = tl_expand(i, 1, SIZE) * SIZE + tl_expand(i, 0, SIZE);
    tl_store(
        c, at, tl_dot(tl_load(a, at), tl_load(b, at), tl_zeros(f32, SIZE, SIZE))); /* line 40 */
});

/* Rows of `n` elements for a, of SIZE for b: with several rounds, loads run ahead of them. */
TEENY_KERNEL(multiply_long, (f32 * c, const f16 *a, const f16 *b, i32 n), META(SIZE = 32), {
    tl_tile(i32, SIZE) i = tl_arange(0, SIZE);
    tl_tile(i32, SIZE, SIZE) at = tl_expand(i, 1, SIZE) * SIZE + tl_expand(i, 0, SIZE);
    tl_tile(f32, SIZE, SIZE) sum = tl_zeros(f32, SIZE, SIZE);
    for (i32 k = 0; k < n; k += SIZE)
        sum = tl_dot(tl_load(a + k * SIZE, at), tl_load(b + k * SIZE, at), sum);
    tl_store(c, at, sum);
});

TEENY_KERNEL(one_value, (i32 * out), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i / 2, tl_full(i32, 7, BLOCK)); /* line 55 */
});

TEENY_KERNEL(divide, (i32 * out, const i32 *x, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i) / n);
});
