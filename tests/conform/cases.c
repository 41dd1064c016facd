/* The family of cases: faults that users of tile compilers have met in public, each with the number
 * of its report and what plain C makes of it. Control flow, addresses and memory; the others are in
 * cases_numbers.c. */
#include "cases.h"

#include <math.h>

/* ---- Helpers --------------------------------------------------------------------------------- */

struct array *case_integers(
    struct trial *trial, enum element_id element, size_t count, const int *values)
{
    struct array *array = trial_array(trial, element, count);
    for (size_t i = 0; i < count; i++)
        array_set(trial, array, i, element_convert(I32, element, number_signed(values[i])));
    return array;
}

void case_expect(struct array *out, size_t at, int value)
{
    array_expect(out, at, element_convert(I32, out->element, number_signed(value)));
}

/* x[i] is i, rounded to what the element holds. */
static struct array *counted(struct trial *trial, enum element_id element, size_t count)
{
    struct array *array = trial_array(trial, element, count);
    for (size_t i = 0; i < count; i++)
        array_set(trial, array, i, element_convert(I32, element, number_signed((int)i)));
    return array;
}

/* ---- Control flow ---------------------------------------------------------------------------- */

static void case_01(struct trial *trial)
{
    const int ones[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
              flags[3] = {1, 0, 1};
    struct array *out = trial_array(trial, F32, 5);
    case_integers(trial, F32, 20, ones);
    case_integers(trial, I32, 3, flags);
    for (size_t row = 0; row < 4; row++)
        case_expect(out, row, 4);
    case_expect(out, 4, 7);
    trial_run(trial, teeny_grid1(4));
}

static void case_02(struct trial *trial)
{
    const int step[1] = {-8};
    struct array *out = trial_array(trial, I32, 2);
    case_integers(trial, I32, 1, step);
    case_expect(out, 0, 528); /* 88 + 80 + ... + 8 + 0 */
    case_expect(out, 1, 0);
    trial_run(trial, teeny_grid1(1));
}

static void case_03(struct trial *trial)
{
    enum { WIDTH = 64, PROGRAMS = 5 };
    const int trips[PROGRAMS] = {0, 1, 2, 3, 7};
    struct array *out = trial_array(trial, F32, PROGRAMS * WIDTH);
    counted(trial, F32, 7 * WIDTH);
    case_integers(trial, I32, PROGRAMS, trips);
    for (int program = 0; program < PROGRAMS; program++)
        for (int i = 0; i < WIDTH; i++) {
            int sum = 0;
            for (int trip = 0; trip < trips[program]; trip++)
                sum += trip * WIDTH + i;
            case_expect(out, (size_t)(program * WIDTH + i), sum);
        }
    trial_run(trial, teeny_grid1(PROGRAMS));
}

static void case_04(struct trial *trial)
{
    const int bounds[2] = {3, 10};
    struct array *out = trial_array(trial, F32, 64);
    counted(trial, F32, 80);
    case_integers(trial, I32, 2, bounds);
    for (int i = 0; i < 64; i++)
        case_expect(out, (size_t)i, i + (i + 3) + (i + 6) + (i + 9));
    trial_run(trial, teeny_grid1(1));
}

static void case_06(struct trial *trial)
{
    const int k[3] = {2, 7, -9}, results[8] = {3, -7, 203, -9, 0, 4, 8, 12};
    struct array *out = trial_array(trial, I32, 8);
    case_integers(trial, I32, 3, k);
    for (size_t i = 0; i < 8; i++)
        case_expect(out, i, results[i]);
    trial_run(trial, teeny_grid1(1));
}

static void case_07(struct trial *trial)
{
    const int k[2] = {2, 0};
    struct array *out = trial_array(trial, F32, 64);
    counted(trial, F32, 32);
    case_integers(trial, I32, 2, k);
    for (int i = 0; i < 32; i++)
        case_expect(out, (size_t)i, i);
    trial_run(trial, teeny_grid1(1));
}

static void case_08(struct trial *trial)
{
    struct array *out = trial_array(trial, F32, 96);
    counted(trial, F32, 32);
    counted(trial, F32, 64);
    trial_integer(trial, 3);
    trial_integer(trial, 1);
    trial_integer(trial, 2);
    for (int i = 0; i < 96; i++)
        case_expect(out, (size_t)i, i < 32 ? i : 2 * (i % 32));
    trial_run(trial, teeny_grid1(1));
}

/* ---- Addresses ------------------------------------------------------------------------------- */

static void case_09(struct trial *trial)
{
    struct array *out = trial_array(trial, F32, 512);
    counted(trial, F32, 20);
    for (int r = 0; r < 32; r++)
        for (int c = 0; c < 16; c++)
            case_expect(out, (size_t)(16 * r + c), r % (2 << r / 16) + c);
    trial_run(trial, teeny_grid1(1));
}

static void case_10(struct trial *trial)
{
    struct array *out = trial_array(trial, I32, 192);
    counted(trial, I32, 128);
    for (int i = 0; i < 64; i++) {
        case_expect(out, (size_t)i, 64 + (i - 100) / 32);
        case_expect(out, (size_t)(64 + i), 64 + (i - 37) % 32);
        case_expect(out, (size_t)(128 + i), 64 + (i - 64) / 32);
    }
    trial_run(trial, teeny_grid1(1));
}

static void case_11(struct trial *trial)
{
    const int k[2] = {1, 3};
    struct array *out = trial_array(trial, I32, 192);
    counted(trial, I32, 256);
    case_integers(trial, I32, 2, k);
    for (int i = 0; i < 64; i++) {
        case_expect(out, (size_t)i, i + (1 << 3));
        case_expect(out, (size_t)(64 + i), 192 - 3 * i + (1 << 3));
        case_expect(out, (size_t)(128 + i), 8 + i - 2); /* the lowest bit as the sign, twice */
    }
    trial_run(trial, teeny_grid1(1));
}

static void case_12(struct trial *trial)
{
    const int k[1] = {7};
    struct array *out = trial_array(trial, I32, 32);
    case_integers(trial, I32, 1, k);
    for (int i = 0; i < 32; i++)
        case_expect(out, (size_t)i, i);
    trial_run(trial, teeny_grid1(1));
}

static void case_13(struct trial *trial)
{
    enum { STRIDE = 1185, WIDTH = 100, ROWS = 5 };
    struct array *out = trial_array(trial, trial->element, ROWS * STRIDE);
    const struct array *x = trial_input(trial, trial->element, (size_t)ROWS * STRIDE, value_mixed);
    for (size_t i = 0; i < (size_t)ROWS * STRIDE; i++)
        if (i % STRIDE < WIDTH)
            array_expect(out, i, array_get(trial, x, i));
    trial_run(trial, teeny_grid1(ROWS));
}

/* ---- Masks and memory ------------------------------------------------------------------------ */

static int masked(int value, bool is_set)
{
    return is_set ? value : 0;
}

static void case_14(struct trial *trial)
{
    enum { N = 37 };
    struct array *out = trial_array(trial, trial->element, 65);
    counted(trial, trial->element, 65);
    counted(trial, trial->element, 65);
    trial_integer(trial, N);
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        case_expect(
            out, (size_t)i, masked(i, i < N) + masked(i, i >= 4) + masked(i + 1, i < N && i >= 4));
        sum += masked(i, i < N);
    }
    case_expect(out, 64, sum);
    trial_run(trial, teeny_grid1(1));
}

