/* See constant_registers.h. */
#include "analysis/constant_registers.h"

/* The bits of an element's number that stay within a run of equal elements. */
static uint32_t bits_within_runs(const struct axis_facts *facts)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < facts->shape.rank; i++)
        bits |= ((UINT32_C(1) << facts->constancy[i]) - 1) << layout_shape_shift(&facts->shape, i);
    return bits;
}

uint32_t constant_registers(const struct axis_facts *facts, const struct linear_layout *layout)
{
    uint32_t within = bits_within_runs(facts), mask = 0;
    const struct layout_axis *registers = &layout->in[LAYOUT_REGISTER];
    for (unsigned i = 0; i < registers->count; i++)
        if ((registers->basis[i] & ~within) == 0)
            mask |= UINT32_C(1) << i;
    return mask;
}
