/* The family of memory: loads and stores by tiles, by scalars and by blocks of tensors. */
#include <math.h>

#include "elementwise.h"
#include "families.h"

/* ---- Pointers -------------------------------------------------------------------------------- */

static struct number zero_of(void)
{
    return (struct number){0};
}

static void whole(struct trial *trial)
{
    const size_t programs = trial->size == 0 ? 3 : 1, n = (size_t)trial->block * programs;
    struct array *out = trial_array(trial, trial->element, n + programs);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++)
        array_expect(out, i, array_get(trial, x, i));
    for (size_t program = 0; program < programs; program++)
        array_expect(out, n + program, array_get(trial, x, n - 1));
    trial_run(trial, elementwise_grid(n, trial->block));
}

static void masked(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    struct array *out = trial_array(trial, trial->element, n);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++)
        if (i % 5 != 0)
            array_expect(out, i, i % 3 != 0 ? array_get(trial, x, i) : zero_of());
    trial_run(trial, elementwise_grid(n, trial->block));
}

static void other(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    struct array *out = trial_array(trial, trial->element, 2 * n);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    const struct array *y = trial_input(trial, trial->element, 1, value_turning);
    const struct number one = element_convert(I32, trial->element, number_signed(1));
    array_set(trial, y, 0, value_special(trial->element, 3));
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        const bool is_set = i % 3 != 0;
        array_expect(out, i, is_set ? array_get(trial, x, i) : array_get(trial, y, 0));
        array_expect(out, n + i, is_set ? array_get(trial, x, i) : one);
    }
    trial_run(trial, elementwise_grid(n, trial->block));
}

/* The sizes have no common factor with 7, so that every element of part 2 is written once. */
static void gathered(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    struct array *out = trial_array(trial, trial->element, 4 * n);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        array_expect(out, i, array_get(trial, x, n - 1 - i));
        array_expect(out, n + i, 3 * i < n ? array_get(trial, x, 3 * i) : zero_of());
        array_expect(out, 2 * n + 7 * i % n, array_get(trial, x, i));
        array_expect(out, 3 * n + i, array_get(trial, x, n - 1 - i));
    }
    trial_run(trial, elementwise_grid(n, trial->block));
}

static void in_order(struct trial *trial)
{
    enum { PROGRAMS = 3 };
    const size_t block = (size_t)trial->block, n = trial->size == 0 ? block : block / 2 + 1;
    struct array *out = trial_array(trial, trial->element, PROGRAMS * block);
    const struct array *x = trial_input(trial, trial->element, PROGRAMS * n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t program = 0; program < PROGRAMS; program++)
        for (size_t i = 0; i < block; i++) {
            const size_t from = block - 1 - (i + 1) % block;
            array_expect(out, program * block + i,
                from < n ? array_get(trial, x, program * n + from) : zero_of());
        }
    trial_run(trial, teeny_grid1(PROGRAMS));
}

static void scalars(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    struct array *out = trial_array(trial, trial->element, 3 * n);
    const struct array *x = trial_input(trial, trial->element, n, value_turning);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        array_expect(out, i, array_get(trial, x, n - 1 - i));
        array_expect(out, n + i, array_get(trial, x, i));
        if (i % 5 != 0)
            array_expect(out, 2 * n + i, i % 3 != 0 ? array_get(trial, x, i) : zero_of());
    }
    trial_run(trial, elementwise_grid(n, ELEMENTWISE_SCALARS_A_PROGRAM));
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static void fill(struct trial *trial, const struct array *array)
{
    for (size_t i = 0; i < array->count; i++)
        array_set(trial, array, i, value_turning(trial->element, 0, i));
}

/* A view with room between its rows, and a block that hangs over an edge or a corner. */
struct view {
    int64_t shape[2], stride[2];
    int64_t row, column; /* of the block */
    int64_t rows, columns;
};

static struct view view_of(const struct trial *trial)
{
    const int64_t columns = trial->block / 4;
    struct view view = {.shape = {5, columns + 3},
        .stride = {columns + 8, 1},
        .row = 2,
        .column = 5,
        .rows = 4,
        .columns = columns};
    if (trial->size != 0) {
        view.row = -1;
        view.column = -2;
        view.stride[0] = 1; /* columns of memory are rows of the tensor */
        view.stride[1] = 7;
    }
    return view;
}

static size_t length_of(const struct view *view)
{
    return (size_t)((view->shape[0] - 1) * view->stride[0] +
                    (view->shape[1] - 1) * view->stride[1] + 1);
}

/* Where the block's element is in memory; -1: outside of the tensor. */
static int64_t place_of(const struct view *view, int64_t row, int64_t column)
{
    row += view->row;
    column += view->column;
    if (row < 0 || column < 0 || row >= view->shape[0] || column >= view->shape[1])
        return -1;
    return row * view->stride[0] + column * view->stride[1];
}

