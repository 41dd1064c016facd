/* rsqrt: 1 / sqrt(x).
 *
 * Domain: x >= 0. rsqrt(+-0) = +-inf, rsqrt(x < 0) = NaN, rsqrt(inf) = 0, rsqrt(NaN) = NaN.
 *
 * Algorithm: the quotient of 1 and the correctly rounded root, and one step that puts right what
 * both roundings left (Markstein, "IA-64 and elementary functions", 2000, ch. 9): with s the root
 * and q the quotient, (1 - q^2 x) / 2 is the relative error of q. Bounds: docs/math.md.
 */
#include <teeny/kernel.h>

/* No step where q^2 x is no number or 0: zero and infinity. */
TEENY_DEVICE(f32, rsqrt_f32, (f32 x), {
    f32 q = 1.0f / tl_sqrt(x);
    f32 qx = q * x;
    f32 error = tl_fma(-q, qx, 1.0f) - q * tl_fma(q, x, -qx);
    f32 step = tl_fma(0.5f * q, error, q);
    return x > 0.0f && x < INFINITY ? step : q;
});

TEENY_DEVICE(f64, rsqrt_f64, (f64 x), {
    f64 q = 1.0 / tl_sqrt(x);
    f64 qx = q * x;
    f64 error = tl_fma(-q, qx, 1.0) - q * tl_fma(q, x, -qx);
    f64 step = tl_fma(0.5 * q, error, q);
    return x > 0.0 && x < (f64)INFINITY ? step : q;
});

/* tl_rsqrt is the device's instruction here: NVIDIA's rsqrt.approx, 1.52 ulp on an H200. One step
 * of Newton's; its error is NaN where there is no step to take: zero, infinity and below zero. */
TEENY_DEVICE(f32, rsqrt_by_instruction_f32, (f32 x), {
    f32 q = tl_rsqrt(x);
    f32 qx = q * x;
    f32 error = tl_fma(-tl_fma(q, x, -qx), q, tl_fma(-qx, q, 1.0f));
    f32 step = tl_fma(0.5f * q, error, q);
    return error == error ? step : q;
});