static void case_15(struct trial *trial)
{
    enum { SIDE = 32, N = 19 };
    struct array *out = trial_array(trial, I32, SIDE * SIDE);
    const struct array *x = trial_input(trial, I8, SIDE * SIDE, value_mixed);
    trial_integer(trial, N);
    for (size_t at = 0; at < SIDE * SIDE; at++) {
        int64_t sum = 0;
        for (size_t k = 0; k < N; k++)
            sum += array_get(trial, x, at / SIDE * SIDE + k).i *
                   array_get(trial, x, at % SIDE * SIDE + k).i;
        array_expect(out, at, number_signed(sum));
    }
    trial_run(trial, teeny_grid1(1));
}

static void case_17(struct trial *trial)
{
    struct array *out = trial_array(trial, I32, 256 + 56);
    counted(trial, I32, 56);
    for (int i = 0; i < 256; i++)
        case_expect(out, (size_t)i, i < 200 ? -5 : i - 200);
    for (int i = 0; i < 56; i++)
        case_expect(out, (size_t)(256 + i), i + 1);
    trial_run(trial, teeny_grid1(1));
}

static void case_18(struct trial *trial)
{
    const int k[2] = {319, 7864320};
    const int64_t product = INT64_C(319) * 7864320;
    struct array *out = trial_array(trial, I64, 9);
    case_integers(trial, I32, 2, k);
    array_expect(out, 0, number_signed(product));
    for (int i = 0; i < 8; i++)
        array_expect(out, (size_t)(1 + i), number_signed(product + i % 4));
    trial_run(trial, teeny_grid1(1));
}

