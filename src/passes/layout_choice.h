/* The layout that a tile gets before anything is known about its use. */
#ifndef TEENY_PASSES_LAYOUT_CHOICE_H
#define TEENY_PASSES_LAYOUT_CHOICE_H

#include "mlir-c/IR.h"

/* #ttg.blocked for a tile of this type: one element a thread at a time, the last dimension fastest.
 * It depends on the rank alone, so that a tile, its rows and its columns (dimensions of size 1)
 * agree and broadcast without moving data. Null, with a diagnostic at `location`, where the type is
 * no tile of rank 1 to 5. */
MlirAttribute layout_choose(MlirType tile, unsigned num_warps, MlirLocation location);

#endif
