/* Which loads of a loop can run ahead of it. Private to src/passes/.
 *
 * A load runs ahead where its address and mask follow from the loop's counter, from what is
 * computed outside, and from carried values that do (its slice of the loop), and where nothing in
 * the loop writes to global memory. */
#ifndef TEENY_PASSES_PIPELINED_LOADS_H
#define TEENY_PASSES_PIPELINED_LOADS_H

#include "analysis/axis_info.h"
#include "analysis/pointer_map.h"
#include "base/arena.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

struct pipelined_load {
    struct pipelined_load *next;
    MlirOperation load;
    MlirValue pointer, mask, other; /* null where absent */
    MlirOperation staging;          /* the ttg.local_alloc that decides about the memory */
    MlirType memory;                /* of one tile */
    unsigned bytes;                 /* of one tile */
    unsigned contiguity;            /* elements that are copied at once */
};

/* The operations and carried values that all slices need. */
struct pipelined_loads {
    struct pipelined_load *first, *last;
    struct pointer_map slice;   /* operation -> itself */
    struct pointer_map carried; /* the loop's block argument -> not NULL */
    unsigned bytes;             /* of one tile of each */
};

/* The loads of an scf.for that go to a product through a ttg.local_alloc, that can run ahead, and
 * that asynchronous copies can do. `axes` is of the function around. In the arena. */
struct pipelined_loads pipelined_loads_of(
    arena *arena, const struct axis_info *axes, MlirOperation loop);

#endif
