/* sin and cos.
 *
 * Domain: all finite numbers, of any size. sin(+-0) = +-0, cos(+-0) = 1; of infinity and NaN, NaN.
 *
 * Algorithm: |x| = (n + t) pi/2, n an integer and |t| <= 1/2 (quarter_turns.h), or |x| itself where
 * it is below 1. Then minimax polynomials for sin and cos on [0, 1], and n chooses the one and the
 * sign (Muller, "Elementary functions", 2016, 3rd ed., ch. 11). In f32 the reduced angle is carried
 * in two parts. Bounds: docs/math.md.
 */
#include "quarter_turns.h"

/* ---- f32 ------------------------------------------------------------------------------------- */

/* sin(r + rest), for |r| <= 1. */
TEENY_DEVICE(f32, sin_reduced_f32, (f32 r, f32 rest), {
    f32 z = r * r;
    f32 p = 0x1.6decf2p-19f;
    p = tl_fma(p, z, -0x1.a02006p-13f);
    p = tl_fma(p, z, 0x1.11113ep-7f);
    p = tl_fma(p, z, -0x1.555556p-3f);
    return r + tl_fma(r * z, p, rest);
});

TEENY_DEVICE(f32, cos_reduced_f32, (f32 r), {
    f32 z = r * r;
    f32 p = 0x1.960924p-16f;
    p = tl_fma(p, z, -0x1.6bfaa0p-10f);
    p = tl_fma(p, z, 0x1.555524p-5f);
    p = tl_fma(p, z, -0.5f);
    return tl_fma(p, z, 1.0f);
});

/* The sine `quarters` quarter turns further on than x, whose sign is that of its bit 31. */
TEENY_DEVICE(f32, sin_shifted_f32, (f32 x, u32 quarters, u32 sign), {
    f32 a = tl_abs(x);
    bool is_small = a < 1.0f;
    u64 turns = quarter_turns_f32(tl_bitcast(i32, a));
    f64 exact = (f64)(i64)(turns << 2) * 0x1.921fb54442d18p-64;
    f32 main = (f32)exact;
    f32 main_rest = (f32)(exact - (f64)main);
    f32 r = is_small ? a : main;
    f32 rest = is_small ? 0.0f : main_rest;
    u32 nearest = ((u32)(turns >> 61) + 1) >> 1;
    u32 n = (is_small ? 0u : nearest) + quarters;

    f32 sine = sin_reduced_f32(r, rest);
    f32 cosine = cos_reduced_f32(r);
    f32 magnitude = (n & 1) != 0 ? cosine : sine;
    u32 flips = (n & 2) << 30;
    f32 result = tl_bitcast(f32, tl_bitcast(u32, magnitude) ^ flips ^ (sign & 0x80000000));
    return a < INFINITY ? result : NAN;
});

TEENY_DEVICE(f32, sin_f32, (f32 x), { return sin_shifted_f32(x, 0, tl_bitcast(u32, x)); });

TEENY_DEVICE(f32, cos_f32, (f32 x), { return sin_shifted_f32(x, 1, 0); });

/* ---- f64 ------------------------------------------------------------------------------------- */

TEENY_DEVICE(f64, sin_reduced_f64, (f64 r), {
    f64 z = r * r;
    f64 p = -0x1.a81ab5bd31482p-41;
    p = tl_fma(p, z, 0x1.6119dcba49feep-33);
    p = tl_fma(p, z, -0x1.ae644484db71ep-26);
    p = tl_fma(p, z, 0x1.71de3a44803c1p-19);
    p = tl_fma(p, z, -0x1.a01a01a008ee2p-13);
    p = tl_fma(p, z, 0x1.111111111108ep-7);
    p = tl_fma(p, z, -0x1.5555555555555p-3);
    return tl_fma(r * z, p, r);
});

TEENY_DEVICE(f64, cos_reduced_f64, (f64 r), {
    f64 z = r * r;
    f64 p = -0x1.8d28888273a60p-37;
    p = tl_fma(p, z, 0x1.1ee3a9b70e23cp-29);
    p = tl_fma(p, z, -0x1.27e4ebfcaa662p-22);
    p = tl_fma(p, z, 0x1.a01a018674012p-16);
    p = tl_fma(p, z, -0x1.6c16c16c01c76p-10);
    p = tl_fma(p, z, 0x1.5555555555487p-5);
    p = tl_fma(p, z, -0.5);
    return tl_fma(p, z, 1.0);
});

/* `upper` and `lower` are a fraction of 128 bits, in units of 2^-128: in radians. All its digits
 * count, since it may begin with up to 60 zeros. */
TEENY_DEVICE(f64, radians_f64, (u64 upper, u64 lower), {
    f64 first = (f64)(u32)(upper >> 32) * 0x1p-32;
    f64 second = (f64)(u32)upper * 0x1p-64;
    f64 third = tl_fma((f64)(u32)(lower >> 32), 0x1p-96, (f64)(u32)lower * 0x1p-128);
    f64 sum = first + second;
    f64 rest = (second - (sum - first)) + third;
    f64 low = tl_fma(rest, 0x1.921fb54442d18p+0, sum * 0x1.1a62633145c07p-54);
    return tl_fma(sum, 0x1.921fb54442d18p+0, low);
});

TEENY_DEVICE(f64, sin_shifted_f64, (f64 x, u32 quarters, u64 sign), {
    f64 a = tl_abs(x);
    bool is_small = a < 1.0;
    u64 upper = quarter_turns_f64(tl_bitcast(i64, a), true);
    u64 lower = quarter_turns_f64(tl_bitcast(i64, a), false);
    u32 nearest = ((u32)(upper >> 61) + 1) >> 1;
    u64 fraction = (upper << 2) | (lower >> 62);
    u64 is_negative = (u64)((i64)fraction >> 63);
    f64 main = radians_f64(fraction ^ is_negative, (lower << 2) ^ is_negative);
    f64 r = is_small ? a : main;
    u32 n = (is_small ? 0u : nearest) + quarters;
    bool is_cosine = (n & 1) != 0;

    f64 sine = sin_reduced_f64(r);
    f64 cosine = cos_reduced_f64(r);
    f64 magnitude = is_cosine ? cosine : sine;
    u64 odd = is_small || is_cosine ? 0u : is_negative;
    u64 flips = ((u64)(n & 2) << 62) ^ ((sign ^ odd) & 0x8000000000000000);
    f64 result = tl_bitcast(f64, tl_bitcast(u64, magnitude) ^ flips);
    return a < (f64)INFINITY ? result : (f64)NAN;
});

TEENY_DEVICE(f64, sin_f64, (f64 x), { return sin_shifted_f64(x, 0, tl_bitcast(u64, x)); });

TEENY_DEVICE(f64, cos_f64, (f64 x), { return sin_shifted_f64(x, 1, 0); });
