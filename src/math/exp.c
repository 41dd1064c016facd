/* exp and exp2.
 *
 * Domain: everything. exp(-0) = exp(0) = 1, exp(inf) = inf, exp(-inf) = 0, exp(NaN) = NaN; beyond
 * the largest number infinity, subnormal results kept. exp2 is exact where the result is a power of
 * two.
 *
 * Algorithm: the classical one (Tang, "Table-driven implementation of the exponential function in
 * IEEE floating-point arithmetic", 1989, here without a table; Muller, "Elementary functions",
 * 2016, 3rd ed., ch. 11). n = nearest integer to x / ln 2, r = x - n ln 2 with ln 2 in two parts
 * (Cody and Waite, 1980): x - n * high has no more digits than a number has, so the first fma is
 * exact. Then e^r on |r| <= (ln 2) / 2 by a minimax polynomial (fit/fits.py), times 2^n. For exp2,
 * x - n is exact. Bounds: docs/math.md.
 *
 * tl_exp and tl_exp2 inside a body of this folder mean the function on its reduced range alone: the
 * polynomials exp_reduced and exp2_reduced below.
 */
#include "scale.h"

/* ---- Reduced: |r| <= 0.347, |f| <= 0.5 + 2^-20 ----------------------------------------------- */

TEENY_DEVICE(f32, exp_reduced_f32, (f32 r), {
    f32 p = 0x1.6a4f28p-10f;
    p = tl_fma(p, r, 0x1.123980p-7f);
    p = tl_fma(p, r, 0x1.5558aep-5f);
    p = tl_fma(p, r, 0x1.555492p-3f);
    p = tl_fma(p, r, 0x1.fffffcp-2f);
    p = tl_fma(p, r, 1.0f);
    return tl_fma(p, r, 1.0f);
});

TEENY_DEVICE(f32, exp2_reduced_f32, (f32 f), {
    f32 p = 0x1.417a70p-13f;
    p = tl_fma(p, f, 0x1.5f0948p-10f);
    p = tl_fma(p, f, 0x1.3b2dd2p-7f);
    p = tl_fma(p, f, 0x1.c6af7ap-5f);
    p = tl_fma(p, f, 0x1.ebfbdcp-3f);
    p = tl_fma(p, f, 0x1.62e430p-1f);
    return tl_fma(p, f, 1.0f);
});

TEENY_DEVICE(f64, exp_reduced_f64, (f64 r), {
    f64 p = 0x1.ad9d8f4896104p-26;
    p = tl_fma(p, r, 0x1.28ad5bbfba85bp-22);
    p = tl_fma(p, r, 0x1.71df0deca2e02p-19);
    p = tl_fma(p, r, 0x1.a0199a11a4eacp-16);
    p = tl_fma(p, r, 0x1.a01a01379d7c1p-13);
    p = tl_fma(p, r, 0x1.6c16c18436f22p-10);
    p = tl_fma(p, r, 0x1.111111112480ep-7);
    p = tl_fma(p, r, 0x1.55555555507a8p-5);
    p = tl_fma(p, r, 0x1.555555555550cp-3);
    p = tl_fma(p, r, 0x1.000000000000ap-1);
    p = tl_fma(p, r, 1.0);
    return tl_fma(p, r, 1.0);
});

TEENY_DEVICE(f64, exp2_reduced_f64, (f64 f), {
    f64 p = 0x1.e80de5f6442f3p-32;
    p = tl_fma(p, f, 0x1.e611a22ed6869p-28);
    p = tl_fma(p, f, 0x1.b5260e2f96abap-24);
    p = tl_fma(p, f, 0x1.62bfcddd3aff9p-20);
    p = tl_fma(p, f, 0x1.ffcbfbf8935acp-17);
    p = tl_fma(p, f, 0x1.4309130c01a34p-13);
    p = tl_fma(p, f, 0x1.5d87fe78b3bfdp-10);
    p = tl_fma(p, f, 0x1.3b2ab6fba11f3p-7);
    p = tl_fma(p, f, 0x1.c6b08d704a0d4p-5);
    p = tl_fma(p, f, 0x1.ebfbdff82c59cp-3);
    p = tl_fma(p, f, 0x1.62e42fefa39efp-1);
    return tl_fma(p, f, 1.0);
});

