/* Kernels that kernels_test.c and planted_test.c run on emu; see kernels.c. */
#ifndef TEENY_TESTS_EMU_KERNELS_H
#define TEENY_TESTS_EMU_KERNELS_H

#include <teeny/kernel.h>
#include <teeny/teeny.h>

TEENY_KERNEL_DECLARE(add, (f32 * out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(add_unmasked, (f32 * out, const f32 *x), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(last_program, (i32 * out), META(BLOCK = 1));
TEENY_KERNEL_DECLARE(two_to_one, (i32 * out), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(sum_rows, (f32 * out, const f32 *x), META(ROWS = 16, COLUMNS = 256));
TEENY_KERNEL_DECLARE(move_up, (i32 * x), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(multiply, (f32 * c, const f16 *a, const f16 *b), META(SIZE = 32));
TEENY_KERNEL_DECLARE(one_value, (i32 * out), META(BLOCK = 256));
TEENY_KERNEL_DECLARE(multiply_long, (f32 * c, const f16 *a, const f16 *b, i32 n), META(SIZE = 32));
TEENY_KERNEL_DECLARE(divide, (i32 * out, const i32 *x, i32 n), META(BLOCK = 1024));

#endif
