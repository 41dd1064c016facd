/* Faults that users of tile compilers have met in public, tried here: the number is that of the
 * list in cases.md. A program stores i32's or, where T is named, elements. */
#include <teeny/kernel.h>

TEENY_TYPE(T, f32);

/* 01: a store in a branch that always runs, an early return that never does, then a reduction. */
TEENY_KERNEL(case_01, (f32 *out, const f32 *x, const i32 *flag), META(), {
    i32 row = tl_program_id(0);
    tl_tile(i32, 4) i = tl_arange(0, 4);
    tl_tile(f32, 4) loaded = tl_load(x + row * 4, i);
    tl_tile(f32, 4) weights = tl_load(x + 16, i);
    if (flag[0])
        if (row == 0)
            tl_store(out + 4, 0, 7.0f, flag[0] == 1);
    if (flag[1])
        return;
    out[row] = tl_sum(loaded * weights);
    if (flag[2]) {
        return;
        out[row] = 0;
    }
});

/* 02: a loop down with a step that only the run knows. */
TEENY_KERNEL(case_02, (i32 *out, const i32 *k), META(), {
    i32 step = k[0];
    i32 sum = 0;
    for (i32 i = 88; i > -1; i += step)
        sum += i;
    out[0] = sum;
    sum = 0;
    for (i32 i = 88; i < -1; i += step)
        sum += 1;
    out[1] = sum;
});

/* 03, 04, 05: few trips or none of a loop with loads, bounds of 64 bits, a step that is not 1. */
TEENY_KERNEL(case_03, (f32 *out, const f32 *x, const i32 *k), META(), {
    i32 trips = k[tl_program_id(0)];
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) sum = tl_zeros(f32, 64);
    for (i32 t = 0; t < trips; t++)
        sum += tl_load(x + t * 64, i);
    tl_store(out + tl_program_id(0) * 64, i, sum);
});

TEENY_KERNEL(case_04, (f32 *out, const f32 *x, const i32 *k), META(), {
    i64 begin = (i64)k[0] << 33;
    i64 end = begin + k[1];
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) sum = tl_zeros(f32, 64);
    for (i64 t = begin; t < end; t += 3)
        sum += tl_load(x + (t - begin), i);
    tl_store(out, i, sum);
});

/* 06: helpers that return out of loops and early, their values used and not. */
TEENY_DEVICE(i32, climb, (i32 pid), {
    while (pid < 5) {
        pid += 1;
        return pid;
    }
    return -pid;
});
TEENY_DEVICE(i32, climb_all, (i32 pid), {
    for (i32 i = 0; i < 10; i++) {
        if (pid + i >= 5)
            return 100 + i;
    }
    return pid;
});
TEENY_KERNEL(case_06, (i32 *out, const i32 *k), META(), {
    climb(k[0]);
    out[0] = climb(k[0]);
    out[1] = climb(k[1]);
    out[2] = climb_all(k[0]) + climb_all(k[1]);
    out[3] = climb_all(k[2]);
    tl_tile(i32, 4) v = tl_arange(0, 4) * climb(climb(k[0]));
    tl_store(out + 4, tl_arange(0, 4), v);
});

/* 07: a helper that may return at once, of a tile that a branch made. */
TEENY_DECL(enum { SIDE = 32 };);
TEENY_DEVICE(void, put_unless, (f32 *out, tl_tile(f32, SIDE) v, i32 n), {
    if (n == 0)
        return;
    tl_store(out, tl_arange(0, SIDE), v);
});

TEENY_KERNEL(case_07, (f32 *out, const f32 *x, const i32 *k), META(), {
    tl_tile(f32, SIDE) v;
    if (k[0] > 1)
        v = tl_load(x, tl_arange(0, SIDE));
    else
        v = tl_zeros(f32, SIDE);
    put_unless(out, v, k[0]);
    put_unless(out + SIDE, v, k[1]);
});

/* 08: pointers and strides that were arguments are changed in a loop. */
TEENY_KERNEL(case_08, (f32 *out, const f32 *a, const f32 *b, i32 n, i32 a_stride, i32 b_stride),
    META(), {
    tl_tile(i32, 32) i = tl_arange(0, 32);
    for (i32 t = 0; t < n; t++) {
        tl_store(out + t * 32, i, tl_load(a, i * a_stride));
        a = b;
        a_stride = b_stride;
    }
});

/* 09: rows of addresses that are not as even as their columns. */
TEENY_KERNEL(case_09, (f32 *out, const f32 *x), META(), {
    tl_tile(i32, 32) r = tl_arange(0, 32) % (2 << (tl_arange(0, 32) / 16));
    tl_tile(i32, 32, 16) at = tl_expand(r, 1, 16) + tl_expand(tl_arange(0, 16), 0, 32);
    tl_tile(i32, 32, 16) place = tl_reshape(tl_arange(0, 512), 32, 16);
    tl_store(out, place, tl_load(x, at));
});

