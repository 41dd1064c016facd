/* The kernels of gpu_check; defined by kernels.c. */
#ifndef TEENY_TESTS_STREAMS_KERNELS_H
#define TEENY_TESTS_STREAMS_KERNELS_H

#include <teeny/kernel.h>
#include <teeny/teeny.h>

enum { SPIN_COUNT = 128, TRANSPOSED = 128 };

/* x -> x / 2 + 1, again and again: 2 in the end. */
TEENY_KERNEL_DECLARE(spin, (f32 * x, i32 rounds), META(BLOCK = 128));
TEENY_KERNEL_DECLARE(scale, (f32 * out, const f32 *x, f32 a, i32 n), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(add_one, (f32 * x, i32 n), META(BLOCK = 256));
/* Of one tile of TRANSPOSED x TRANSPOSED, through more than 48 KiB of shared memory. */
TEENY_KERNEL_DECLARE(transpose, (f32 * out, const f32 *x), META(N = 128));

/* As scale, each launched for the first time by one check. */
TEENY_KERNEL_DECLARE(cold_foreign, (f32 * out, const f32 *x, f32 a, i32 n), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(cold_own, (f32 * out, const f32 *x, f32 a, i32 n), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(cold_thread, (f32 * out, const f32 *x, f32 a, i32 n), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(cold_context, (f32 * out, const f32 *x, f32 a, i32 n), META(BLOCK = 256));

#endif
