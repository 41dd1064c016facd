// What views of memory and blocks of them take.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (tl_tensor(f32, 2) A, const tl_tensor(f32, 2) B, tl_tensor(i32, 1) I, f32 *out, i32 n), META(), {
    tl_tile(f32, 8, 8) a = tl_load_block(A, (0, n), (8, 8));
    A = B;
    n = A.shape[2];
    n = A.shape[n];
    i64 *shape = A.shape;
    tl_load_block(A, (0), (8, 8));
    tl_load_block(A, (0, 1.5f), (8, 8));
    tl_load_block(A, (0, a), (8, 8));
    tl_load_block(A, (0, 0), (8));
    tl_load_block(I, (0), (8), TL_PAD_NAN);
    tl_store_block(B, (0, 0), a);
    tl_store_block(A, (0, 0), tl_zeros(i32, 8, 8));
    tl_store_block(A, (0, 0), tl_zeros(f32, 64));
    tl_store_block(I, (0), n);
});

TEENY_KERNEL(clang_sees, (tl_tensor(f32, 2) A, f32 *out, i32 n), META(), {
    n = A.missing;
    n = n.shape;
    tl_load_block(out, (0, 0), (8, 8));
});
