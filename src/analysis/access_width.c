/* See access_width.h. */
#include "analysis/access_width.h"

/* log2 of the neighbours along the dimension that are a thread's lowest registers, in order. No
 * other bit of a place may move them, or a run could begin in its own middle. */
static unsigned neighbours_in_layout(const struct linear_layout *layout, unsigned dimension)
{
    unsigned shift = layout_shape_shift(&layout->shape, dimension);
    const struct layout_axis *registers = &layout->in[LAYOUT_REGISTER];
    unsigned run = 0;
    while (run < registers->count && run < layout->shape.bits[dimension] &&
           registers->basis[run] == 1U << (shift + run))
        run++;
    uint32_t others = 0;
    for (unsigned i = run; i < registers->count; i++)
        others |= registers->basis[i];
    for (unsigned in = LAYOUT_LANE; in < LAYOUT_DIMENSION_COUNT; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            others |= layout->in[in].basis[i];
    others >>= shift;
    while (run > 0 && (others & ((1U << run) - 1)) != 0)
        run--;
    return run;
}

/* The dimension along which a thread has most neighbours; along which addresses count up furthest
 * where it has none. */
static unsigned choose_dimension(
    const struct axis_facts *pointers, const struct linear_layout *layout)
{
    unsigned best = 0;
    for (unsigned i = 0; i < layout->shape.rank; i++) {
        unsigned own = neighbours_in_layout(layout, i), most = neighbours_in_layout(layout, best);
        if (own > most || (own == most && pointers->likely[i] >= pointers->likely[best]))
            best = i;
    }
    return best;
}

static void narrow(struct access_width *width, unsigned run, enum access_limit limit)
{
    if (run >= width->run)
        return;
    width->run = run;
    width->limit = limit;
}

struct access_width access_width_of(const struct axis_facts *pointers,
    const struct axis_facts *mask, const struct linear_layout *layout)
{
    unsigned dimension = choose_dimension(pointers, layout);
    struct access_width width = {.dimension = dimension};
    width.run = pointers->unit < ACCESS_WIDEST ? ACCESS_WIDEST - pointers->unit : 0;
    narrow(&width, pointers->contiguity[dimension], ACCESS_LIMIT_CONTIGUITY);
    narrow(&width, axis_aligned_elements(pointers, dimension), ACCESS_LIMIT_ALIGNMENT);
    if (mask)
        narrow(&width, mask->constancy[dimension], ACCESS_LIMIT_MASK);
    narrow(&width, neighbours_in_layout(layout, dimension), ACCESS_LIMIT_LAYOUT);
    return width;
}
