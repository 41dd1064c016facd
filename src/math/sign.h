/* The sign bit, for odd functions: they are computed of |x|. */
#ifndef TEENY_MATH_SIGN_H
#define TEENY_MATH_SIGN_H

#include <teeny/kernel.h>

/* `magnitude`, which is not negative, with the sign of `x`; NaN stays NaN. */
TEENY_DEVICE(f32, with_sign_f32, (f32 magnitude, f32 x), {
    return tl_bitcast(f32, tl_bitcast(u32, magnitude) | (tl_bitcast(u32, x) & 0x80000000));
});

TEENY_DEVICE(f64, with_sign_f64, (f64 magnitude, f64 x), {
    return tl_bitcast(f64, tl_bitcast(u64, magnitude) | (tl_bitcast(u64, x) & 0x8000000000000000));
});

#endif
