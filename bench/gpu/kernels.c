/* The kernels of bench.py, as a user would write them: element types and sizes come from it.
 * Quotients are the fast ones, as they are in Triton. */
#include "kernels.h"

#include <teeny/kernel.h>

TEENY_TYPE(T, f32);

TEENY_KERNEL(add, (T *out, const T *x, const T *y, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

TEENY_KERNEL(softmax, (T *out, const T *in, i32 stride, i32 columns), META(BLOCK = 1024), {
    const i32 first = tl_program_id(0) * stride;
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_cast(f32, tl_load(in + first, i, i < columns, -INFINITY));
    tl_tile(f32, BLOCK) e = tl_exp(x - tl_max(x));
    tl_store(out + first, i, tl_cast(T, e * tl_fdiv(1.0f, tl_sum(e))), i < columns);
});

TEENY_KERNEL(layernorm,
    (T *out, const T *in, const f32 *weight, const f32 *bias, i32 stride, i32 columns, f32 epsilon),
    META(BLOCK = 1024), {
    const i32 first = tl_program_id(0) * stride;
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_cast(f32, tl_load(in + first, i, i < columns));
    const f32 mean = tl_fdiv(tl_sum(x), (f32)columns);
    tl_tile(f32, BLOCK) d = tl_where(i < columns, x - mean, 0);
    const f32 scale = tl_rsqrt(tl_fdiv(tl_sum(d * d), (f32)columns) + epsilon);
    tl_tile(f32, BLOCK) w = tl_load(weight, i, i < columns);
    tl_tile(f32, BLOCK) b = tl_load(bias, i, i < columns);
    tl_store(out + first, i, tl_cast(T, d * scale * w + b), i < columns);
});

/* Programs go down GROUP blocks of rows before they go on to the next columns, so that those that
 * run at once share what they read. */
TEENY_KERNEL(matmul, (T *c, const T *a, const T *b, i32 m, i32 n, i32 k),
    META(BM = 128, BN = 128, BK = 64, GROUP = 8), {
    const i32 rows = (m + BM - 1) / BM, columns = (n + BN - 1) / BN, program = tl_program_id(0);
    const i32 group = program / (GROUP * columns), first_row = group * GROUP;
    const i32 height = rows - first_row < GROUP ? rows - first_row : GROUP;
    const i32 row = first_row + program % (GROUP * columns) % height;
    const i32 column = program % (GROUP * columns) / height;
    tl_tile(i32, BM) i = row * BM + tl_arange(0, BM);
    tl_tile(i32, BN) j = column * BN + tl_arange(0, BN);
    tl_tile(i32, BK) l = tl_arange(0, BK);
    tl_tile(f32, BM, BN) sum = tl_zeros(f32, BM, BN);
    for (i32 first = 0; first < k; first += BK) {
        tl_tile(i32, BM, BK) a_at = tl_expand(i, 1, BK) * k + tl_expand(l, 0, BM);
        tl_tile(i32, BK, BN) b_at = tl_expand(l, 1, BN) * n + tl_expand(j, 0, BK);
        sum = tl_dot(
            tl_load(a + first, a_at, (tl_expand(i, 1, BK) < m) & (tl_expand(l, 0, BM) < k - first)),
            tl_load(b + first * n, b_at,
                (tl_expand(l, 1, BN) < k - first) & (tl_expand(j, 0, BK) < n)),
            sum);
    }
    tl_tile(i32, BM, BN) at = tl_expand(i, 1, BN) * n + tl_expand(j, 0, BM);
    tl_store(c, at, tl_cast(T, sum), (tl_expand(i, 1, BN) < m) & (tl_expand(j, 0, BM) < n));
});

/* Attention forward of heads of `length` x D, with a scale for exp2. */
TEENY_KERNEL(attention, (T *out, const T *q, const T *k, const T *v, i32 length, f32 scale),
    META(CAUSAL = 0, D = 64, BM = 128, BN = 64), {
    const i64 head = (i64)tl_program_id(1) * length * D;
    const i32 first_row = tl_program_id(0) * BM;
    tl_tile(i32, BM) i = first_row + tl_arange(0, BM);
    tl_tile(i32, D) d = tl_arange(0, D);
    tl_tile(i32, BM, D) at = tl_expand(i, 1, D) * D + tl_expand(d, 0, BM);
    tl_tile(bool, BM, D) inside = tl_expand(i, 1, D) < length;
    tl_tile(T, BM, D) query = tl_load(q + head, at, inside);
    tl_tile(f32, BM) largest = tl_full(f32, -INFINITY, BM);
    tl_tile(f32, BM) sum = tl_zeros(f32, BM);
    tl_tile(f32, BM, D) values = tl_zeros(f32, BM, D);
    const i32 end = CAUSAL && first_row + BM < length ? first_row + BM : length;
    for (i32 first = 0; first < end; first += BN) {
        tl_tile(i32, BN) j = first + tl_arange(0, BN);
        tl_tile(i32, BN, D) key_at = tl_expand(j, 1, D) * D + tl_expand(d, 0, BN);
        tl_tile(bool, BN, D) key_inside = tl_expand(j, 1, D) < length;
        tl_tile(T, BN, D) key = tl_load(k + head, key_at, key_inside);
        tl_tile(f32, BM, BN) score = tl_dot(query, tl_trans(key), tl_zeros(f32, BM, BN)) * scale;
        score = tl_where(tl_expand(j, 0, BM) < length, score, -INFINITY);
        if (CAUSAL)
            score = tl_where(tl_expand(j, 0, BM) <= tl_expand(i, 1, BN), score, -INFINITY);
        tl_tile(f32, BM) larger = tl_maximum(largest, tl_max(score, 1, BM));
        tl_tile(f32, BM) shrink = tl_exp2(largest - larger);
        tl_tile(f32, BM, BN) weight = tl_exp2(score - tl_expand(larger, 1, BN));
        sum = sum * shrink + tl_sum(weight, 1, BM);
        values = tl_dot(tl_cast(T, weight), tl_load(v + head, key_at, key_inside),
            values * tl_expand(shrink, 1, D));
        largest = larger;
    }
    tl_store(out + head, at, tl_cast(T, values / tl_expand(sum, 1, D)), inside);
});

#define NAMED(name) {#name, TEENY_KERNEL_OF(name)}
const struct bench_kernel bench_kernels[] = {
    NAMED(add), NAMED(softmax), NAMED(layernorm), NAMED(matmul), NAMED(attention), {NULL, NULL}};
