/* The kernels of gpu_check. */
#include "kernels.h"

TEENY_KERNEL(spin, (f32 *x, i32 rounds), META(BLOCK = 128), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) value = tl_load(x, i);
    for (i32 round = 0; round < rounds; round++)
        value = value * 0.5f + 1.0f;
    tl_store(x, i, value);
});

TEENY_KERNEL(scale, (f32 *out, const f32 *x, f32 a, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, a * tl_load(x, i, i < n), i < n);
});

TEENY_KERNEL(add_one, (f32 *x, i32 n), META(BLOCK = 256), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(x, i, tl_load(x, i, i < n) + 1.0f, i < n);
});

TEENY_KERNEL(transpose, (f32 *out, const f32 *x), META(N = 128), {
    tl_tile(i32, N) i = tl_arange(0, N);
    tl_tile(i32, N, N) at = tl_expand(i, 1, N) * N + tl_expand(i, 0, N);
    tl_store(out, at, tl_trans(tl_load(x, at)));
});

#define COLD(name)                                                                                 \
    TEENY_KERNEL(name, (f32 * out, const f32 *x, f32 a, i32 n), META(BLOCK = 256), {               \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_store(out, i, a *tl_load(x, i, i < n), i < n);                                          \
    })

COLD(cold_foreign);
COLD(cold_own);
COLD(cold_thread);
COLD(cold_context);