/* 10: quotients and remainders of what is negative are not constant over blocks. */
TEENY_KERNEL(case_10, (i32 *out, const i32 *x), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(out, i, tl_load(x + 64, (i - 100) / 32));
    tl_store(out + 64, i, tl_load(x + 64, (i - 37) % 32));
    tl_store(out + 128, i, tl_load(x + 64, (i - 64) / 32));
});

/* 11: shifts by what only the run knows, negative factors, shifts of 63. */
TEENY_KERNEL(case_11, (i32 *out, const i32 *x, const i32 *k), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(out, i, tl_load(x, i + (k[0] << k[1])));
    tl_store(out + 64, i, tl_load(x + 192, i * -3 + (1 << k[1])));
    tl_tile(i64, 64) far = tl_cast(i64, i) + (((i64)k[0] << 63) >> 62);
    tl_store(out + 128, i, tl_load(x + 8, far));
});

/* 12: a division by a constant 0 that is never used compiles. */
TEENY_KERNEL(case_12, (i32 *out, const i32 *k), META(), {
    tl_tile(i32, 32) i = tl_arange(0, 32);
    i32 zero = 0;
    if (k[0] > 100) {
        tl_store(out, i, i / zero);
        tl_store(out, i, i % zero);
        out[0] = k[0] / zero + 5 % zero;
    }
    tl_store(out, i, i);
});

/* 13: rows of an odd stride from an aligned base. */
TEENY_KERNEL(case_13, (T *out, const T *x), META(), {
    tl_tile(i32, 128) i = tl_arange(0, 128);
    i32 row = tl_program_id(0);
    tl_store(out + row * 1185, i, tl_load(x + row * 1185, i, i < 100), i < 100);
});

/* 14, 16: without `other` lanes masked off are 0, with masks combined and beneath a sum. */
TEENY_KERNEL(case_14, (T *out, const T *x, const T *y, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(T, 64) a = tl_load(x, i, i < n);
    tl_tile(T, 64) b = tl_load(y, i, i >= 4);
    tl_tile(T, 64) c = tl_load(x + 1, i, (i < n) & (i >= 4));
    tl_store(out, i, a + b + c);
    out[64] = (T)tl_sum(tl_load(x, i, i < n));
});

/* 15: a masked load of i8 with an `other` of 0 feeds a product. */
TEENY_KERNEL(case_15, (i32 *out, const i8 *x, i32 n), META(), {
    tl_tile(i32, 32, 32) at = tl_reshape(tl_arange(0, 1024), 32, 32);
    tl_tile(i8, 32, 32) a = tl_load(x, at, at % 32 < n, 0);
    tl_store(out, at, tl_dot(a, tl_trans(a), tl_zeros(i32, 32, 32)));
});

/* 17: lanes masked off lie far outside of all memory. */
TEENY_KERNEL(case_17, (i32 *out, const i32 *x), META(), {
    tl_tile(i32, 256) i = tl_arange(0, 256);
    tl_tile(i64, 256) wild = tl_cast(i64, i - 200) * 1000000000;
    tl_tile(i64, 256) near = tl_cast(i64, i - 200);
    tl_tile(i64, 256) at = tl_where(i < 200, wild, near);
    tl_tile(i32, 256) v = tl_load(x, at, i >= 200, -5);
    tl_store(out, i, v);
    tl_store(out + 256, at, v + 1, i >= 200);
});

/* 18: offsets of more than 2^31. */
TEENY_KERNEL(case_18, (i64 *out, const i32 *k), META(), {
    out[0] = (i64)k[0] * k[1];
    tl_tile(i64, 4) far = (i64)k[0] * k[1] + tl_cast(i64, tl_arange(0, 4));
    tl_store(out + 1, tl_arange(0, 4), far);
    tl_tile(i64, 4) at = tl_cast(i64, tl_arange(0, 4)) + ((i64)k[0] << 24);
    tl_store(out + 5 - ((i64)k[0] << 24), at, far);
});

/* 19: 256 is true; 256 of them are counted as 256. */
TEENY_KERNEL(case_19, (bool *out, const bool *x, i32 *counts, const i32 *wide), META(), {
    tl_tile(i32, 256) i = tl_arange(0, 256);
    tl_store(out, i, tl_load(wide, i));
    out[256] = wide[0];
    counts[0] = tl_count(tl_load(x, i));
    counts[1] = (i32)tl_sum(tl_cast(u8, tl_load(x, i) != 0) & 1);
    counts[2] = x[0] + x[1];
});