static void case_19(struct trial *trial)
{
    struct array *out = trial_array(trial, BOOL, 257);
    const struct array *x = trial_array(trial, BOOL, 256);
    struct array *counts = trial_array(trial, I32, 3);
    const struct array *wide = trial_array(trial, I32, 256);
    for (size_t i = 0; i < 256; i++) {
        array_set(trial, x, i, number_unsigned(1));
        array_set(trial, wide, i, number_signed(256));
        case_expect(out, i, 1);
    }
    case_expect(out, 256, 1);
    case_expect(counts, 0, 256);
    case_expect(counts, 1, 256);
    case_expect(counts, 2, 2);
    trial_run(trial, teeny_grid1(1));
}

static void case_41(struct trial *trial)
{
    const int64_t shape[] = {466}, stride[] = {1};
    struct array *out = trial_tensor(trial, I8, 1, shape, stride, 466);
    const struct array *in = trial_tensor(trial, I8, 1, shape, stride, 466);
    for (size_t i = 0; i < 466; i++) {
        array_set(trial, in, i, value_mixed(I8, 1, i));
        array_expect(out, i, array_get(trial, in, i));
    }
    trial_run(trial, teeny_grid1(1));
}

/* ---- The rows -------------------------------------------------------------------------------- */

extern const teeny_kernel teeny_kernel_case_01, teeny_kernel_case_02, teeny_kernel_case_03,
    teeny_kernel_case_04, teeny_kernel_case_06, teeny_kernel_case_07, teeny_kernel_case_08,
    teeny_kernel_case_09, teeny_kernel_case_10, teeny_kernel_case_11, teeny_kernel_case_12,
    teeny_kernel_case_13, teeny_kernel_case_14, teeny_kernel_case_15, teeny_kernel_case_17,
    teeny_kernel_case_18, teeny_kernel_case_19, teeny_kernel_case_41;

// clang-format off
static const struct row rows[] = {
    CASE(01, "case.01 dead return", ONE(F32))
    CASE(02, "case.02 step down", ONE(I32))
    CASE(03, "case.03 few trips", ONE(F32))
    CASE(04, "case.04 64-bit bounds", ONE(F32))
    CASE(03, "case.05 one stage", ONE(F32), .stages = 1)
    CASE(06, "case.06 returning helpers", ONE(I32))
    CASE(07, "case.07 tile of branch", ONE(F32))
    CASE(08, "case.08 new pointers", ONE(F32))
    CASE(09, "case.09 uneven rows", ONE(F32))
    CASE(10, "case.10 negative / %", ONE(I32))
    CASE(11, "case.11 shifts", ONE(I32))
    CASE(12, "case.12 constant / 0", ONE(I32))
    TYPED(13, "case.13 stride 1185", ONE(F16) | ONE(F32) | ONE(I8))
    TYPED(14, "case.14 no other", NUMBERS & ~ONE(BF16) & ~ONE(I8) & ~ONE(U8))
    CASE(15, "case.15 i8 to product", ONE(I8))
    CASE(17, "case.17 wild lanes", ONE(I32))
    CASE(18, "case.18 beyond 2^31", ONE(I64))
    CASE(19, "case.19 256 is true", ONE(BOOL))
    CASE(41, "case.41 466 of 1024", ONE(I8))
};
// clang-format on

const struct table case_table = {rows, sizeof rows / sizeof *rows};
