/* The family of cases, continued: integers, reductions, floats and products. See cases.c. */
#include "cases.h"

#include <math.h>
#include <string.h>

/* ---- Integers -------------------------------------------------------------------------------- */

static void case_20(struct trial *trial)
{
    const int k[1] = {-7}, alone[] = {-3, -1, -3, -3, -1, -3}, last[] = {-7, -7, 8};
    struct array *out = trial_array(trial, I32, 21);
    case_integers(trial, I32, 1, k);
    for (size_t i = 0; i < 6; i++)
        case_expect(out, i, alone[i]);
    for (size_t i = 0; i < 12; i++)
        case_expect(out, 6 + i, i / 4 == 1 ? -1 : -3);
    for (size_t i = 0; i < 3; i++)
        case_expect(out, 18 + i, last[i]);
    trial_run(trial, teeny_grid1(1));
}

static void case_24(struct trial *trial)
{
    enum { COUNT = 300 };
    static const struct {
        enum element_id element;
        int value;
    } inputs[] = {{I8, 127}, {U8, 255}, {U16, 65535}, {I16, -32768}};
    struct array *out = trial_array(trial, I32, 4);
    for (size_t k = 0; k < 4; k++) {
        const struct array *x = trial_array(trial, inputs[k].element, COUNT);
        for (size_t i = 0; i < COUNT; i++)
            array_set(
                trial, x, i, element_round(inputs[k].element, number_signed(inputs[k].value)));
        case_expect(out, k, COUNT * inputs[k].value);
    }
    trial_run(trial, teeny_grid1(1));
}

static void case_33(struct trial *trial)
{
    const int values[4] = {0xfffe, 0x8000, 0x7fff, 31};
    struct array *out = trial_array(trial, I32, 10);
    case_integers(trial, U16, 4, values);
    case_integers(trial, I16, 4, values);
    const int results[10] = {2047, 1024, 1023, 0, -1, -1024, 1023, 0, 2047, -1};
    for (size_t i = 0; i < 10; i++)
        case_expect(out, i, results[i]);
    trial_run(trial, teeny_grid1(1));
}

/* ---- Reductions ------------------------------------------------------------------------------ */

static void case_26(struct trial *trial)
{
    enum { ROWS = 77, COLUMNS = 19 };
    struct array *out = trial_array(trial, F32, COLUMNS);
    const struct array *x = trial_input(trial, F32, (size_t)ROWS * COLUMNS, value_small);
    trial_integer(trial, ROWS);
    trial_integer(trial, COLUMNS);
    for (size_t column = 0; column < COLUMNS; column++) {
        long double sum = 0;
        for (size_t row = 0; row < ROWS; row++)
            sum += array_get(trial, x, row * COLUMNS + column).f;
        array_expect(out, column, number_float(sum));
    }
    trial_run(trial, teeny_grid1(3));
}

/* 1 to 2, with all digits. */
static struct number value_of_all_digits(enum element_id element, unsigned operand, size_t i)
{
    const long double digits = (long double)(value_bits(operand, i) >> 41) / 0x1p23L;
    return element_round(element, number_float(1 + digits));
}

/* 1000 runs, on emu fewer; then all of that again. */
static void case_28(struct trial *trial)
{
    enum { BLOCK = 1024, COUNT = 4 * BLOCK, PROGRAMS = 16, RESULTS = 3 * PROGRAMS };
    const bool is_slow = strcmp(teeny_device_name(trial->bench->device), "emu") == 0;
    const int k[2] = {is_slow ? 3 : 1000, 0};
    const char *found = (const char *)trial->bench->after;
    long double mean = 0, squares = 0, exponentials = 0;
    struct array *out = trial_array(trial, I32, PROGRAMS);
    struct array *results = trial_array(trial, F32, RESULTS);
    const struct array *x = trial_input(trial, F32, COUNT, value_of_all_digits);
    case_integers(trial, I32, 2, k);
    for (size_t i = 0; i < COUNT; i++)
        mean += array_get(trial, x, i).f / COUNT;
    for (size_t i = 0; i < COUNT; i++)
        squares += powl(array_get(trial, x, i).f - mean, 2) / COUNT;
    for (size_t i = 0; i < BLOCK; i++)
        exponentials += expl(array_get(trial, x, i).f);
    for (size_t i = 0; i < PROGRAMS; i++) {
        case_expect(out, i, 0);
        array_expect_near(results, 3 * i, number_float(mean), 1e-5L);
        array_expect_near(results, 3 * i + 1, number_float(squares), 1e-5L);
        array_expect_near(results, 3 * i + 2, number_float(logl(exponentials)), 1e-4L);
    }
    char before[RESULTS * sizeof(float)] = {0};
    for (int time = 0; time < 2; time++) {
        trial_run(trial, teeny_grid1(PROGRAMS));
        for (size_t i = 1; i < PROGRAMS; i++)
            if (memcmp(found + results->offset, found + results->offset + 12 * i, 12) != 0)
                trial_fail(trial, "programs 0 and %zu find other bits", i);
        if (time && memcmp(before, found + results->offset, sizeof before) != 0)
            trial_fail(trial, "another launch finds other bits");
        memcpy(before, found + results->offset, sizeof before);
    }
}

