/* The kernels: one with helpers of a header, one with a parameter of each size. The header that
 * declares their launches is included, too, so that the two are compared. */
#include <teeny/kernel.h>

#include "helpers.h"
#include "kernels.h"

#ifndef PROGRAM_BIAS
#define PROGRAM_BIAS 0
#endif

TEENY_KERNEL(scale, (f32 *out, const f32 *x, f32 factor, i32 n),
             META(BLOCK = SCALE_BLOCK, BIAS = PROGRAM_BIAS), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) * factor + scaled(BIAS, 1), i < n);
});

TEENY_KERNEL(mix, (u8 *first, f64 second, i16 third, i64 *fourth, bool fifth), META(), {
    first[0] = fifth + 1;
    fourth[0] = (i64)second + third; // the last comment
});
