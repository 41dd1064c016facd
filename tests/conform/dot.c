/* The family of tl_dot: exact on small numbers, and within the bound of any order of sums on random
 * ones (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). */
#include <math.h>

#include "families.h"
#include "values.h"

/* Sizes of one trial: `batch` products of [m,k] by [k,n]. */
struct sizes {
    size_t batch, m, n, k;
};

/* Of floats below 1, and of integers of all sizes. */
static struct number random_factor(enum element_id element, unsigned operand, size_t i)
{
    const uint64_t bits = value_bits(operand, i);
    if (elements[element].class == FLOATING)
        return element_round(element, number_float((long double)(int64_t)bits / 0x1p63L));
    return element_round(element, number_unsigned(bits));
}

static long double as_float(enum element_id element, struct number number)
{
    if (elements[element].class == FLOATING)
        return number.f;
    return elements[element].class == SIGNED ? (long double)number.i : (long double)number.u;
}

/* One element; with `twice` the product with b + b, which may wrap, is added as well. */
static void expect_element(struct trial *trial, struct sizes sizes, size_t at, bool twice)
{
    const struct array *x = &trial->arrays[1], *y = &trial->arrays[2], *z = &trial->arrays[3];
    const size_t j = at % sizes.n, i = at / sizes.n % sizes.m, s = at / (sizes.m * sizes.n);
    const long double start = as_float(trial->result, array_get(trial, z, at));
    long double sum = start, magnitude = fabsl(start);
    for (size_t k = 0; k < sizes.k; k++) {
        const struct number b = array_get(trial, y, (s * sizes.k + k) * sizes.n + j);
        const struct number sum_of_b =
            element_round(trial->element, (struct number){.u = b.u + b.u, .f = b.f + b.f});
        const long double a =
            as_float(trial->element, array_get(trial, x, (s * sizes.m + i) * sizes.k + k));
        const long double factor =
            as_float(trial->element, b) + (twice ? as_float(trial->element, sum_of_b) : 0);
        sum += a * factor;
        magnitude += fabsl(a * factor);
    }
    if (elements[trial->result].class != FLOATING) {
        array_expect(&trial->arrays[0], at, number_signed((int64_t)sum));
        return;
    }
    const long double count = (long double)sizes.k * 2 + 2;
    const long double slack =
        trial->size == 0 ? 0 : count * ldexpl(magnitude, -elements[trial->result].digits);
    const struct number exact = number_float(sum == 0 ? 0 : sum);
    array_expect_near(&trial->arrays[0], at, exact, slack);
}

static void dot(struct trial *trial, struct sizes sizes, bool twice, teeny_grid grid)
{
    value_function *value = trial->size == 0 ? value_small : random_factor;
    struct array *out = trial_array(trial, trial->result, sizes.batch * sizes.m * sizes.n);
    trial_input(trial, trial->element, sizes.batch * sizes.m * sizes.k, value);
    trial_input(trial, trial->element, sizes.batch * sizes.k * sizes.n, value);
    trial_input(trial, trial->result, out->count, value_small);
    trial_integer(trial, (int32_t)sizes.m);
    trial_integer(trial, (int32_t)sizes.n);
    trial_integer(trial, (int32_t)sizes.k);
    for (size_t at = 0; at < out->count; at++)
        expect_element(trial, sizes, at, twice);
    trial_run(trial, grid);
}

/* All of the block, or some of it. */
static struct sizes in_block(const struct trial *trial, size_t batch)
{
    const size_t block = (size_t)trial->block;
    if (trial->size == 0)
        return (struct sizes){batch, block, block, 16};
    return (struct sizes){batch, block - 3, block - 5, 13};
}

static void once(struct trial *trial)
{
    dot(trial, in_block(trial, 1), false, teeny_grid1(1));
}

static void batch(struct trial *trial)
{
    dot(trial, in_block(trial, 2), false, teeny_grid1(1));
}

static void loop(struct trial *trial)
{
    const size_t block = (size_t)trial->block;
    const struct sizes sizes = {1, block + 3, block - 1, trial->size == 0 ? 32 : 41};
    dot(trial, sizes, true, teeny_grid2(2, 1));
}

/* ---- The rows -------------------------------------------------------------------------------- */

enum { FACTORS = FLOATS | ONE(I8) };

#define DOT(text, stem, elements_, result_)                                                        \
    {.family = "dot",                                                                              \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_dot_##stem,                                                        \
        .elements = elements_,                                                                     \
        .result = result_,                                                                         \
        .fixed = F16,                                                                              \
        .run = stem,                                                                               \
        .blocks = {16, 64}},

extern const teeny_kernel teeny_kernel_dot_once, teeny_kernel_dot_batch, teeny_kernel_dot_loop;

// clang-format off
static const struct row rows[] = {
    DOT("tl_dot", once, FACTORS, ACCUMULATED)
    DOT("tl_dot, f16 sums", once, ONE(F16), FIXED)
    DOT("tl_dot, batch", batch, FACTORS, ACCUMULATED)
    DOT("tl_dot, loop over k", loop, FACTORS, ACCUMULATED)
};
// clang-format on

const struct table dot_table = {rows, sizeof rows / sizeof *rows};
