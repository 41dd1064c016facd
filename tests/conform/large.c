/* The family of large tiles: those that a thread cannot hold in registers, and code that is a loop
 * over parts of a tile. */
#include <math.h>
#include <stdlib.h>

#include "families.h"
#include "values.h"

static uint32_t get(const struct trial *trial, const struct array *array, int i)
{
    return (uint32_t)array_get(trial, array, (size_t)i).i;
}

static void expect(struct array *array, int i, uint32_t value)
{
    array_expect(array, (size_t)i, element_convert(U32, I32, number_unsigned(value)));
}

static int32_t shifted(uint32_t value, int amount)
{
    return (int32_t)value >> amount;
}

/* Space for `parts` tiles. */
static uint32_t *tiles(int block, int parts)
{
    uint32_t *made = calloc((size_t)block * (size_t)parts, sizeof *made);
    if (!made)
        abort();
    return made;
}

static void carried(struct trial *trial)
{
    enum { TRIPS = 3 };
    const int block = trial->block, n = block - 5;
    struct array *out = trial_array(trial, I32, (size_t)block + 2);
    const struct array *x = trial_input(trial, I32, (size_t)n, value_mixed);
    trial_integer(trial, n);
    trial_integer(trial, TRIPS);
    uint32_t *v = tiles(block, 2), *w = v + block, sum = 0;
    int largest = 0;
    for (int i = 0; i < block; i++) {
        v[i] = i < n ? get(trial, x, i) : (uint32_t)-7;
        w[i] = (uint32_t)(3 * i + 1);
        for (int t = 0; t < TRIPS; t++) {
            const uint32_t next = v[i] ^ (uint32_t)shifted(w[i], t);
            w[i] = i % 5 == t ? w[i] : v[i] + (uint32_t)t;
            v[i] = next;
        }
        sum += v[i];
        largest = (int32_t)w[i] > (int32_t)w[largest] ? i : largest;
        if (i < n)
            expect(out, i, v[i] - w[i]);
    }
    expect(out, block, sum);
    expect(out, block + 1, (uint32_t)largest);
    free(v);
    trial_run(trial, teeny_grid1(1));
}

static void branches(struct trial *trial)
{
    const int block = trial->block, n = block - 5, trips = trial->size ? 2 : 4;
    struct array *out = trial_array(trial, I32, (size_t)block);
    const struct array *x = trial_input(trial, I32, (size_t)n, value_small);
    trial_integer(trial, n);
    trial_integer(trial, trips);
    for (int i = 0; i < n; i++) /* nothing here reaches the million */
        expect(out, i, trips > 2 ? get(trial, x, i) + 3 * (uint32_t)i : 3 + (uint32_t)i);
    trial_run(trial, teeny_grid1(1));
}

static void in_place(struct trial *trial)
{
    const int block = trial->block, n = block - 5;
    struct array *x = trial_input(trial, I32, (size_t)n + 1, value_mixed);
    trial_integer(trial, n);
    uint32_t *before = tiles(block, 3), *moved = before + block, *turned = moved + block;
    for (int i = 0; i <= n; i++)
        before[i] = get(trial, x, i);
    for (int i = 0; i <= n; i++)
        moved[i] = before[i ? i - 1 : 0];
    for (int i = 0; i <= n; i++)
        turned[i] = i < n ? 2 * moved[n - i] : moved[i];
    for (int i = 0; i <= n; i++)
        expect(x, i, i % 3 == 0 && i < n ? turned[i / 4] + 1 : turned[i]);
    free(before);
    trial_run(trial, teeny_grid1(1));
}

static void moves(struct trial *trial)
{
    enum { SIDE = 128 };
    struct array *out = trial_array(trial, I32, SIDE * SIDE);
    const struct array *x = trial_input(trial, I8, SIDE * SIDE, value_mixed);
    int32_t sum[SIDE] = {0}, most[SIDE];
    for (int i = 0; i < SIDE; i++) {
        most[i] = INT8_MIN;
        for (int j = 0; j < SIDE; j++) {
            const int32_t value = (int32_t)get(trial, x, SIDE * i + j);
            sum[i] += value;
            most[i] = value > most[i] ? value : most[i];
        }
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            const int32_t turned = (int32_t)get(trial, x, SIDE * j + i);
            expect(out, SIDE * i + j, (uint32_t)(turned + 3 * sum[i] + most[j]));
        }
    trial_run(trial, teeny_grid1(1));
}

static void math(struct trial *trial)
{
    const int block = trial->block, n = block - 5;
    const long double unit = 0x1p-23L;
    struct array *out = trial_array(trial, F32, (size_t)block + 1);
    const struct array *x = trial_input(trial, F32, (size_t)n, value_small);
    long double largest = 1; /* of what is not loaded: 0 */
    trial_integer(trial, n);
    for (int i = 0; i < n; i++) {
        const long double v = array_get(trial, x, (size_t)i).f;
        const long double w = powl(expl(sinl(v) / 2), erfl(v)) + logl(fabsl(v) + 1);
        array_expect_near(out, (size_t)i, number_float(w), 16 * unit * (fabsl(w) + 1));
        largest = w > largest ? w : largest;
    }
    array_expect_near(out, (size_t)block, number_float(largest), 16 * unit * (largest + 1));
    trial_run(trial, teeny_grid1(1));
}

/* ---- The rows -------------------------------------------------------------------------------- */

extern const teeny_kernel teeny_kernel_large_carried, teeny_kernel_large_branches,
    teeny_kernel_large_in_place, teeny_kernel_large_moves, teeny_kernel_large_math;

#define LARGE(name_, text, element, ...)                                                           \
    {.family = "large tiles",                                                                      \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_large_##name_,                                                     \
        .elements = ONE(element),                                                                  \
        .run = name_,                                                                              \
        .no_types = true,                                                                          \
        .blocks = {__VA_ARGS__}},

// clang-format off
static const struct row rows[] = {
    LARGE(carried, "two that change places", I32, 512, 16384)
    LARGE(branches, "of one branch", I32, 512, 16384)
    LARGE(in_place, "in place", I32, 512, 16384)
    LARGE(moves, "between threads", I8)
    LARGE(math, "much of each", F32, 512, 8192)
};
// clang-format on

const struct table large_table = {rows, sizeof rows / sizeof *rows};
