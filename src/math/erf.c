/* erf.
 *
 * Domain: everything. erf(+-0) = +-0, erf(+-inf) = +-1, erf(NaN) = NaN. Never beyond 1.
 *
 * Algorithm: below 0.8 (f64: 0.9), x + x times a minimax polynomial in x^2. Above, 1 - 2^h(x),
 * where h is a minimax polynomial for log2(erfc(x)): smooth, and its error shrinks with erfc (the
 * way of N. Juffa's single-precision erff, 2015; on the split, Cody, "Rational Chebyshev
 * approximations for the error function", 1969). Both are computed, and one is chosen. Bounds:
 * docs/math.md.
 */
#include "scale.h"
#include "sign.h"

TEENY_DEVICE(f32, erf_near_f32, (f32 a), {
    f32 z = a * a;
    f32 p = -0x1.5700bcp-11f;
    p = tl_fma(p, z, 0x1.4d5f74p-8f);
    p = tl_fma(p, z, -0x1.b774a4p-6f);
    p = tl_fma(p, z, 0x1.ce2888p-4f);
    p = tl_fma(p, z, -0x1.812732p-2f);
    p = tl_fma(p, z, 0x1.06eba8p-3f);
    return tl_fma(a, p, a);
});

/* From 3.92 on the result rounds to 1. */
TEENY_DEVICE(f32, erf_far_f32, (f32 a), {
    f32 t = a > 3.95f ? 3.95f : a;
    f32 h = 0x1.3bb216p-12f;
    h = tl_fma(h, t, -0x1.2b3a46p-8f);
    h = tl_fma(h, t, 0x1.0c3f74p-5f);
    h = tl_fma(h, t, -0x1.35df0ap-3f);
    h = tl_fma(h, t, -0x1.d5e48ap-1f);
    h = tl_fma(h, t, -0x1.a0b452p+0f);
    h = tl_fma(h, t, -0x1.57f674p-14f);
    f32 shifted = h + 0x1.8p+23f;
    f32 power = tl_exp2(h - (shifted - 0x1.8p+23f));
    return tl_fma(-power, power_of_two_f32(shifted), 1.0f);
});

TEENY_DEVICE(f32, erf_f32, (f32 x), {
    f32 a = tl_abs(x);
    f32 near = erf_near_f32(a);
    f32 far = erf_far_f32(a);
    return with_sign_f32(a < 0.8f ? near : far, x);
});

TEENY_DEVICE(f64, erf_near_f64, (f64 a), {
    f64 z = a * a;
    f64 p = -0x1.26c118f54cf61p-30;
    p = tl_fma(p, z, 0x1.029f1c996f8b7p-26);
    p = tl_fma(p, z, -0x1.61b80c86314d0p-23);
    p = tl_fma(p, z, 0x1.ba4b59bfcd599p-20);
    p = tl_fma(p, z, -0x1.f4dbfebb4893bp-17);
    p = tl_fma(p, z, 0x1.f9a3b82e4502dp-14);
    p = tl_fma(p, z, -0x1.c02db960adc4ep-11);
    p = tl_fma(p, z, 0x1.565bcd2ddb788p-8);
    p = tl_fma(p, z, -0x1.b82ce3135e335p-6);
    p = tl_fma(p, z, 0x1.ce2f21a045a4fp-4);
    p = tl_fma(p, z, -0x1.812746b037a26p-2);
    p = tl_fma(p, z, 0x1.06eba8214db69p-3);
    return tl_fma(a, p, a);
});

/* From 5.93 on the result rounds to 1. */
TEENY_DEVICE(f64, erf_far_f64, (f64 a), {
    f64 t = a > 5.95 ? 5.95 : a;
    f64 h = -0x1.60c1d6352f5dbp-37;
    h = tl_fma(h, t, 0x1.bf275b19ec2d2p-32);
    h = tl_fma(h, t, -0x1.07227ac0e6146p-27);
    h = tl_fma(h, t, 0x1.7cb314f3c3a3ep-24);
    h = tl_fma(h, t, -0x1.78c71598d3273p-21);
    h = tl_fma(h, t, 0x1.0b2a04b7ea44dp-18);
    h = tl_fma(h, t, -0x1.10d7b80de0042p-16);
    h = tl_fma(h, t, 0x1.7a1bc3e1fc464p-15);
    h = tl_fma(h, t, -0x1.f7530deb182ebp-15);
    h = tl_fma(h, t, -0x1.17de5ec3ac4b5p-13);
    h = tl_fma(h, t, 0x1.0a25b059562eep-10);
    h = tl_fma(h, t, -0x1.5ab4a7cc9f488p-9);
    h = tl_fma(h, t, 0x1.f62978ebd0129p-12);
    h = tl_fma(h, t, 0x1.c237e0dac47d3p-6);
    h = tl_fma(h, t, -0x1.2f8a6af8a22ffp-3);
    h = tl_fma(h, t, -0x1.d64144bdaa087p-1);
    h = tl_fma(h, t, -0x1.a0be45073fadbp+0);
    h = tl_fma(h, t, -0x1.78d4417b92acap-22);
    f64 shifted = h + 0x1.8p+52;
    f64 power = tl_exp2(h - (shifted - 0x1.8p+52));
    return tl_fma(-power, power_of_two_f64(shifted), 1.0);
});

TEENY_DEVICE(f64, erf_f64, (f64 x), {
    f64 a = tl_abs(x);
    f64 near = erf_near_f64(a);
    f64 far = erf_far_f64(a);
    return with_sign_f64(a < 0.9 ? near : far, x);
});
