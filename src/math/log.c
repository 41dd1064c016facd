/* log and log2.
 *
 * Domain: x > 0, subnormal numbers included. log(+-0) = -inf, log(x < 0) = NaN, log(inf) = inf,
 * log(NaN) = NaN. log2 is exact where x is a power of two.
 *
 * Algorithm: x = 2^k m, m near 1, f = m - 1 exactly; log x = k ln 2 + log(1 + f) (Muller,
 * "Elementary functions", 2016, 3rd ed., ch. 11). In f32, 2/3 <= m < 4/3 and log(1 + f) is f plus
 * f^2 times a minimax polynomial. In f64, sqrt(1/2) <= m < sqrt(2) and, with s = f / (2 + f),
 *     log(1 + f) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + R(s^2)),  R a minimax polynomial
 * (Ng's form, in "fdlibm", 1993), whose leading terms are exact. log2 multiplies by log2(e) in two
 * parts and adds k to the exact product, since k and log2 m may cancel. Bounds: docs/math.md.
 */
#include <teeny/kernel.h>

/* What the logarithm of x is, `result` where x is positive and finite. */
TEENY_DEVICE(f32, log_edges_f32, (f32 x, f32 result), {
    f32 not_positive = x == 0.0f ? -INFINITY : NAN;
    f32 positive = x < INFINITY ? result : x;
    return x > 0.0f ? positive : not_positive;
});

TEENY_DEVICE(f64, log_edges_f64, (f64 x, f64 result), {
    f64 not_positive = x == 0.0 ? -(f64)INFINITY : (f64)NAN;
    f64 positive = x < (f64)INFINITY ? result : x;
    return x > 0.0 ? positive : not_positive;
});

/* ---- f32 ------------------------------------------------------------------------------------- */

/* The bits of x, of x * 2^23 where x is subnormal. */
TEENY_DEVICE(i32, normal_bits_f32, (f32 x), {
    f32 scaled = x * 0x1p+23f;
    return tl_bitcast(i32, x < 0x1p-126f ? scaled : x);
});

/* k * 2^23 for the bits of a normal number: what leaves a number in [2/3, 4/3). */
TEENY_DEVICE(i32, exponent_f32, (i32 bits), { return (bits - 0x3f2aaaab) & (i32)0xff800000; });

TEENY_DEVICE(f32, exponent_value_f32, (f32 x, i32 exponent), {
    return tl_fma((f32)exponent, 0x1p-23f, x < 0x1p-126f ? -23.0f : 0.0f);
});

TEENY_DEVICE(f32, log_f32, (f32 x), {
    i32 bits = normal_bits_f32(x);
    i32 exponent = exponent_f32(bits);
    f32 f = tl_bitcast(f32, bits - exponent) - 1.0f;
    f32 p = -0x1.07bf08p-3f;
    p = tl_fma(p, f, 0x1.1e72a0p-3f);
    p = tl_fma(p, f, -0x1.f332c8p-4f);
    p = tl_fma(p, f, 0x1.1ed452p-3f);
    p = tl_fma(p, f, -0x1.559c88p-3f);
    p = tl_fma(p, f, 0x1.99d05cp-3f);
    p = tl_fma(p, f, -0x1.fffef8p-3f);
    p = tl_fma(p, f, 0x1.555506p-2f);
    p = tl_fma(p, f, -0.5f);
    f32 log_m = tl_fma(f * f, p, f);
    return log_edges_f32(x, tl_fma(exponent_value_f32(x, exponent), 0x1.62e430p-1f, log_m));
});

