/* Kernels for tests/triton: one with reductions and a function, one with a loop, blocks and products. */
#include <teeny/kernel.h>

TEENY_KERNEL(softmax, (f32 *out, const f32 *in, i32 stride, i32 n), META(BLOCK = 1024), {
    i32 row = tl_program_id(0);
    tl_tile(i32, BLOCK) col = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) x = tl_load(in + row * stride, col, col < n, -INFINITY);
    tl_tile(f32, BLOCK) e = tl_exp(x - tl_max(x));
    tl_store(out + row * stride, col, e / tl_sum(e), col < n);
});

TEENY_KERNEL(matmul, (const tl_tensor(f16, 2) A, const tl_tensor(f16, 2) B, tl_tensor(f16, 2) C, i32 K),
    META(BM = 64, BN = 64, BK = 32), {
    i32 m = tl_program_id(0) * BM, n = tl_program_id(1) * BN;
    tl_tile(f32, BM, BN) acc = tl_zeros(f32, BM, BN);
    for (i32 k = 0; k < K; k += BK)
        acc = tl_dot(tl_load_block(A, (m, k), (BM, BK)), tl_load_block(B, (k, n), (BK, BN)), acc);
    tl_store_block(C, (m, n), tl_cast(f16, acc));
});
