/* See reduction.h. */
#include "analysis/reduction.h"

#include "analysis/bit_span.h"

#include <string.h>

/* With the axis gone, what is left of a layout of rank 1 is one element that everybody holds. */
static struct linear_layout one_element(const struct linear_layout *source)
{
    struct linear_layout result = {.shape = {.rank = 0}};
    for (unsigned in = LAYOUT_LANE; in < LAYOUT_DIMENSION_COUNT; in++)
        result.in[in].count = source->in[in].count;
    return result;
}

bool reduction_plan(
    const struct linear_layout *source, unsigned axis, struct reduction *out_reduction)
{
    struct reduction *plan = out_reduction;
    memset(plan, 0, sizeof *plan);
    uint32_t mask = layout_shape_mask(&source->shape, axis);
    struct bit_span span = {0};
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++) {
        for (unsigned i = 0; i < source->in[in].count; i++) {
            uint32_t column = source->in[in].basis[i];
            if (column == 0)
                continue;
            bool is_along = (column & mask) != 0;
            if ((is_along && (column & ~mask)) || !bit_span_add(&span, column, 0))
                return false;
            if (is_along)
                plan->along[in] |= 1u << i;
        }
    }
    plan->source = *source;
    plan->result = source->shape.rank > 1 ? layout_slice(source, axis) : one_element(source);
    plan->warp_bits = (unsigned)__builtin_popcount(plan->along[LAYOUT_WARP]);
    plan->result_bits = layout_shape_total_bits(&plan->result.shape);
    return true;
}

unsigned reduction_bytes(const struct reduction *reduction, unsigned element_bytes)
{
    enum { ALIGNMENT = 16 };
    if (reduction->warp_bits == 0)
        return 0;
    unsigned bytes = element_bytes << (reduction->result_bits + reduction->warp_bits);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void reduction_offsets(const struct reduction *reduction, uint32_t *out_columns)
{
    for (unsigned i = 0; i < reduction->result_bits; i++)
        out_columns[i] = 1u << (reduction->warp_bits + i);
}
