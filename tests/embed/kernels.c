/* Kernels that embed.py has compiled ahead: every kind of parameter, META values, an element type,
 * a helper, views of memory. */
#include <teeny/kernel.h>

TEENY_TYPE(T, f32);

TEENY_DEVICE(f32, twice, (f32 x), { return x + x; });

TEENY_KERNEL(vector_add, (T *out, const T *x, const T *y, i32 n), META(BLOCK = 256, HALF = BLOCK / 2), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

TEENY_KERNEL(kinds, (i64 *integers, f64 *floats, bool on, i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g, u64 h,
                        f16 half, bf16 brain, f32 single, f64 wide), META(), {
    integers[0] = on;
    integers[1] = a;
    integers[2] = b;
    integers[3] = c;
    integers[4] = d;
    integers[5] = e;
    integers[6] = f;
    integers[7] = g;
    integers[8] = (i64)h;
    floats[0] = half;
    floats[1] = tl_cast(f32, brain);
    floats[2] = twice(single);
    floats[3] = wide;
});

TEENY_KERNEL(add_blocks, (const tl_tensor(f32, 2) A, tl_tensor(f32, 2) C, f32 s), META(BM = 16, BN = 32), {
    i32 m = tl_program_id(1) * BM;
    i32 n = tl_program_id(0) * BN;
    tl_store_block(C, (m, n), tl_load_block(A, (m, n), (BM, BN)) + s);
});

TEENY_KERNEL(nothing, (void), META(), {});
