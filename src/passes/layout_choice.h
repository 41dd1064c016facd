/* Layouts for tiles: before anything is known about their use, and for how they lie in memory. */
#ifndef TEENY_PASSES_LAYOUT_CHOICE_H
#define TEENY_PASSES_LAYOUT_CHOICE_H

#include "analysis/linear_layout.h"

#include "mlir-c/IR.h"

/* #ttg.blocked for a tile of this type: one element a thread at a time, the last dimension fastest.
 * It depends on the rank alone, so that a tile, its rows and its columns (dimensions of size 1)
 * agree and broadcast without moving data. Null, with a diagnostic at `location`, where the type is
 * no tile of rank 1 to 5. */
MlirAttribute layout_choose(MlirType tile, unsigned num_warps, MlirLocation location);

/* #ttg.blocked for a tile of this shape where each thread holds `per_thread` neighbours along the
 * dimension order[0], and the threads, then the warps, follow each other along the dimensions in
 * that order: as many as the tile has work for, the rest along the last one. */
MlirAttribute layout_blocked_along(MlirContext context, const struct layout_shape *shape,
    const unsigned *order, unsigned per_thread, unsigned num_warps);

/* The blocked layout in which a tile of shape `to` lies exactly as one of shape `from` does in the
 * blocked `layout`, element by element in row-major order: reshaping it moves nothing. Null where
 * there is none. */
MlirAttribute layout_reshaped(
    MlirAttribute layout, const struct layout_shape *from, const struct layout_shape *to);

/* Elements in row-major order, one a thread, then the next. */
MlirAttribute layout_row_major(
    MlirContext context, const struct layout_shape *shape, unsigned num_warps);

#endif
