#ifndef SCALE_H
#define SCALE_H

#include <teeny/teeny.h>

TEENY_KERNEL_DECLARE(scale, (f32 * out, const f32 *x, f32 factor, i32 n), META(BLOCK = 256));

#endif
