/* See layout_choice.h. */
#include "passes/layout_choice.h"

#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

enum { LANES = 32 };

MlirAttribute layout_choose(MlirType tile, unsigned num_warps, MlirLocation location)
{
    struct layout_shape shape;
    if (!layout_shape_of_type(tile, &shape) || shape.rank == 0) {
        mlirEmitError(location, "a tile has 1 to 5 dimensions, each a power of two");
        return mlirAttributeGetNull();
    }
    unsigned size[LAYOUT_MAX_RANK], threads[LAYOUT_MAX_RANK], warps[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK];
    for (unsigned i = 0; i < shape.rank; i++) {
        size[i] = threads[i] = warps[i] = 1;
        order[i] = shape.rank - 1 - i;
    }
    threads[shape.rank - 1] = LANES;
    warps[0] = num_warps;
    struct ttg_blocked blocked = {shape.rank, size, threads, warps, order};
    return ttg_blocked_attr(mlirTypeGetContext(tile), &blocked);
}