/* The first index, along a stride, of the largest (sign 1) or the smallest. */
static int first_extreme(const struct trial *trial, const struct array *x, size_t begin,
    size_t stride, size_t n, int sign)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (sign * array_get(trial, x, begin + i * stride).i >
            sign * array_get(trial, x, begin + best * stride).i)
            best = i;
    return (int)best;
}

static void case_29(struct trial *trial)
{
    enum { SIDE = 16 };
    struct array *out = trial_array(trial, I32, 4 * SIDE + 1);
    const struct array *x = trial_array(trial, I32, SIDE * SIDE);
    for (size_t i = 0; i < SIDE * SIDE; i++)
        array_set(trial, x, i, number_signed((int64_t)(value_bits(0, i) >> 40 & 3)));
    for (size_t i = 0; i < SIDE; i++) {
        case_expect(out, i, first_extreme(trial, x, i, SIDE, SIDE, 1));
        case_expect(out, SIDE + i, first_extreme(trial, x, SIDE * i, 1, SIDE, 1));
        case_expect(out, 2 * SIDE + i, first_extreme(trial, x, i, SIDE, SIDE, -1));
        case_expect(out, 3 * SIDE + i, first_extreme(trial, x, SIDE * i, 1, SIDE, -1));
    }
    case_expect(out, 4 * SIDE, first_extreme(trial, x, 0, 1, SIDE * SIDE, 1));
    trial_run(trial, teeny_grid1(1));
}

static void case_31(struct trial *trial)
{
    enum { ROWS = 6 };
    const float x[ROWS][4] = {{NAN, 1, 2, 3}, {3, 2, 1, NAN}, {NAN, NAN, NAN, NAN},
        {INFINITY, NAN, 0, -INFINITY}, {-0.0f, -0.0f, 0.0f, 0.0f}, {NAN, -INFINITY, NAN, -1}};
    /* max, min, argmax, argmin, and the larger and the smaller of the first and the last. */
    const float results[ROWS][6] = {{3, 1, 3, 1, 3, 3}, {3, 1, 0, 2, 3, 3},
        {NAN, NAN, 0, 0, NAN, NAN}, {INFINITY, -INFINITY, 0, 3, INFINITY, -INFINITY},
        {0.0f, -0.0f, 2, 0, 0.0f, -0.0f}, {-1, -INFINITY, 3, 1, -1, -1}};
    static const int columns[8] = {0, 1, 2, 3, 4, 4, 5, 5};
    struct array *out = trial_array(trial, F32, 8 * ROWS);
    const struct array *in = trial_array(trial, F32, 4 * ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < 4; i++)
            array_set(trial, in, 4 * row + i, number_float(x[row][i]));
        for (size_t i = 0; i < 8; i++)
            array_expect(out, 8 * row + i, number_float(results[row][columns[i]]));
    }
    trial_run(trial, teeny_grid1(1));
}

/* ---- Floats ---------------------------------------------------------------------------------- */

static void case_32(struct trial *trial)
{
    const float x[8] = {INFINITY, -INFINITY, NAN, 510, -200, 127.9f, -0.9f, 255.5f};
    const int results[24] = {127, -128, 0, 127, -128, 127, 0, 127, 255, 0, 0, 255, 0, 127, 0, 255,
        INT32_MAX, INT32_MIN, 0, 510, -200, 127, 0, 255};
    struct array *out = trial_array(trial, I32, 24);
    const struct array *in = trial_array(trial, trial->element, 8);
    for (size_t i = 0; i < 8; i++)
        array_set(trial, in, i, number_float(x[i]));
    for (size_t i = 0; i < 24; i++)
        array_expect(out, i, number_signed(results[i]));
    if (trial->element == F16) /* f16 has 127.875 for 127.9 */
        array_expect(out, 5, number_signed(127));
    trial_run(trial, teeny_grid1(1));
}

