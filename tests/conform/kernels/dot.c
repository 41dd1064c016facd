/* tl_dot as kernels: C[m,n] + A[m,k] B[k,n], with rows and columns beyond m, n and k masked off. */
#include <teeny/kernel.h>

TEENY_TYPE(T, f32);
TEENY_TYPE(U, f32);

/* One block of A and B. */
TEENY_KERNEL(dot_once, (U *out, const T *x, const T *y, const U *z, i32 m, i32 n, i32 k),
    META(BLOCK = 16, K = 16), {
    tl_tile(i32, BLOCK, K) ai = tl_expand(tl_arange(0, BLOCK), 1, K);
    tl_tile(i32, BLOCK, K) ak = tl_expand(tl_arange(0, K), 0, BLOCK);
    tl_tile(i32, K, BLOCK) bk = tl_expand(tl_arange(0, K), 1, BLOCK);
    tl_tile(i32, K, BLOCK) bj = tl_expand(tl_arange(0, BLOCK), 0, K);
    tl_tile(i32, BLOCK, BLOCK) ci = tl_expand(tl_arange(0, BLOCK), 1, BLOCK);
    tl_tile(i32, BLOCK, BLOCK) cj = tl_expand(tl_arange(0, BLOCK), 0, BLOCK);
    tl_tile(T, BLOCK, K) a = tl_load(x, ai * k + ak, (ai < m) & (ak < k));
    tl_tile(T, K, BLOCK) b = tl_load(y, bk * n + bj, (bk < k) & (bj < n));
    tl_tile(U, BLOCK, BLOCK) c = tl_load(z, ci * n + cj, (ci < m) & (cj < n));
    tl_store(out, ci * n + cj, tl_dot(a, b, c), (ci < m) & (cj < n));
});

/* The same for two matrices in one operation. */
TEENY_KERNEL(dot_batch, (U *out, const T *x, const T *y, const U *z, i32 m, i32 n, i32 k),
    META(BLOCK = 16, K = 16), {
    tl_tile(i32, 2, BLOCK, K) at_a = tl_reshape(tl_arange(0, 2 * BLOCK * K), 2, BLOCK, K);
    tl_tile(i32, 2, BLOCK, K) ai = at_a / K % BLOCK, ak = at_a % K, as = at_a / (BLOCK * K);
    tl_tile(i32, 2, K, BLOCK) at_b = tl_reshape(tl_arange(0, 2 * BLOCK * K), 2, K, BLOCK);
    tl_tile(i32, 2, K, BLOCK) bk = at_b / BLOCK % K, bj = at_b % BLOCK, bs = at_b / (BLOCK * K);
    tl_tile(i32, 2, BLOCK, BLOCK) at_c =
        tl_reshape(tl_arange(0, 2 * BLOCK * BLOCK), 2, BLOCK, BLOCK);
    tl_tile(i32, 2, BLOCK, BLOCK) ci = at_c / BLOCK % BLOCK, cj = at_c % BLOCK;
    tl_tile(i32, 2, BLOCK, BLOCK) place = (at_c / (BLOCK * BLOCK) * m + ci) * n + cj;
    tl_tile(T, 2, BLOCK, K) a = tl_load(x, (as * m + ai) * k + ak, (ai < m) & (ak < k));
    tl_tile(T, 2, K, BLOCK) b = tl_load(y, (bs * k + bk) * n + bj, (bk < k) & (bj < n));
    tl_tile(U, 2, BLOCK, BLOCK) c = tl_load(z, place, (ci < m) & (cj < n));
    tl_store(out, place, tl_dot(a, b, c), (ci < m) & (cj < n));
});

/* Blocks along k in a loop, two products a trip, and a sum on the way: matrices of any size. */
TEENY_KERNEL(dot_loop, (U *out, const T *x, const T *y, const U *z, i32 m, i32 n, i32 k),
    META(BLOCK = 16, K = 16), {
    i32 row = tl_program_id(0) * BLOCK, column = tl_program_id(1) * BLOCK;
    tl_tile(i32, BLOCK, K) ai = row + tl_expand(tl_arange(0, BLOCK), 1, K);
    tl_tile(i32, BLOCK, K) ak = tl_expand(tl_arange(0, K), 0, BLOCK);
    tl_tile(i32, K, BLOCK) bk = tl_expand(tl_arange(0, K), 1, BLOCK);
    tl_tile(i32, K, BLOCK) bj = column + tl_expand(tl_arange(0, BLOCK), 0, K);
    tl_tile(i32, BLOCK, BLOCK) ci = row + tl_expand(tl_arange(0, BLOCK), 1, BLOCK);
    tl_tile(i32, BLOCK, BLOCK) cj = column + tl_expand(tl_arange(0, BLOCK), 0, BLOCK);
    tl_tile(U, BLOCK, BLOCK) acc = tl_load(z, ci * n + cj, (ci < m) & (cj < n));
    for (i32 s = 0; s < k; s += K) {
        tl_tile(T, BLOCK, K) a = tl_load(x, ai * k + ak + s, (ai < m) & (ak + s < k));
        tl_tile(T, K, BLOCK) b = tl_load(y, (bk + s) * n + bj, (bk + s < k) & (bj < n));
        acc = tl_dot(a, b, acc);
        acc = tl_dot(a, b + b, acc);
    }
    tl_store(out, ci * n + cj, acc, (ci < m) & (cj < n));
});
