/* The captured kernel of a test: one with fake_kernel.c's parameters. Included by one file of each
 * test program, since it defines it. */
#ifndef TEENY_TESTS_RUNTIME_KERNELS_H
#define TEENY_TESTS_RUNTIME_KERNELS_H

#include <teeny/kernel.h>

TEENY_DEVICE(f32, half, (f32 x), { return 0.5f * x; });

TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});

#endif
