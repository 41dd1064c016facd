/* Powers of two without branches, for whatever ends in a product by 2^n.
 *
 * Adding 1.5 * 2^23 (f64: 1.5 * 2^52) to a number rounds it to the nearest integer n, ties to even,
 * and leaves n in the low bits of the sum. Such a sum is what is called `shifted` in this folder.
 */
#ifndef TEENY_MATH_SCALE_H
#define TEENY_MATH_SCALE_H

#include <teeny/kernel.h>

/* p * 2^n for |n| <= 252. The factor is the product of two that are normal numbers for any such n,
 * so that a result beyond the range becomes infinity, a subnormal one is rounded only then, and NaN
 * stays. For n = -254 both are 0. */
TEENY_DEVICE(f32, scale_f32, (f32 p, f32 shifted), {
    i32 bits = tl_bitcast(i32, shifted);
    i32 whole = bits << 23;
    i32 half = (bits << 22) & (i32)0xff800000;
    f32 first = tl_bitcast(f32, half + 0x3f800000);
    f32 second = tl_bitcast(f32, whole - half + 0x3f800000);
    return p * first * second;
});

/* The same for |n| <= 2044, and -2046. */
TEENY_DEVICE(f64, scale_f64, (f64 p, f64 shifted), {
    i64 bits = tl_bitcast(i64, shifted);
    i64 whole = bits << 52;
    i64 half = (bits << 51) & (i64)0xfff0000000000000;
    f64 first = tl_bitcast(f64, half + 0x3ff0000000000000);
    f64 second = tl_bitcast(f64, whole - half + 0x3ff0000000000000);
    return p * first * second;
});

/* 2^n for -126 <= n <= 127. */
TEENY_DEVICE(f32, power_of_two_f32, (f32 shifted), {
    return tl_bitcast(f32, (tl_bitcast(i32, shifted) << 23) + 0x3f800000);
});

/* 2^n for -1022 <= n <= 1023. */
TEENY_DEVICE(f64, power_of_two_f64, (f64 shifted), {
    return tl_bitcast(f64, (tl_bitcast(i64, shifted) << 52) + 0x3ff0000000000000);
});

#endif