TEENY_DEVICE(f32, log2_f32, (f32 x), {
    i32 bits = normal_bits_f32(x);
    i32 exponent = exponent_f32(bits);
    f32 f = tl_bitcast(f32, bits - exponent) - 1.0f;
    f32 p = -0x1.7bc988p-3f;
    p = tl_fma(p, f, 0x1.9cddc8p-3f);
    p = tl_fma(p, f, -0x1.6852c4p-3f);
    p = tl_fma(p, f, 0x1.9de5bep-3f);
    p = tl_fma(p, f, -0x1.ecd0b6p-3f);
    p = tl_fma(p, f, 0x1.279d70p-2f);
    p = tl_fma(p, f, -0x1.7153e0p-2f);
    p = tl_fma(p, f, 0x1.ec7030p-2f);
    p = tl_fma(p, f, -0x1.715476p-1f);
    f32 high = f * 0x1.715476p+0f;
    f32 rest = tl_fma(f, 0x1.715476p+0f, -high);
    f32 low = tl_fma(f * f, p, tl_fma(f, 0x1.4ae0c0p-26f, rest));
    f32 k = exponent_value_f32(x, exponent);
    f32 sum = k + high;
    return log_edges_f32(x, sum + ((high - (sum - k)) + low));
});

/* ---- f64 ------------------------------------------------------------------------------------- */

TEENY_DEVICE(i64, normal_bits_f64, (f64 x), {
    f64 scaled = x * 0x1p+54;
    return tl_bitcast(i64, x < 0x1p-1022 ? scaled : x);
});

/* k * 2^52: what leaves a number in [sqrt(1/2), sqrt(2)). */
TEENY_DEVICE(i64, exponent_f64, (i64 bits), {
    return (bits - 0x3fe6a09e667f3bcd) & (i64)0xfff0000000000000;
});

TEENY_DEVICE(f64, exponent_value_f64, (f64 x, i64 exponent), {
    return (f64)(i32)(exponent >> 52) + (x < 0x1p-1022 ? -54.0 : 0.0);
});

/* s (h + R), with h = f^2 / 2. */
TEENY_DEVICE(f64, log_tail_f64, (f64 f, f64 h), {
    f64 s = f / (2.0 + f);
    f64 z = s * s;
    f64 p = 0x1.2f04c808a237cp-3;
    p = tl_fma(p, z, 0x1.39a1d0dbb824cp-3);
    p = tl_fma(p, z, 0x1.74663dbb488b3p-3);
    p = tl_fma(p, z, 0x1.c71c52111570dp-3);
    p = tl_fma(p, z, 0x1.24924941e44efp-2);
    p = tl_fma(p, z, 0x1.999999997fefap-2);
    p = tl_fma(p, z, 0x1.5555555555592p-1);
    return s * tl_fma(p, z, h);
});

TEENY_DEVICE(f64, log_f64, (f64 x), {
    i64 bits = normal_bits_f64(x);
    i64 exponent = exponent_f64(bits);
    f64 f = tl_bitcast(f64, bits - exponent) - 1.0;
    f64 k = exponent_value_f64(x, exponent);
    f64 h = 0.5 * f * f;
    f64 low = tl_fma(k, 0x1.abc9e3b39803fp-56, log_tail_f64(f, h));
    return log_edges_f64(x, tl_fma(k, 0x1.62e42fefa39efp-1, f - (h - low)));
});

/* f - f^2/2 as a sum of two, its product with log2(e) likewise. */
TEENY_DEVICE(f64, log2_f64, (f64 x), {
    i64 bits = normal_bits_f64(x);
    i64 exponent = exponent_f64(bits);
    f64 f = tl_bitcast(f64, bits - exponent) - 1.0;
    f64 h = 0.5 * f * f;
    f64 main = f - h;
    f64 main_rest = ((f - main) - h) - tl_fma(0.5 * f, f, -h);
    f64 tail = main_rest + log_tail_f64(f, h);
    f64 high = main * 0x1.71547652b82fep+0;
    f64 rest = tl_fma(main, 0x1.71547652b82fep+0, -high);
    f64 low = tl_fma(tail, 0x1.71547652b82fep+0, tl_fma(main, 0x1.777d0ffda0d24p-56, rest));
    f64 k = exponent_value_f64(x, exponent);
    f64 sum = k + high;
    return log_edges_f64(x, sum + ((high - (sum - k)) + low));
});
