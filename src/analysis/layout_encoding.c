/* Layout attributes as linear layouts. A new encoding is one more reader in the table below. */
#include "analysis/layout_encoding.h"

#include "dialect/dialect.h"

#include "mlir-c/BuiltinTypes.h"

bool layout_shape_of_type(MlirType type, struct layout_shape *out_shape)
{
    if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type))
        return false;
    int64_t dimensions[LAYOUT_MAX_RANK];
    int64_t rank = mlirShapedTypeGetRank(type);
    if (rank > LAYOUT_MAX_RANK)
        return false;
    for (int64_t i = 0; i < rank; i++)
        dimensions[i] = mlirShapedTypeGetDimSize(type, i);
    return layout_shape_make((unsigned)rank, dimensions, out_shape);
}

static bool read_blocked(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_blocked blocked;
    if (!ttg_blocked_read(encoding, &blocked))
        return false;
    struct layout_blocking blocking = {
        .rank = blocked.rank,
        .size_per_thread = blocked.size_per_thread,
        .threads_per_warp = blocked.threads_per_warp,
        .warps_per_block = blocked.warps_per_cta,
        .order = blocked.order,
    };
    return layout_from_blocking(&blocking, shape, out_layout);
}

/* The parent speaks of a tile with one more dimension, of size 1 here. */
static bool read_slice(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_slice slice;
    if (!ttg_slice_read(encoding, &slice) || shape->rank >= LAYOUT_MAX_RANK ||
        slice.dim > shape->rank)
        return false;
    struct layout_shape parent_shape = {.rank = shape->rank + 1};
    for (unsigned i = 0; i < parent_shape.rank; i++)
        if (i != slice.dim)
            parent_shape.bits[i] = shape->bits[i < slice.dim ? i : i - 1];
    struct linear_layout parent;
    if (!layout_from_encoding(slice.parent, &parent_shape, &parent))
        return false;
    *out_layout = layout_slice(&parent, slice.dim);
    return true;
}

bool layout_from_encoding(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    static bool (*const readers[])(
        MlirAttribute, const struct layout_shape *, struct linear_layout *) = {
        read_blocked,
        read_slice,
    };
    if (mlirAttributeIsNull(encoding))
        return false;
    for (unsigned i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i](encoding, shape, out_layout))
            return true;
    return false;
}

bool layout_of_type(MlirType type, struct linear_layout *out_layout)
{
    struct layout_shape shape;
    return layout_shape_of_type(type, &shape) &&
           layout_from_encoding(mlirRankedTensorTypeGetEncoding(type), &shape, out_layout);
}
