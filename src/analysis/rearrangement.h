/* Operations that only say where each element of their result comes from: tt.broadcast,
 * tt.expand_dims, tt.reshape, tt.trans, ttg.convert_layout. */
#ifndef TEENY_ANALYSIS_REARRANGEMENT_H
#define TEENY_ANALYSIS_REARRANGEMENT_H

#include "analysis/linear_layout.h"

#include "mlir-c/IR.h"

struct rearrangement {
    /* Both in the source's element numbers: where it lies, and where the result wants it. */
    struct linear_layout from, to;
};

bool rearrangement_is(MlirOperation op);

/* False where a layout is none that is known. */
bool rearrangement_of(MlirOperation op, struct rearrangement *out_rearrangement);

#endif