/* 20: constants, scalars and tiles divide alike. */
TEENY_KERNEL(case_20, (i32 *out, const i32 *k), META(), {
    tl_tile(i32, 4) seven = tl_full(i32, k[0], 4);
    out[0] = -7 / 2;
    out[1] = -7 % 2;
    out[2] = tl_cdiv(-7, 2);
    out[3] = k[0] / 2;
    out[4] = k[0] % 2;
    out[5] = tl_cdiv(k[0], 2);
    tl_store(out + 6, tl_arange(0, 4), seven / 2);
    tl_store(out + 10, tl_arange(0, 4), seven % 2);
    tl_store(out + 14, tl_arange(0, 4), tl_cdiv(seven, 2));
    out[18] = tl_cdiv(-72, 10);
    out[19] = tl_cdiv(72, -10);
    out[20] = tl_cdiv(72, 10);
});

/* 24: sums of narrow integers do not wrap at their width. */
TEENY_KERNEL(case_24, (i32 *out, const i8 *a, const u8 *b, const u16 *c, const i16 *d), META(), {
    tl_tile(i32, 1024) i = tl_arange(0, 1024);
    out[0] = tl_sum(tl_load(a, i, i < 300));
    out[1] = (i32)tl_sum(tl_load(b, i, i < 300));
    out[2] = (i32)tl_sum(tl_load(c, i, i < 300));
    out[3] = tl_sum(tl_load(d, i, i < 300));
});

/* 25, 26: sums of columns, over rows in a loop, of blocks below and above a program's threads. */
TEENY_KERNEL(case_26, (f32 *out, const f32 *x, i32 rows, i32 columns), META(BLOCK = 16), {
    tl_tile(i32, BLOCK, 8) at_row = tl_expand(tl_arange(0, BLOCK), 1, 8);
    tl_tile(i32, BLOCK, 8) at_column = tl_program_id(0) * 8 + tl_expand(tl_arange(0, 8), 0, BLOCK);
    tl_tile(f32, 8) sum = tl_zeros(f32, 8);
    for (i32 row = 0; row < rows; row += BLOCK)
        sum += tl_sum(tl_load(x, (row + at_row) * columns + at_column,
            (row + at_row < rows) & (at_column < columns)), 0, 8);
    tl_tile(i32, 8) column = tl_program_id(0) * 8 + tl_arange(0, 8);
    tl_store(out, column, sum, column < columns);
});

/* 28: Welford's moments, and a combination that rounds otherwise when its operands change places:
 * each of many runs, of each program, gives the same bits. k is the number of runs and 0. */
TEENY_DEVICE(f32, soft_maximum, (f32 a, f32 b), { return a + tl_log(1.0f + tl_exp(b - a)); });

TEENY_KERNEL(case_28, (i32 *out, f32 *found, const f32 *x, const i32 *k), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    i32 program = tl_program_id(0);
    i32 first_mean = 0;
    i32 first_squares = 0;
    i32 first_soft = 0;
    i32 different = 0;
    for (i32 run = 0; run < k[0]; run++) {
        f32 n = 0;
        f32 mean = 0;
        f32 squares = 0;
        for (i32 block = 0; block < 4; block++) {
            tl_tile(f32, BLOCK) v = tl_load(x + run * k[1] + block * BLOCK, i);
            f32 block_mean = tl_sum(v) / BLOCK;
            f32 block_squares = tl_sum((v - block_mean) * (v - block_mean));
            f32 apart = block_mean - mean;
            mean += apart * (BLOCK / (n + BLOCK));
            squares += block_squares + apart * apart * (n * BLOCK / (n + BLOCK));
            n += BLOCK;
        }
        f32 soft = tl_reduce(tl_load(x + run * k[1], i), soft_maximum);
        found[3 * program] = mean;
        found[3 * program + 1] = squares / n;
        found[3 * program + 2] = soft;
        if (run == 0) {
            first_mean = tl_bitcast(i32, mean);
            first_squares = tl_bitcast(i32, squares);
            first_soft = tl_bitcast(i32, soft);
        }
        if (tl_bitcast(i32, mean) != first_mean || tl_bitcast(i32, squares) != first_squares ||
            tl_bitcast(i32, soft) != first_soft)
            different++;
    }
    out[program] = different;
});

/* 29: ties of the largest and the smallest, along both axes. */
TEENY_KERNEL(case_29, (i32 *out, const i32 *x), META(), {
    tl_tile(i32, 16, 16) v = tl_load(x, tl_reshape(tl_arange(0, 256), 16, 16));
    tl_tile(i32, 16) i = tl_arange(0, 16);
    tl_store(out, i, tl_argmax(v, 0, 16));
    tl_store(out + 16, i, tl_argmax(v, 1, 16));
    tl_store(out + 32, i, tl_argmin(v, 0, 16));
    tl_store(out + 48, i, tl_argmin(v, 1, 16));
    out[64] = tl_argmax(tl_reshape(v, 256));
});

