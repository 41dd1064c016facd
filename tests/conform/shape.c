/* The family of creation and shapes: three results of BLOCK elements each, whose sources the
 * reference says. */
#include "elementwise.h"
#include "families.h"

enum { A = 4, DEEP = 2, FOUR = 4 }; /* as the kernels have them */

/* Which element of x is element `at` of part `part`, of a tile of `block` elements. */
typedef size_t source(size_t block, unsigned part, size_t at);

/* Coordinates of an element of [d0, d1, d2]. */
struct place {
    size_t i, j, k;
};

static struct place place_in(size_t at, size_t d1, size_t d2)
{
    return (struct place){at / (d1 * d2), at / d2 % d1, at % d2};
}

static size_t expand(size_t block, unsigned part, size_t at)
{
    return part == 1 ? at / A : at % (block / A);
}

static size_t expand_dims(size_t block, unsigned part, size_t at)
{
    (void)block, (void)part;
    return at;
}

static size_t broadcast_to(size_t block, unsigned part, size_t at)
{
    return part == 2 ? 0 : expand(block, part, at);
}

static size_t trans(size_t block, unsigned part, size_t at)
{
    const size_t columns = block / A, middle = block / 8;
    if (part == 1)
        return at;
    if (part == 0) /* of [A, columns] */
        return at % A * columns + at / A;
    const struct place place = place_in(at, FOUR, middle); /* of [2, 4, middle] */
    return (place.i * middle + place.k) * FOUR + place.j;
}

/* The source is [2, middle, 4]. */
static size_t permute(size_t block, unsigned part, size_t at)
{
    const size_t middle = block / 8;
    const struct place of_201 = place_in(at, DEEP, middle), of_120 = place_in(at, FOUR, DEEP),
                       of_102 = place_in(at, DEEP, FOUR);
    if (part == 0)
        return (of_201.j * middle + of_201.k) * FOUR + of_201.i;
    if (part == 1)
        return (of_120.k * middle + of_120.i) * FOUR + of_120.j;
    return (of_102.j * middle + of_102.i) * FOUR + of_102.k;
}

/* The source is [2, 2, fifth, 2, 2], and of the last part [2, 2, fourth, 2]. */
static size_t ranks(size_t block, unsigned part, size_t at)
{
    const size_t fifth = block / 16, fourth = block / 8;
    if (part == 0)
        return at;
    if (part == 2)
        return (at / (2 * fourth) * fourth + at % fourth) * 2 + at / fourth % 2;
    const size_t i4 = at / (8 * fifth), i2 = at / 8 % fifth; /* of [i4, i2, i0, i1, i3] */
    const size_t i0 = at / 4 % 2, i1 = at / 2 % 2, i3 = at % 2;
    return (((i0 * 2 + i1) * fifth + i2) * 2 + i3) * 2 + i4;
}

/* The last part of `expand` is twice as long. */
static void shapes(struct trial *trial)
{
    source *const from = (source *)trial->row->reference;
    const size_t block = (size_t)trial->block, n = trial->size == 0 ? block - 3 : block / 4;
    const size_t total = (from == expand ? 4 : 3) * block;
    struct array *out = trial_array(trial, trial->element, total);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < total; i++) {
        const unsigned part = i < 3 * block ? (unsigned)(i / block) : 2;
        const size_t at = from(block, part, i - part * block);
        struct number zero = {0};
        array_expect(out, i, at < n ? array_get(trial, x, at) : zero);
    }
    trial_run(trial, teeny_grid1(1));
}

static void arange(struct trial *trial)
{
    const int block = trial->block;
    struct array *out = trial_array(trial, trial->element, 3 * (size_t)block);
    for (int i = 0; i < block; i++) {
        array_expect(out, (size_t)i, number_signed(i));
        array_expect(out, (size_t)(block + i), number_signed(i - 3));
        array_expect(out, (size_t)(2 * block + i), number_signed(block + i));
    }
    trial_run(trial, teeny_grid1(1));
}

static void zeros(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    const struct number zero = {0};
    struct array *out = trial_array(trial, trial->element, 2 * n);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < 2 * n; i++)
        array_expect(out, i, zero);
    trial_run(trial, elementwise_grid(n, trial->block));
}

static void full(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    const struct number one = element_convert(I32, trial->element, number_signed(1));
    struct array *out = trial_array(trial, trial->element, 2 * n);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        array_expect(out, i, array_get(trial, x, i / (size_t)trial->block % n));
        array_expect(out, n + i, one);
    }
    trial_run(trial, elementwise_grid(n, trial->block));
}

/* ---- The rows -------------------------------------------------------------------------------- */

#define SHAPE(text, stem, elements_, run_, reference_)                                             \
    {.family = "creation and shapes",                                                              \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##stem##_rows,                                                     \
        .elements = elements_,                                                                     \
        .run = run_,                                                                               \
        .blocks = BLOCKS,                                                                          \
        .only_t = true,                                                                            \
        .reference = (void (*)(void))(reference_)},

extern const teeny_kernel teeny_kernel_arange_rows, teeny_kernel_zeros_rows, teeny_kernel_full_rows,
    teeny_kernel_expand_rows, teeny_kernel_expand_dims_rows, teeny_kernel_broadcast_to_rows,
    teeny_kernel_reshape_rows, teeny_kernel_trans_rows, teeny_kernel_permute_rows,
    teeny_kernel_ranks_rows;

// clang-format off
static const struct row rows[] = {
    SHAPE("tl_arange", arange, ONE(I32), arange, NULL)
    SHAPE("tl_zeros", zeros, EVERY, zeros, NULL)
    SHAPE("tl_full", full, COMPUTED, full, NULL)
    SHAPE("tl_expand", expand, EVERY, shapes, expand)
    SHAPE("tl_expand_dims", expand_dims, EVERY, shapes, expand_dims)
    SHAPE("tl_broadcast_to", broadcast_to, EVERY, shapes, broadcast_to)
    SHAPE("tl_reshape", reshape, EVERY, shapes, expand_dims) /* the same order of elements */
    SHAPE("tl_trans", trans, EVERY, shapes, trans)
    SHAPE("tl_permute", permute, EVERY, shapes, permute)
    SHAPE("ranks 4 and 5", ranks, EVERY, shapes, ranks)
};
// clang-format on

const struct table shape_table = {rows, sizeof rows / sizeof *rows};
