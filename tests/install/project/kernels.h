/* The typed launch of what kernels.c defines, for C and C++. */
#ifndef PROJECT_KERNELS_H
#define PROJECT_KERNELS_H

#include <teeny/teeny.h>

TEENY_KERNEL_DECLARE(scale, (f32 * out, const f32 *x, i32 n), META(BLOCK = 128));

#endif
