/* The launches that the program's files share: C and C++. */
#ifndef PROGRAM_KERNELS_H
#define PROGRAM_KERNELS_H

#include <teeny/teeny.h>

#define SCALE_BLOCK 256

TEENY_KERNEL_DECLARE(
    scale, (f32 * out, const f32 *x, f32 factor, i32 n), META(BLOCK = SCALE_BLOCK, BIAS = 0));
TEENY_KERNEL_DECLARE(mix, (u8 * first, f64 second, i16 third, i64 *fourth, bool fifth), META());
TEENY_KERNEL_DECLARE(own, (i32 * out), META());
TEENY_KERNEL_DECLARE(one_u16, (u16 * out), META());
TEENY_KERNEL_DECLARE(nothing, (void), META());

#ifdef __cplusplus
extern "C" {
#endif

/* Both launch every kernel on the device, compare with plain C, and give the number of mistakes. */
int run_c(teeny_device *device, f32 bias);
int run_cpp(teeny_device *device, f32 bias);

#ifdef __cplusplus
}
#endif

#endif
