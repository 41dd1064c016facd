/* tanh.
 *
 * Domain: everything. tanh(+-0) = +-0, tanh(+-inf) = +-1, tanh(NaN) = NaN; subnormal numbers are
 * their own tanh. Never beyond 1.
 *
 * Algorithm: below 0.8 (f64: 0.7), x + x^3 times a minimax polynomial in x^2. Above, 1 - 2 / (1 +
 * e^(2x)), where the error of the exponential has shrunk to a quarter of a unit (Muller,
 * "Elementary functions", 2016, 3rd ed., ch. 11); both are computed, and one is chosen. Bounds:
 * docs/math.md.
 */
#include "scale.h"
#include "sign.h"

TEENY_DEVICE(f32, tanh_near_f32, (f32 a), {
    f32 z = a * a;
    f32 p = 0x1.a0067cp-10f;
    p = tl_fma(p, z, -0x1.e5e466p-8f);
    p = tl_fma(p, z, 0x1.5d15f4p-6f);
    p = tl_fma(p, z, -0x1.b92b2cp-5f);
    p = tl_fma(p, z, 0x1.110b58p-3f);
    p = tl_fma(p, z, -0x1.55553ep-2f);
    return tl_fma(a * z, p, a);
});

/* From 9.02 on the result rounds to 1. */
TEENY_DEVICE(f32, tanh_far_f32, (f32 a), {
    f32 twice = a > 9.25f ? 18.5f : a + a;
    f32 shifted = tl_fma(twice, 0x1.715476p+0f, 0x1.8p+23f);
    f32 n = shifted - 0x1.8p+23f;
    f32 r = tl_fma(n, -0x1.62e430p-1f, twice);
    f32 power = tl_exp(tl_fma(n, 0x1.05c610p-29f, r));
    return 1.0f - 2.0f / tl_fma(power, power_of_two_f32(shifted), 1.0f);
});

TEENY_DEVICE(f32, tanh_f32, (f32 x), {
    f32 a = tl_abs(x);
    f32 near = tanh_near_f32(a);
    f32 far = tanh_far_f32(a);
    return with_sign_f32(a < 0.8f ? near : far, x);
});

TEENY_DEVICE(f64, tanh_near_f64, (f64 a), {
    f64 z = a * a;
    f64 p = 0x1.4228f10ecdf92p-18;
    p = tl_fma(p, z, -0x1.c6210e234c802p-16);
    p = tl_fma(p, z, 0x1.71a03b77aba0fp-14);
    p = tl_fma(p, z, -0x1.ec7e26bbdcbd3p-13);
    p = tl_fma(p, z, 0x1.3495bfcac4b7dp-11);
    p = tl_fma(p, z, -0x1.7d8c956fd145ap-10);
    p = tl_fma(p, z, 0x1.d6d1f93868bfep-9);
    p = tl_fma(p, z, -0x1.226e2896e3fa1p-7);
    p = tl_fma(p, z, 0x1.664f481168635p-6);
    p = tl_fma(p, z, -0x1.ba1ba1b7cca40p-5);
    p = tl_fma(p, z, 0x1.111111110e0a8p-3);
    p = tl_fma(p, z, -0x1.5555555555529p-2);
    return tl_fma(a * z, p, a);
});

/* From 19.07 on the result rounds to 1. */
TEENY_DEVICE(f64, tanh_far_f64, (f64 a), {
    f64 twice = a > 19.5 ? 39.0 : a + a;
    f64 shifted = tl_fma(twice, 0x1.71547652b82fep+0, 0x1.8p+52);
    f64 n = shifted - 0x1.8p+52;
    f64 r = tl_fma(n, -0x1.62e42fefa39efp-1, twice);
    f64 power = tl_exp(tl_fma(n, -0x1.abc9e3b39803fp-56, r));
    return 1.0 - 2.0 / tl_fma(power, power_of_two_f64(shifted), 1.0);
});

TEENY_DEVICE(f64, tanh_f64, (f64 x), {
    f64 a = tl_abs(x);
    f64 near = tanh_near_f64(a);
    f64 far = tanh_far_f64(a);
    return with_sign_f64(a < 0.7 ? near : far, x);
});
