/* Creation and shapes as kernels. Tiles are [A, B] with A = 4 and A * B = BLOCK. */
#include <teeny/kernel.h>

TEENY_TYPE(T, i32);
TEENY_DECL(enum { A = 4 };);

TEENY_KERNEL(arange_rows, (T *out), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_arange(0, BLOCK));
    tl_store(out + BLOCK, i, tl_arange(-3, BLOCK - 3));
    tl_store(out + 2 * BLOCK, i, tl_arange(BLOCK, 2 * BLOCK));
});

TEENY_KERNEL(zeros_rows, (T *out, i32 n), META(BLOCK = 16, B = BLOCK / A), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_zeros(T, BLOCK), i < n);
    tl_tile(i32, A, B) at = tl_reshape(i, A, B);
    tl_store(out + n, at, tl_zeros(T, A, B), at < n);
});

/* Of a scalar that is loaded, and of a constant. */
TEENY_KERNEL(full_rows, (T *out, const T *x, i32 n), META(BLOCK = 16, B = BLOCK / A), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_full(T, x[tl_program_id(0) % n], BLOCK), i < n);
    tl_tile(i32, A, B) at = tl_reshape(i, A, B);
    tl_store(out + n, at, tl_full(T, 1, A, B), at < n);
});

TEENY_KERNEL(expand_rows, (T *out, const T *x, i32 n), META(BLOCK = 16, B = BLOCK / A), {
    tl_tile(i32, B) column = tl_arange(0, B);
    tl_tile(i32, A, B) at = tl_reshape(tl_arange(0, BLOCK), A, B);
    tl_tile(i32, B, A) turned = tl_reshape(tl_arange(0, BLOCK), B, A);
    tl_tile(T, B) v = tl_load(x, column, column < n);
    tl_store(out, at, tl_expand(v, 0, A));
    tl_store(out + BLOCK, turned, tl_expand(v, 1, A));
    tl_tile(i32, 2, A, B) deep = tl_reshape(tl_arange(0, 2 * BLOCK), 2, A, B);
    tl_store(out + 2 * BLOCK, deep, tl_expand(tl_expand(v, 0, A), 0, 2));
});

TEENY_KERNEL(expand_dims_rows, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) v = tl_load(x, i, i < n);
    tl_tile(i32, BLOCK, 1) high = tl_expand_dims(i, 1);
    tl_tile(i32, 1, BLOCK) wide = tl_expand_dims(i, 0);
    tl_store(out, high, tl_expand_dims(v, 1));
    tl_store(out + BLOCK, wide, tl_expand_dims(v, 0));
    tl_store(out + 2 * BLOCK, tl_expand_dims(wide, 1), tl_expand_dims(tl_expand_dims(v, 0), 1));
});

TEENY_KERNEL(broadcast_to_rows, (T *out, const T *x, i32 n), META(BLOCK = 16, B = BLOCK / A), {
    tl_tile(i32, B) column = tl_arange(0, B);
    tl_tile(i32, A, B) at = tl_reshape(tl_arange(0, BLOCK), A, B);
    tl_tile(i32, B, A) turned = tl_reshape(tl_arange(0, BLOCK), B, A);
    tl_tile(T, B) v = tl_load(x, column, column < n);
    tl_store(out, at, tl_broadcast_to(tl_reshape(v, 1, B), A, B));
    tl_store(out + BLOCK, turned, tl_broadcast_to(tl_reshape(v, B, 1), B, A));
    tl_store(out + 2 * BLOCK, at, tl_broadcast_to(x[0], A, B));
});

TEENY_KERNEL(reshape_rows, (T *out, const T *x, i32 n),
    META(BLOCK = 16, B = BLOCK / A, C = BLOCK / 8), {
    tl_tile(i32, A, B) at = tl_reshape(tl_arange(0, BLOCK), A, B);
    tl_tile(T, A, B) v = tl_load(x, at, at < n);
    tl_store(out, tl_reshape(tl_arange(0, BLOCK), B, A), tl_reshape(v, B, A));
    tl_store(out + BLOCK, tl_reshape(tl_arange(0, BLOCK), 2, C, 4), tl_reshape(v, 2, C, 4));
    tl_store(out + 2 * BLOCK, tl_arange(0, BLOCK), tl_reshape(v, BLOCK));
});

TEENY_KERNEL(trans_rows, (T *out, const T *x, i32 n),
    META(BLOCK = 16, B = BLOCK / A, C = BLOCK / 8), {
    tl_tile(i32, A, B) at = tl_reshape(tl_arange(0, BLOCK), A, B);
    tl_tile(T, A, B) v = tl_load(x, at, at < n);
    tl_store(out, tl_reshape(tl_arange(0, BLOCK), B, A), tl_trans(v));
    tl_store(out + BLOCK, at, tl_trans(tl_trans(v)));
    tl_tile(i32, 2, C, 4) deep = tl_reshape(tl_arange(0, BLOCK), 2, C, 4);
    tl_tile(T, 2, C, 4) w = tl_load(x, deep, deep < n);
    tl_store(out + 2 * BLOCK, tl_reshape(tl_arange(0, BLOCK), 2, 4, C), tl_trans(w));
});

TEENY_KERNEL(permute_rows, (T *out, const T *x, i32 n), META(BLOCK = 16, C = BLOCK / 8), {
    tl_tile(i32, 2, C, 4) at = tl_reshape(tl_arange(0, BLOCK), 2, C, 4);
    tl_tile(T, 2, C, 4) v = tl_load(x, at, at < n);
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, tl_reshape(i, 4, 2, C), tl_permute(v, 2, 0, 1));
    tl_store(out + BLOCK, tl_reshape(i, C, 4, 2), tl_permute(v, 1, 2, 0));
    tl_store(out + 2 * BLOCK, tl_reshape(i, C, 2, 4), tl_permute(v, 1, 0, 2));
});

TEENY_KERNEL(ranks_rows, (T *out, const T *x, i32 n),
    META(BLOCK = 16, C = BLOCK / 16, D = BLOCK / 8), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(i32, 2, 2, C, 2, 2) at = tl_reshape(i, 2, 2, C, 2, 2);
    tl_tile(T, 2, 2, C, 2, 2) v = tl_load(x, at, at < n);
    tl_store(out, at, v);
    tl_store(out + BLOCK, tl_reshape(i, 2, C, 2, 2, 2), tl_permute(v, 4, 2, 0, 1, 3));
    tl_tile(i32, 2, 2, D, 2) four = tl_reshape(i, 2, 2, D, 2);
    tl_tile(T, 2, 2, D, 2) w = tl_load(x, four, four < n);
    tl_store(out + 2 * BLOCK, tl_reshape(i, 2, 2, 2, D), tl_trans(w));
});
