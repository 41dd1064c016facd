/* pow.
 *
 * Domain and special values: C's (C17, F.10.4.4). pow(x, +-0) = pow(1, y) = 1 even for NaN, a
 * negative x takes an integral y alone, infinities and zeros as limits, NaN otherwise.
 *
 * Algorithm: x^y = 2^(y log2 |x|), where the logarithm and the product are sums of two numbers with
 * twice the digits (Dekker, "A floating-point technique for extending the available precision",
 * 1971; products by fma). |x| = 2^k m, sqrt(1/2) <= m < sqrt(2), s = (m - 1) / (m + 1) and
 *     log2 m = s (c + s^2 (c/3 + s^2 (c/5 + ...))),  c = 2 / ln 2:
 * c and c/3 stand in two parts, what follows them is a minimax polynomial. The sums below are
 * Dekker's too: the larger part comes first, and what it loses is added to the smaller one.
 * Bounds: docs/math.md.
 */
#include "scale.h"

/* ---- f32 ------------------------------------------------------------------------------------- */

/* 2^(high + low). Beyond the bounds every result is infinity or 0, and `low` may be NaN. */
TEENY_DEVICE(f32, exp2_of_sum_f32, (f32 high, f32 low), {
    f32 below = high > 129.0f ? 129.0f : high;
    f32 a = below < -151.0f ? -151.0f : below;
    f32 rest = a == high ? low : 0.0f;
    f32 shifted = a + 0x1.8p+23f;
    return scale_f32(tl_exp2((a - (shifted - 0x1.8p+23f)) + rest), shifted);
});

/* The sign of the result, and the cases that C sets apart. */
TEENY_DEVICE(f32, pow_edges_f32, (f32 x, f32 y, f32 magnitude), {
    f32 whole = tl_trunc(y);
    f32 half = y * 0.5f;
    f32 half_whole = tl_trunc(half);
    bool is_odd = whole == y && half_whole != half;
    bool has_sign = tl_bitcast(i32, x) < 0;
    f32 result = is_odd && has_sign ? -magnitude : magnitude;
    result = x < 0.0f && x > -INFINITY && whole != y ? NAN : result;
    result = x == x && y == y ? result : NAN;
    return x == 1.0f || y == 0.0f ? 1.0f : result;
});

TEENY_DEVICE(f32, pow_f32, (f32 x, f32 y), {
    f32 size = tl_abs(x);
    bool is_subnormal = size < 0x1p-126f;
    f32 scaled = size * 0x1p+23f;
    i32 bits = tl_bitcast(i32, is_subnormal ? scaled : size);
    i32 exponent = (bits - 0x3f3504f3) & (i32)0xff800000;
    f32 m = tl_bitcast(f32, bits - exponent);
    f32 k = tl_fma((f32)exponent, 0x1p-23f, is_subnormal ? -23.0f : 0.0f);

    /* s + s_low = (m - 1) / (m + 1), z + z_low its square. */
    f32 f = m - 1.0f;
    f32 d = m + 1.0f;
    f32 d_low = m - (d - 1.0f);
    f32 inverse = 1.0f / d;
    f32 s = f * inverse;
    f32 s_low = tl_fma(-s, d_low, tl_fma(-s, d, f)) * inverse;
    f32 z = s * s;
    f32 z_low = tl_fma(s + s, s_low, tl_fma(s, s, -z));

    /* u = c/3 + z (c/5 + ...), v = c + z u, product = s v, all with their low parts. */
    f32 p = 0x1.59ee06p-2f;
    p = tl_fma(p, z, 0x1.a5bbfap-2f);
    p = tl_fma(p, z, 0x1.27770ep-1f);
    f32 t = z * p;
    f32 u = 0x1.ec709ep-1f + t;
    f32 u_low = ((0x1.ec709ep-1f - u) + t) - 0x1.e2fe02p-28f;
    f32 w = z * u;
    f32 w_low = tl_fma(z, u, -w) + tl_fma(z, u_low, z_low * u);
    f32 v = 0x1.715476p+1f + w;
    f32 v_low = ((0x1.715476p+1f - v) + w) + (w_low + 0x1.4ae0c0p-25f);
    f32 product = s * v;
    f32 product_low = tl_fma(s, v, -product) + tl_fma(s, v_low, s_low * v);
    f32 log2 = k + product;
    f32 log2_low = ((k - log2) + product) + product_low;

    /* Limits: log2 of 0 and infinity; (+-1)^inf is 1. */
    f32 finite = size < INFINITY ? log2 : size;
    f32 limit = size == 0.0f ? -INFINITY : finite;
    f32 power = size == 1.0f ? 0.0f : y;
    f32 high = power * limit;
    f32 low = tl_fma(power, log2_low, tl_fma(power, log2, -high));
    return pow_edges_f32(x, y, exp2_of_sum_f32(high, low));
});

