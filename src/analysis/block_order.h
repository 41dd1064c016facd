/* Blocks in the order of control flow. */
#ifndef TEENY_ANALYSIS_BLOCK_ORDER_H
#define TEENY_ANALYSIS_BLOCK_ORDER_H

#include "base/arena.h"

#include "mlir-c/IR.h"

#include <stddef.h>

/* The body's blocks that can be reached, each after one that leads to it and after all that
 * dominate it; a way back is one of a loop. In the arena. */
MlirBlock *ir_blocks_in_order(MlirOperation function, arena *arena, size_t *out_count);

/* Such an order again, in which a loop whose branch names its body first, as scf-to-cf makes it,
 * comes as a whole before what follows it. */
MlirBlock *ir_blocks_with_loops_together(MlirOperation function, arena *arena, size_t *out_count);

#endif
