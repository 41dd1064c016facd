/* See elementwise.h. */
#include "elementwise.h"

enum { FEW = 13 };

size_t elementwise_size(const struct trial *trial)
{
    if (trial->size != 0)
        return FEW;
    return trial->block > SPECIAL_PAIRS ? (size_t)trial->block + SPECIAL_PAIRS + 19
                                        : SPECIAL_PAIRS + 19;
}

teeny_grid elementwise_grid(size_t n, int block)
{
    return teeny_grid1((int64_t)((n + (size_t)block - 1) / (size_t)block));
}

/* Within the row's bound of the exact value; narrow floats are computed in f32 and rounded once. */
static long double slack_of(const struct trial *trial, struct number exact)
{
    const struct row *row = trial->row;
    const enum element_id element = trial->result;
    if (elements[element].class != FLOATING || row->f32_bound == 0 || exact.f == 0)
        return 0;
    const double bound = element == F64   ? row->f64_bound
                         : element == F32 ? row->f32_bound
                                          : 0.5 + row->f32_bound / 4096;
    return bound * element_unit(element, exact.f);
}

void elementwise_expect(struct trial *trial, enum element_id computed, struct array *out, size_t i,
    const struct number operands[3])
{
    const bool is_scalar = trial->block == 0;
    struct number exact;
    if (!trial->row->elementwise(computed, operands, &exact)) {
        array_expect_anything(out, i);
        return;
    }
    if (trial->row->is_truth) {
        array_expect(out, i, number_signed(is_scalar ? exact.i : -exact.i));
        return;
    }
    if (computed == BOOL) /* a mask has one bit a lane */
        exact.u &= 1;
    const long double slack = slack_of(trial, exact);
    if (slack == 0)
        exact = element_convert(computed, trial->result, element_round(computed, exact));
    array_expect_near(out, i, exact, slack);
}

/* What a tile's element is where C computes with it: the lane of a mask is -1 or 0. */
static struct number as_computed(
    const struct trial *trial, enum element_id computed, struct number number)
{
    if (trial->element == BOOL && trial->block != 0 && computed != BOOL)
        number = number_signed(-(int64_t)number.u);
    return trial->block != 0 ? number : element_convert(trial->element, computed, number);
}

static void run(struct trial *trial, enum element_id computed, int block)
{
    const size_t n = elementwise_size(trial);
    const struct array *inputs[3] = {0};
    struct array *out = trial_array(trial, trial->result, n);
    for (unsigned k = 0; k < trial->row->operands; k++)
        inputs[k] = trial_input(trial, trial->element, n, value_mixed);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        struct number operands[3] = {0};
        for (unsigned k = 0; k < trial->row->operands; k++)
            operands[k] = as_computed(trial, computed, array_get(trial, inputs[k], i));
        elementwise_expect(trial, computed, out, i, operands);
    }
    trial_run(trial, elementwise_grid(n, block));
}

void elementwise_tiles(struct trial *trial)
{
    const bool is_mask = trial->element == BOOL && trial->row->is_truth;
    run(trial, is_mask ? I32 : trial->element, trial->block);
}

void elementwise_scalars(struct trial *trial)
{
    run(trial, element_promoted(trial->element), ELEMENTWISE_SCALARS_A_PROGRAM);
}
