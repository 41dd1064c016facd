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

static unsigned clamped(unsigned value, unsigned most)
{
    if (value < 1)
        return 1;
    return value < most ? value : most;
}

MlirAttribute layout_blocked_along(MlirContext context, const struct layout_shape *shape,
    const unsigned *order, unsigned per_thread, unsigned num_warps)
{
    unsigned size[LAYOUT_MAX_RANK], threads[LAYOUT_MAX_RANK], warps[LAYOUT_MAX_RANK];
    unsigned lanes_left = LANES, warps_left = num_warps;
    for (unsigned i = 0; i < shape->rank; i++)
        size[i] = i == order[0] ? per_thread : 1;
    for (unsigned i = 0; i < shape->rank; i++) {
        unsigned dimension = order[i];
        unsigned wanted = (1U << shape->bits[dimension]) / size[dimension];
        threads[dimension] = clamped(wanted, lanes_left);
        lanes_left /= threads[dimension];
        warps[dimension] = clamped(wanted / threads[dimension], warps_left);
        warps_left /= warps[dimension];
    }
    threads[order[shape->rank - 1]] *= lanes_left;
    warps[order[shape->rank - 1]] *= warps_left;
    struct ttg_blocked blocked = {shape->rank, size, threads, warps, order};
    return ttg_blocked_attr(context, &blocked);
}

static MlirAttribute row_major(
    MlirContext context, const struct layout_shape *shape, unsigned per_thread, unsigned num_warps)
{
    unsigned order[LAYOUT_MAX_RANK];
    for (unsigned i = 0; i < shape->rank; i++)
        order[i] = shape->rank - 1 - i;
    return layout_blocked_along(context, shape, order, per_thread, num_warps);
}

MlirAttribute layout_row_major(
    MlirContext context, const struct layout_shape *shape, unsigned num_warps)
{
    return row_major(context, shape, 1, num_warps);
}

/* Only layouts that count in row-major order are looked for: others that would do are rare. */
MlirAttribute layout_reshaped(
    MlirAttribute layout, const struct layout_shape *from, const struct layout_shape *to)
{
    enum { MOST_A_THREAD = 16 };
    struct linear_layout wanted, found;
    struct ttg_blocked blocked;
    if (!ttg_blocked_read(layout, &blocked) || !layout_from_encoding(layout, from, &wanted))
        return mlirAttributeGetNull();
    wanted.shape = *to;
    unsigned num_warps = 1;
    for (unsigned i = 0; i < blocked.rank; i++)
        num_warps *= blocked.warps_per_cta[i];
    for (unsigned per_thread = 1;
        per_thread <= MOST_A_THREAD && per_thread <= 1U << to->bits[to->rank - 1];
        per_thread *= 2) {
        MlirAttribute candidate =
            row_major(mlirAttributeGetContext(layout), to, per_thread, num_warps);
        if (layout_from_encoding(candidate, to, &found) && layout_equal(&wanted, &found))
            return candidate;
    }
    return mlirAttributeGetNull();
}