static void block(struct trial *trial)
{
    const struct view view = view_of(trial);
    struct array *out =
        trial_tensor(trial, trial->element, 2, view.shape, view.stride, length_of(&view));
    const struct array *in =
        trial_tensor(trial, trial->element, 2, view.shape, view.stride, length_of(&view));
    fill(trial, in);
    trial_integer(trial, (int32_t)view.row);
    trial_integer(trial, (int32_t)view.column);
    for (int64_t row = 0; row < view.rows; row++)
        for (int64_t column = 0; column < view.columns; column++) {
            const int64_t at = place_of(&view, row, column);
            if (at >= 0)
                array_expect(out, (size_t)at, array_get(trial, in, (size_t)at));
        }
    trial_run(trial, teeny_grid1(1));
}

/* All of the block, with what elements outside of the tensor are. */
static void padded_with(struct trial *trial, struct number padding)
{
    const struct view view = view_of(trial);
    struct array *out = trial_array(trial, trial->element, (size_t)trial->block);
    const struct array *in =
        trial_tensor(trial, trial->element, 2, view.shape, view.stride, length_of(&view));
    fill(trial, in);
    trial_integer(trial, (int32_t)view.row);
    trial_integer(trial, (int32_t)view.column);
    for (int64_t row = 0; row < view.rows; row++)
        for (int64_t column = 0; column < view.columns; column++) {
            const int64_t at = place_of(&view, row, column);
            array_expect(out, (size_t)(row * view.columns + column),
                at >= 0 ? array_get(trial, in, (size_t)at) : padding);
        }
    trial_run(trial, teeny_grid1(1));
}

static void padded(struct trial *trial)
{
    padded_with(trial, zero_of());
}

static void padded_nan(struct trial *trial)
{
    padded_with(trial, number_float(NAN));
}

static void copied(struct trial *trial, unsigned rank, const int64_t *shape, int64_t programs)
{
    int64_t stride[3] = {1, 1, 1}, count = 1;
    for (unsigned i = rank; i-- > 0;) {
        stride[i] = count;
        count *= shape[i];
    }
    struct array *out = trial_tensor(trial, trial->element, rank, shape, stride, (size_t)count);
    const struct array *in =
        trial_tensor(trial, trial->element, rank, shape, stride, (size_t)count);
    fill(trial, in);
    for (size_t i = 0; i < (size_t)count; i++)
        array_expect(out, i, array_get(trial, in, i));
    trial_run(trial, teeny_grid1(programs));
}

static void line(struct trial *trial)
{
    const int64_t shape[] = {2 * trial->block + (trial->size == 0 ? 5 : -1)};
    copied(trial, 1, shape, 3);
}

static void cube(struct trial *trial)
{
    const int64_t middle = trial->block / 8, shape[] = {5, 3, middle > 2 ? middle - 1 : 1};
    copied(trial, 3, shape, 3);
}

/* ---- The rows -------------------------------------------------------------------------------- */

#define MEMORY(text, stem, elements_, run_, blocks_)                                               \
    {.family = "memory",                                                                           \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_copy_##stem,                                                       \
        .elements = elements_,                                                                     \
        .run = run_,                                                                               \
        .blocks = blocks_,                                                                         \
        .only_t = true},
#define NO_BLOCK {0}

extern const teeny_kernel teeny_kernel_copy_whole, teeny_kernel_copy_masked,
    teeny_kernel_copy_cached, teeny_kernel_copy_volatile, teeny_kernel_copy_other,
    teeny_kernel_copy_gathered, teeny_kernel_copy_in_order, teeny_kernel_copy_scalars,
    teeny_kernel_copy_block, teeny_kernel_copy_padded, teeny_kernel_copy_padded_nan,
    teeny_kernel_copy_line, teeny_kernel_copy_cube;

// clang-format off
static const struct row rows[] = {
    MEMORY("whole tiles", whole, EVERY, whole, BLOCKS)
    MEMORY("masks", masked, EVERY, masked, BLOCKS)
    MEMORY("cache modifiers", cached, EVERY, masked, BLOCKS)
    MEMORY("volatile", volatile, EVERY, masked, BLOCKS)
    MEMORY("masks and other", other, EVERY, other, BLOCKS)
    MEMORY("indices", gathered, EVERY, gathered, BLOCKS)
    MEMORY("program order", in_order, EVERY, in_order, BLOCKS)
    MEMORY("scalars p[i]", scalars, EVERY, scalars, NO_BLOCK)
    MEMORY("blocks [5,n]", block, EVERY, block, BLOCKS)
    MEMORY("blocks, zero outside", padded, EVERY, padded, BLOCKS)
    MEMORY("blocks, TL_PAD_NAN", padded_nan, FLOATS, padded_nan, BLOCKS)
    MEMORY("blocks [n]", line, EVERY, line, BLOCKS)
    MEMORY("blocks [5,3,n]", cube, EVERY, cube, BLOCKS)
};
// clang-format on

const struct table memory_table = {rows, sizeof rows / sizeof *rows};