/* 31: a NaN first, last and alone, and zeros of both signs, in either order of operands. */
TEENY_KERNEL(case_31, (f32 *out, const f32 *x), META(), {
    tl_tile(i32, 4) i = tl_arange(0, 4);
    for (i32 row = 0; row < 6; row++) {
        tl_tile(f32, 4) v = tl_load(x + row * 4, i);
        out[row * 8] = tl_max(v);
        out[row * 8 + 1] = tl_min(v);
        out[row * 8 + 2] = tl_argmax(v);
        out[row * 8 + 3] = tl_argmin(v);
        out[row * 8 + 4] = tl_maximum(x[row * 4], x[row * 4 + 3]);
        out[row * 8 + 5] = tl_maximum(x[row * 4 + 3], x[row * 4]);
        out[row * 8 + 6] = tl_minimum(x[row * 4], x[row * 4 + 3]);
        out[row * 8 + 7] = tl_minimum(x[row * 4 + 3], x[row * 4]);
    }
});

/* 32: what does not fit an integer saturates. */
TEENY_KERNEL(case_32, (i32 *out, const T *x), META(), {
    tl_tile(i32, 8) i = tl_arange(0, 8);
    tl_tile(T, 8) v = tl_load(x, i);
    tl_store(out, i, tl_cast(i32, tl_cast(i8, v)));
    tl_store(out + 8, i, tl_cast(i32, tl_cast(u8, v)));
    tl_store(out + 16, i, tl_cast(i32, v));
});

/* 33: 0xfffe >> 5 is 2047 of u16, -1 of i16. */
TEENY_KERNEL(case_33, (i32 *out, const u16 *x, const i16 *y), META(), {
    tl_tile(i32, 4) i = tl_arange(0, 4);
    tl_store(out, i, tl_cast(i32, tl_load(x, i) >> 5));
    tl_store(out + 4, i, tl_cast(i32, tl_load(y, i) >> 5));
    out[8] = x[0] >> 5;
    out[9] = y[0] >> 5;
});

/* 34: division is IEEE's; subnormal numbers stay. */
TEENY_KERNEL(case_34, (f32 *out, const f32 *x, const f32 *y), META(), {
    tl_tile(i32, 4) i = tl_arange(0, 4);
    tl_store(out, i, tl_load(x, i) / tl_load(y, i));
    tl_store(out + 4, i, tl_sqrt(tl_load(x, i)));
    out[8] = x[0] / y[0];
    out[9] = x[3] / y[3];
});

/* 35: f32 products are not rounded to fewer digits. */
TEENY_KERNEL(case_35, (f32 *out, const f32 *x), META(), {
    tl_tile(i32, 32, 32) at = tl_reshape(tl_arange(0, 1024), 32, 32);
    tl_tile(f32, 32, 32) a = tl_load(x, at);
    tl_store(out, at, tl_dot(a, a, tl_zeros(f32, 32, 32)));
});

/* 36, 38: products of i8 in i32, and of operands that were computed between load and product. */
TEENY_KERNEL(case_36, (i32 *out, const i8 *x), META(), {
    tl_tile(i32, 32, 32) at = tl_reshape(tl_arange(0, 1024), 32, 32);
    tl_tile(i8, 32, 32) a = tl_load(x, at);
    tl_tile(i8, 32, 32) b = (a & 15) << 4;
    tl_tile(i8, 32, 32) c = a + 1;
    tl_tile(i32, 32, 32) acc = tl_zeros(i32, 32, 32);
    for (i32 t = 0; t < 3; t++) {
        acc = tl_dot(a, b, acc);
        acc = tl_dot(c, a, acc);
    }
    tl_store(out, at, acc);
});

/* 37: the product of a product, in between rounded to bf16. */
TEENY_KERNEL(case_37, (f32 *out, const bf16 *x), META(), {
    tl_tile(i32, 64, 128) at_a = tl_reshape(tl_arange(0, 8192), 64, 128);
    tl_tile(i32, 128, 64) at_b = tl_reshape(tl_arange(0, 8192), 128, 64);
    tl_tile(bf16, 64, 128) a = tl_load(x, at_a);
    tl_tile(bf16, 128, 64) b = tl_load(x, at_b);
    tl_tile(f32, 64, 64) first = tl_dot(a, b, tl_zeros(f32, 64, 64));
    tl_tile(f32, 64, 128) second = tl_dot(tl_cast(bf16, first), a, tl_zeros(f32, 64, 128));
    tl_store(out, at_a, second);
});

/* 41: a block of 1024 i8 over 466 of them. */
TEENY_KERNEL(case_41, (tl_tensor(i8, 1) out, const tl_tensor(i8, 1) in), META(), {
    tl_store_block(out, (0), tl_load_block(in, (0), (1024)));
});
