/* round: to the nearest integer, halves away from zero.
 *
 * Exact for every number; round(+-0) = +-0, the sign stays where the result is 0, infinities and
 * NaN are their own. x - trunc(x) has no rounding error, so comparing it with 1/2 decides.
 */
#include "sign.h"

TEENY_DEVICE(f32, round_f32, (f32 x), {
    f32 a = tl_abs(x);
    f32 whole = tl_trunc(a);
    f32 up = a - whole >= 0.5f ? 1.0f : 0.0f;
    return with_sign_f32(whole + up, x);
});

TEENY_DEVICE(f64, round_f64, (f64 x), {
    f64 a = tl_abs(x);
    f64 whole = tl_trunc(a);
    f64 up = a - whole >= 0.5 ? 1.0 : 0.0;
    return with_sign_f64(whole + up, x);
});
