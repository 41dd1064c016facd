/* Loads, stores, scalar memory and blocks of tensors as kernels. */
#include <teeny/kernel.h>

TEENY_TYPE(T, i32);

/* Without a mask: all n elements are whole tiles. */
TEENY_KERNEL(copy_whole, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i));
    out[n + tl_program_id(0)] = tl_load(x, n - 1);
});

/* Lanes masked off give 0, and are not written. */
TEENY_KERNEL(copy_masked, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) v = tl_load(x, i, (i < n) & (i % 3 != 0));
    tl_store(out, i, v, (i < n) & (i % 5 != 0));
});

/* Flags change no result. */
TEENY_KERNEL(copy_cached, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) v = tl_load(x, i, (i < n) & (i % 3 != 0), 0, TL_CACHE_CG | TL_EVICT_FIRST);
    tl_store(out, i, v, (i < n) & (i % 5 != 0), TL_CACHE_WT);
});

TEENY_KERNEL(copy_volatile, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) v = tl_load(x, i, (i < n) & (i % 3 != 0), 0, TL_VOLATILE);
    tl_store(out, i, v, (i < n) & (i % 5 != 0), TL_CACHE_CS | TL_EVICT_LAST);
});

/* `other` of the element type, and as a constant. */
TEENY_KERNEL(copy_other, (T *out, const T *x, const T *y, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, (i < n) & (i % 3 != 0), y[0]), i < n);
    tl_store(out + n, i, tl_load(x, i, (i < n) & (i % 3 != 0), 1), i < n);
});

/* Through indices: backwards, in strides, and scattered by an odd factor; of 64 bits as well. */
TEENY_KERNEL(copy_gathered, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, n - 1 - i, i < n), i < n);
    tl_store(out + n, i, tl_load(x, i * 3, i * 3 < n), i < n);
    tl_tile(i64, BLOCK) far = tl_cast(i64, i) * 7 % n;
    tl_store(out + 2 * n, far, tl_load(x, i, i < n), i < n);
    tl_store(out + 3 * n, tl_cast(u32, i), tl_load(x + (n - 1), -i, i < n), i < n);
});

/* A later load sees an earlier store, whatever lanes made it. */
TEENY_KERNEL(copy_in_order, (T *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    T *mine = out + tl_program_id(0) * BLOCK;
    tl_store(mine, i, tl_load(x + tl_program_id(0) * n, i, i < n));
    tl_tile(T, BLOCK) reversed = tl_load(mine, BLOCK - 1 - i);
    tl_store(mine, i, reversed);
    tl_tile(T, BLOCK) turned = tl_load(mine, (i + 1) % BLOCK);
    tl_store(mine, i, turned);
});

/* p[i] of a scalar: loaded, stored, through moved pointers, and by masked loads of one element. */
TEENY_KERNEL(copy_scalars, (T *out, const T *x, i32 n), META(), {
    i32 begin = tl_program_id(0) * 32;
    for (i32 i = begin; i < begin + 32 && i < n; i++) {
        out[i] = x[n - 1 - i];
        const T *p = x + i;
        T *q = out + n;
        q += i;
        *q = *p;
        tl_store(out + 2 * n, i, tl_load(x, i, i % 3 != 0), i % 5 != 0);
    }
});

/* A block at (row, column) of a tensor with fewer rows and columns than blocks have. */
TEENY_KERNEL(copy_block, (tl_tensor(T, 2) out, const tl_tensor(T, 2) in, i32 row, i32 column),
    META(BLOCK = 16, B = BLOCK / 4), {
    tl_store_block(out, (row, column), tl_load_block(in, (row, column), (4, B)));
});

TEENY_KERNEL(copy_padded, (T *whole, const tl_tensor(T, 2) in, i32 row, i32 column),
    META(BLOCK = 16, B = BLOCK / 4), {
    tl_tile(i32, 4, B) at = tl_reshape(tl_arange(0, BLOCK), 4, B);
    tl_store(whole, at, tl_load_block(in, (row, column), (4, B)));
});

TEENY_KERNEL(copy_padded_nan, (T *whole, const tl_tensor(T, 2) in, i32 row, i32 column),
    META(BLOCK = 16, B = BLOCK / 4), {
    tl_tile(i32, 4, B) at = tl_reshape(tl_arange(0, BLOCK), 4, B);
    tl_store(whole, at, tl_load_block(in, (row, column), (4, B), TL_PAD_NAN));
});

TEENY_KERNEL(copy_line, (tl_tensor(T, 1) out, const tl_tensor(T, 1) in), META(BLOCK = 16), {
    i32 at = tl_program_id(0) * BLOCK;
    tl_store_block(out, (at), tl_load_block(in, (at), (BLOCK)));
});

TEENY_KERNEL(copy_cube, (tl_tensor(T, 3) out, const tl_tensor(T, 3) in),
    META(BLOCK = 16, B = BLOCK / 8), {
    i32 at = tl_program_id(0);
    tl_store_block(out, (at * 2, 0, 0), tl_load_block(in, (at * 2, 0, 0), (2, 4, B)));
});
