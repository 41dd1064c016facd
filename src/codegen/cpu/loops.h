/* Loops over the elements of a tile, in an order of one's own, and in up to three ways: where the
 * masks of the innermost loop are known to be all true it runs without them; where they are all
 * false without loads, or not at all where the one mask that counts is false. */
#ifndef TEENY_CODEGEN_CPU_LOOPS_H
#define TEENY_CODEGEN_CPU_LOOPS_H

#include "codegen/cpu/pull.h"

struct cpu_loops {
    struct layout_shape shape; /* a loop each, outermost first */
    /* One turn of loop i goes 2^shift elements along a dimension of the tile. */
    struct {
        unsigned dimension, shift;
    } step[LAYOUT_MAX_RANK];
    unsigned rank;                       /* of the tile */
    LLVMValueRef start[LAYOUT_MAX_RANK]; /* i64; where the loops begin in the tile; NULL: 0 */
    MlirValue skipped_by;                /* nothing is done where this mask is false; or null */
};

/* One loop a dimension, in order. */
struct cpu_loops cpu_loops_over(const struct layout_shape *shape);

/* Emits what is done with one element. `turn` has the turn of each loop, i64. */
typedef bool cpu_leaf(
    struct cpu_pull *pull, struct cpu_view *view, const LLVMValueRef *turn, void *user);

bool cpu_loops_emit(struct cpu_kernel *kernel, const struct cpu_version *version,
    const struct cpu_loops *loops, cpu_leaf *leaf, void *user);

#endif
