/* Kernels of every element type, as scalars and tiles. */
#include <teeny/kernel.h>

#define MOVE(T)                                                                                    \
    TEENY_KERNEL(move_##T, (T * out, const T *x, i32 n), META(BLOCK = 128), {                      \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_store(out, i, tl_load(x, i, i < n, 0), i < n);                                          \
        tl_store(out, n, tl_load(x, 0));                                                           \
        tl_store(out, i, tl_zeros(T, BLOCK));                                                      \
        out[1] = x[2];                                                                             \
    })
#define COMPUTE(T)                                                                                 \
    TEENY_KERNEL(compute_##T, (T * out, const T *x, i32 n), META(BLOCK = 128), {                   \
        tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);                                               \
        tl_tile(T, BLOCK) v = tl_load(x, i, i < n);                                                \
        tl_store(out, i, v * v + v - v / v, v > 0);                                                \
        tl_store(out, i, -v + (T)1, ~(v == v));                                                    \
        v += v;                                                                                    \
        tl_store(out, i, v);                                                                       \
    })

MOVE(bool);
MOVE(i8);
MOVE(i16);
MOVE(i32);
MOVE(i64);
MOVE(u8);
MOVE(u16);
MOVE(u32);
MOVE(u64);
MOVE(f16);
MOVE(bf16);
MOVE(f32);
MOVE(f64);
MOVE(f8e4m3);
MOVE(f8e5m2);
COMPUTE(i8);
COMPUTE(i16);
COMPUTE(i32);
COMPUTE(i64);
COMPUTE(u8);
COMPUTE(u16);
COMPUTE(u32);
COMPUTE(u64);
COMPUTE(f16);
COMPUTE(f32);
COMPUTE(f64);