/* ---- Over the whole range -------------------------------------------------------------------- */

/* Beyond the upper bound every result is infinity. The lower one is far below the last argument
 * whose result is not 0: there the factors of 2^n are 0 themselves (scale.h), and no multiplication
 * has to round a subnormal product to 0, which costs processors up to 100 times as much. It is what
 * becomes of -infinity, which stands for "masked off" in many a softmax. The comparisons let NaN
 * through. */
TEENY_DEVICE(f32, exp_f32, (f32 x), {
    f32 below = x > 89.0f ? 89.0f : x;
    f32 a = below < -0x1.601p+7f ? -0x1.601p+7f : below;
    f32 shifted = tl_fma(a, 0x1.715476p+0f, 0x1.8p+23f);
    f32 n = shifted - 0x1.8p+23f;
    f32 r = tl_fma(n, -0x1.62e430p-1f, a);
    return scale_f32(tl_exp(tl_fma(n, 0x1.05c610p-29f, r)), shifted);
});

TEENY_DEVICE(f32, exp2_f32, (f32 x), {
    f32 below = x > 129.0f ? 129.0f : x;
    f32 a = below < -254.0f ? -254.0f : below;
    f32 shifted = a + 0x1.8p+23f;
    return scale_f32(tl_exp2(a - (shifted - 0x1.8p+23f)), shifted);
});

TEENY_DEVICE(f64, exp_f64, (f64 x), {
    f64 below = x > 710.0 ? 710.0 : x;
    f64 a = below < -0x1.628b6p+10 ? -0x1.628b6p+10 : below;
    f64 shifted = tl_fma(a, 0x1.71547652b82fep+0, 0x1.8p+52);
    f64 n = shifted - 0x1.8p+52;
    f64 r = tl_fma(n, -0x1.62e42fefa39efp-1, a);
    return scale_f64(tl_exp(tl_fma(n, -0x1.abc9e3b39803fp-56, r)), shifted);
});

TEENY_DEVICE(f64, exp2_f64, (f64 x), {
    f64 below = x > 1025.0 ? 1025.0 : x;
    f64 a = below < -2046.0 ? -2046.0 : below;
    f64 shifted = a + 0x1.8p+52;
    return scale_f64(tl_exp2(a - (shifted - 0x1.8p+52)), shifted);
});

/* ---- On a device with an instruction for 2^x ---------------------------------------------------
 */

/* tl_exp2 is the instruction here: any argument, subnormal results flushed to 0. NVIDIA's
 * ex2.approx.ftz has an error of at most 2.06 ulp on an H200, over all f32 (1.40 ulp where x is
 * positive). */

/* x / ln 2 = n + f as above, but n is kept where 2^n is a normal number, and f takes what is left:
 * there the result is subnormal, infinite, 0 or NaN. */
TEENY_DEVICE(f32, exp_by_instruction_f32, (f32 x), {
    f32 part = tl_minimum(tl_maximum(tl_fma(x, 0x1.77313c0000000p-8f, 0.5f), 0.0f), 1.0f);
    f32 shifted = tl_fma(part, 252.0f, 0x1.8p+23f + 1);
    f32 n = shifted - (0x1.8p+23f + 127);
    f32 f = tl_fma(x, 0x1.4ae0c0p-26f, tl_fma(x, 0x1.715476p+0f, -n));
    return tl_exp2(f) * tl_bitcast(f32, tl_bitcast(i32, shifted) << 23);
});

/* Results that would be flushed are computed 2^32 times as large. */
TEENY_DEVICE(f32, exp2_by_instruction_f32, (f32 x), {
    bool is_small = x < -126.0f;
    f32 result = tl_exp2(is_small ? x + 32.0f : x);
    return is_small ? result * 0x1p-32f : result;
});