/* ---- f64 ------------------------------------------------------------------------------------- */

TEENY_DEVICE(f64, exp2_of_sum_f64, (f64 high, f64 low), {
    f64 below = high > 1025.0 ? 1025.0 : high;
    f64 a = below < -1076.0 ? -1076.0 : below;
    f64 rest = a == high ? low : 0.0;
    f64 shifted = a + 0x1.8p+52;
    return scale_f64(tl_exp2((a - (shifted - 0x1.8p+52)) + rest), shifted);
});

TEENY_DEVICE(f64, pow_edges_f64, (f64 x, f64 y, f64 magnitude), {
    f64 whole = tl_trunc(y);
    f64 half = y * 0.5;
    f64 half_whole = tl_trunc(half);
    bool is_odd = whole == y && half_whole != half;
    bool has_sign = tl_bitcast(i64, x) < 0;
    f64 result = is_odd && has_sign ? -magnitude : magnitude;
    result = x < 0.0 && x > -(f64)INFINITY && whole != y ? (f64)NAN : result;
    result = x == x && y == y ? result : (f64)NAN;
    return x == 1.0 || y == 0.0 ? 1.0 : result;
});

TEENY_DEVICE(f64, pow_f64, (f64 x, f64 y), {
    f64 size = tl_abs(x);
    bool is_subnormal = size < 0x1p-1022;
    f64 scaled = size * 0x1p+54;
    i64 bits = tl_bitcast(i64, is_subnormal ? scaled : size);
    i64 exponent = (bits - 0x3fe6a09e667f3bcd) & (i64)0xfff0000000000000;
    f64 m = tl_bitcast(f64, bits - exponent);
    f64 k = (f64)(i32)(exponent >> 52) + (is_subnormal ? -54.0 : 0.0);

    f64 f = m - 1.0;
    f64 d = m + 1.0;
    f64 d_low = m - (d - 1.0);
    f64 inverse = 1.0 / d;
    f64 s = f * inverse;
    f64 s_low = tl_fma(-s, d_low, tl_fma(-s, d, f)) * inverse;
    f64 z = s * s;
    f64 z_low = tl_fma(s + s, s_low, tl_fma(s, s, -z));

    f64 p = 0x1.85e8f7cf31893p-3;
    p = tl_fma(p, z, 0x1.87b0c561f11a5p-3);
    p = tl_fma(p, z, 0x1.c69f8bf38d24dp-3);
    p = tl_fma(p, z, 0x1.0c9a63d713f04p-2);
    p = tl_fma(p, z, 0x1.484b1421984e8p-2);
    p = tl_fma(p, z, 0x1.a61762a75984dp-2);
    p = tl_fma(p, z, 0x1.2776c50ef9d24p-1);
    f64 t = z * p;
    f64 u = 0x1.ec709dc3a03fdp-1 + t;
    f64 u_low = ((0x1.ec709dc3a03fdp-1 - u) + t) + 0x1.d27f05548af0cp-55;
    f64 w = z * u;
    f64 w_low = tl_fma(z, u, -w) + tl_fma(z, u_low, z_low * u);
    f64 v = 0x1.71547652b82fep+1 + w;
    f64 v_low = ((0x1.71547652b82fep+1 - v) + w) + (w_low + 0x1.777d0ffda0d24p-55);
    f64 product = s * v;
    f64 product_low = tl_fma(s, v, -product) + tl_fma(s, v_low, s_low * v);
    f64 log2 = k + product;
    f64 log2_low = ((k - log2) + product) + product_low;

    f64 finite = size < (f64)INFINITY ? log2 : size;
    f64 limit = size == 0.0 ? -(f64)INFINITY : finite;
    f64 power = size == 1.0 ? 0.0 : y;
    f64 high = power * limit;
    f64 low = tl_fma(power, log2_low, tl_fma(power, log2, -high));
    return pow_edges_f64(x, y, exp2_of_sum_f64(high, low));
});