static void case_34(struct trial *trial)
{
    const float x[4] = {4.6875f, 0x1p-140f, 1.0f, 0x1.8p-130f}, y[4] = {0.9375f, 2, 3, 0x1p-10f};
    struct array *out = trial_array(trial, F32, 10);
    const struct array *in = trial_array(trial, F32, 4), *by = trial_array(trial, F32, 4);
    for (size_t i = 0; i < 4; i++) {
        array_set(trial, in, i, number_float(x[i]));
        array_set(trial, by, i, number_float(y[i]));
        array_expect(out, i, number_float((double)x[i] / y[i]));
        array_expect(out, 4 + i, number_float(sqrt(x[i])));
    }
    array_expect(out, 8, number_float(5));
    array_expect(out, 9, number_float(0x1.8p-120f));
    for (size_t i = 0; i < 8; i++) /* rounded once more, which is innocent here */
        array_expect(out, i, element_round(F32, out->expected[i].number));
    trial_run(trial, teeny_grid1(1));
}

/* ---- Products -------------------------------------------------------------------------------- */

enum { SIDE = 32 };

static void case_35(struct trial *trial)
{
    struct array *out = trial_array(trial, F32, SIDE * SIDE);
    const struct array *x = trial_input(trial, F32, SIDE * SIDE, value_of_all_digits);
    for (size_t at = 0; at < SIDE * SIDE; at++) {
        long double sum = 0;
        for (size_t k = 0; k < SIDE; k++)
            sum += array_get(trial, x, at / SIDE * SIDE + k).f *
                   array_get(trial, x, k * SIDE + at % SIDE).f;
        array_expect_near(out, at, number_float(sum), SIDE * ldexpl(sum, -24));
    }
    trial_run(trial, teeny_grid1(1));
}

static void case_36(struct trial *trial)
{
    struct array *out = trial_array(trial, I32, SIDE * SIDE);
    const struct array *x = trial_input(trial, I8, SIDE * SIDE, value_mixed);
    for (size_t at = 0; at < SIDE * SIDE; at++) {
        int64_t sum = 0;
        for (size_t k = 0; k < SIDE; k++) {
            const struct number left = array_get(trial, x, at / SIDE * SIDE + k),
                                right = array_get(trial, x, k * SIDE + at % SIDE);
            const int64_t b = element_round(I8, number_signed((right.i & 15) * 16)).i;
            const int64_t c = element_round(I8, number_signed(left.i + 1)).i;
            sum += 3 * (left.i * b + c * right.i);
        }
        array_expect(out, at, number_signed(sum));
    }
    trial_run(trial, teeny_grid1(1));
}

/* Small numbers: the first product is exact in f32, the second in any order. */
static void case_37(struct trial *trial)
{
    enum { M = 64, K = 128 };
    static _Thread_local long double first[M * M];
    struct array *out = trial_array(trial, F32, M * K);
    const struct array *x = trial_input(trial, BF16, M * K, value_small);
    for (size_t at = 0; at < M * M; at++) {
        first[at] = 0;
        for (size_t k = 0; k < K; k++)
            first[at] +=
                array_get(trial, x, at / M * K + k).f * array_get(trial, x, k * M + at % M).f;
        first[at] = element_round(BF16, number_float(first[at])).f;
    }
    for (size_t at = 0; at < M * K; at++) {
        long double sum = 0;
        for (size_t k = 0; k < M; k++)
            sum += first[at / K * M + k] * array_get(trial, x, k * K + at % K).f;
        array_expect(out, at, number_float(sum == 0 ? 0 : sum));
    }
    trial_run(trial, teeny_grid1(1));
}

/* ---- The rows -------------------------------------------------------------------------------- */

extern const teeny_kernel teeny_kernel_case_20, teeny_kernel_case_24, teeny_kernel_case_26,
    teeny_kernel_case_28, teeny_kernel_case_29, teeny_kernel_case_31, teeny_kernel_case_32,
    teeny_kernel_case_33, teeny_kernel_case_34, teeny_kernel_case_35, teeny_kernel_case_36,
    teeny_kernel_case_37;

// clang-format off
static const struct row rows[] = {
    CASE(20, "case.20 -7 / 2", ONE(I32))
    CASE(24, "case.24 narrow sums", ONE(I32))
    CASE(26, "case.26 column sums", ONE(F32), .blocks = {16, 128})
    CASE(28, "case.28 same bits", ONE(F32))
    CASE(29, "case.29 ties", ONE(I32))
    CASE(31, "case.31 NaN and zeros", ONE(F32))
    TYPED(32, "case.32 saturation", ONE(F16) | ONE(F32) | ONE(F64))
    CASE(33, "case.33 0xfffe >> 5", ONE(U16))
    CASE(34, "case.34 4.6875 / 0.9375", ONE(F32))
    CASE(35, "case.35 f32 products", ONE(F32))
    CASE(36, "case.36 i8 products", ONE(I8))
    CASE(37, "case.37 chained products", ONE(BF16))
};
// clang-format on

const struct table case_number_table = {rows, sizeof rows / sizeof *rows};
