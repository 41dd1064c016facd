/* How many quarter turns an angle is: |x| * 2/pi, modulo 4, for any finite x >= 1.
 *
 * Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18, 1983, in
 * fixed point:
 *
 *     x = m * 2^(e - d)               m an integer of d + 1 bits (d = 23 or 52), e the exponent
 *     2/pi = 0.101000101111...        as a string of bits, the k-th of weight 2^-k
 *
 *            ...0000.1010 0010 1111 1001 1000 0011 0110 1110 0100 1110 ...
 *                   |      [ high ][ middle ][  low  ]
 *                   |      ^ bit e - d - 1: what stands before it makes multiples of 4
 *
 * so that three words from there on, times m, are the product modulo 4 with all the digits that
 * cancel near a multiple of pi/2 and d + 1 more. The words come from a table of constants by
 * choices, one for each bit of the word's number: a table in memory would cost a gather for each
 * element. The table begins with d + 2 zero bits, so that the window begins at bit e of it.
 */
#ifndef TEENY_MATH_QUARTER_TURNS_H
#define TEENY_MATH_QUARTER_TURNS_H

#include <teeny/kernel.h>

/* The upper half of a product of two. */
TEENY_DEVICE(u64, multiply_high, (u64 a, u64 b), {
    u64 a_low = a & 0xffffffff;
    u64 a_high = a >> 32;
    u64 b_low = b & 0xffffffff;
    u64 b_high = b >> 32;
    u64 low = a_low * b_low;
    u64 first = a_high * b_low + (low >> 32);
    u64 second = a_low * b_high + (first & 0xffffffff);
    return a_high * b_high + (first >> 32) + (second >> 32);
});

/* 32 bits from bit `shift` of two words on, and 64. */
TEENY_DEVICE(u32, window_32, (u32 word, u32 next, u32 shift), {
    return (word << shift) | ((next >> 1) >> (shift ^ 31));
});

TEENY_DEVICE(u64, window_64, (u64 word, u64 next, u64 shift), {
    return (word << shift) | ((next >> 1) >> (shift ^ 63));
});

/* In units of 2^-62 quarter turns. `bits`: those of |x|, an f32. */
TEENY_DEVICE(u64, quarter_turns_f32, (i32 bits), {
    i32 e = (bits >> 23) - 127;
    bool by_two = (e & 64) != 0;
    u32 a0 = by_two ? 0x220a94feu : 0x00000051u;
    u32 a1 = by_two ? 0x13abe8fau : 0x7cc1b727u;
    u32 a2 = by_two ? 0x9a6ee06du : 0x220a94feu;
    u32 a3 = by_two ? 0xb14acc9eu : 0x13abe8fau;
    u32 a4 = by_two ? 0x21c820ffu : 0x9a6ee06du;
    bool by_one = (e & 32) != 0;
    u32 b0 = by_one ? a1 : a0;
    u32 b1 = by_one ? a2 : a1;
    u32 b2 = by_one ? a3 : a2;
    u32 b3 = by_one ? a4 : a3;

    u32 shift = (u32)e & 31;
    u32 high = window_32(b0, b1, shift);
    u32 middle = window_32(b1, b2, shift);
    u32 low = window_32(b2, b3, shift);
    u32 m = ((u32)bits & 0x7fffff) | 0x800000;
    return ((u64)(m * high) << 32) + (u64)m * middle + (((u64)m * low) >> 32);
});

/* The upper or the lower half of 128 bits, in units of 2^-126 quarter turns. `bits`: those of |x|,
 * an f64. */
TEENY_DEVICE(u64, quarter_turns_f64, (i64 bits, bool is_upper), {
    i32 e = (i32)(bits >> 52) - 1023;
    bool by_eight = (e & 512) != 0;
    u64 a0 = by_eight ? 0x8d7d4baed1213a6u : 0x28bu;
    u64 a1 = by_eight ? 0x71c09ad17df904e6u : 0xe60db9391054a7f0u;
    u64 a2 = by_eight ? 0x4758e60d4ce7d272u : 0x9d5f47d4d377036du;
    u64 a3 = by_eight ? 0x117e2ef7e4a0ec7fu : 0x8a5664f10e4107f9u;
    u64 a4 = by_eight ? 0xe25fff7816603fbcu : 0x458eaf7aef1586dcu;
    u64 a5 = by_eight ? 0xbc462d6829b47db4u : 0x91b8e909374b8019u;
    u64 a6 = by_eight ? 0xd9fb3c9f2c26dd3du : 0x24bba827464873f8u;
    u64 a7 = by_eight ? 0x18fd9a797fa8b5d4u : 0x77ac72c4a69cfba2u;
    u64 a8 = by_eight ? 0x9eeb1faf97c5ecf4u : 0x8d7d4baed1213a6u;
    u64 a9 = by_eight ? 0x1ce7de294a4ba9afu : 0x71c09ad17df904e6u;
    u64 a10 = by_eight ? 0xed7ec47e35742158u : 0x4758e60d4ce7d272u;
    bool by_four = (e & 256) != 0;
    u64 b0 = by_four ? a4 : a0;
    u64 b1 = by_four ? a5 : a1;
    u64 b2 = by_four ? a6 : a2;
    u64 b3 = by_four ? a7 : a3;
    u64 b4 = by_four ? a8 : a4;
    u64 b5 = by_four ? a9 : a5;
    u64 b6 = by_four ? a10 : a6;
    bool by_two = (e & 128) != 0;
    u64 c0 = by_two ? b2 : b0;
    u64 c1 = by_two ? b3 : b1;
    u64 c2 = by_two ? b4 : b2;
    u64 c3 = by_two ? b5 : b3;
    u64 c4 = by_two ? b6 : b4;
    bool by_one = (e & 64) != 0;
    u64 d0 = by_one ? c1 : c0;
    u64 d1 = by_one ? c2 : c1;
    u64 d2 = by_one ? c3 : c2;
    u64 d3 = by_one ? c4 : c3;

    u64 shift = (u64)(e & 63);
    u64 high = window_64(d0, d1, shift);
    u64 middle = window_64(d1, d2, shift);
    u64 low = window_64(d2, d3, shift);
    u64 m = ((u64)bits & 0xfffffffffffff) | 0x10000000000000;
    u64 carried = multiply_high(m, low);
    u64 lower = m * middle + carried;
    u64 carry = lower < carried ? 1u : 0u;
    u64 upper = m * high + multiply_high(m, middle) + carry;
    return is_upper ? upper : lower;
});

#endif
