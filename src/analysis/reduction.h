/* How a tile is reduced along an axis: in each thread's registers, then between the lanes of a
 * warp, then between warps, through one trip to shared memory.
 *
 * Every warp leaves one partial result for each element of the result; the partials of one element
 * lie side by side. All threads then read the partials of the elements that they hold, so that the
 * result lies as #ttg.slice says, in all holders alike. */
#ifndef TEENY_ANALYSIS_REDUCTION_H
#define TEENY_ANALYSIS_REDUCTION_H

#include "analysis/linear_layout.h"

struct reduction {
    struct linear_layout source, result; /* the result's: the slice of the source's */
    /* Bits of the register, lane and warp along which elements of one result lie. */
    uint32_t along[LAYOUT_DIMENSION_COUNT];
    unsigned warp_bits;   /* log2 of the partials of one element */
    unsigned result_bits; /* log2 of the elements of the result */
};

/* False where a column of the layout changes the coordinate on the axis and another one at once, or
 * repeats part of another: convert to a blocked layout before. `axis` is below the rank. */
bool reduction_plan(
    const struct linear_layout *source, unsigned axis, struct reduction *out_reduction);

/* Of shared memory, for one reduced tile; the next tile of the reduction lies behind them. A
 * multiple of 16. 0: warps need not meet. */
unsigned reduction_bytes(const struct reduction *reduction, unsigned element_bytes);

/* Where, in elements, partial number `warp` of an element lies: a linear map of the element's
 * number in the result, given by the columns; the partial's number is in the lowest bits. */
void reduction_offsets(const struct reduction *reduction, uint32_t *out_columns);

#endif
