/* See layout_ties.h. A further operation is one more row of the table. */
#include "passes/layout_ties.h"

#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"
#include "passes/layout_choice.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef MlirAttribute tie_function(MlirOperation op, MlirAttribute layout);

static MlirAttribute same(MlirOperation op, MlirAttribute layout)
{
    (void)op;
    return layout;
}

static MlirAttribute attribute(MlirOperation op, const char *name)
{
    return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

static unsigned axis_of(MlirOperation op)
{
    return (unsigned)mlirIntegerAttrGetValueInt(attribute(op, "axis"));
}

/* The layout without the operation's axis, and the layout that this one was taken from. */
static MlirAttribute slice_axis(MlirOperation op, MlirAttribute layout)
{
    if (ttg_layout_rank(layout) < 2)
        return mlirAttributeGetNull();
    return ttg_slice_attr((struct ttg_slice){axis_of(op), layout});
}

static MlirAttribute parent_along_axis(MlirOperation op, MlirAttribute layout)
{
    struct ttg_slice slice;
    if (!ttg_slice_read(layout, &slice) || slice.dim != axis_of(op))
        return mlirAttributeGetNull();
    return slice.parent;
}

/* Dimension i of the result is dimension from[i] of `layout`. */
static MlirAttribute permuted(
    MlirContext context, MlirAttribute layout, const unsigned *from, unsigned rank)
{
    struct ttg_blocked old;
    if (!ttg_blocked_read(layout, &old) || old.rank != rank)
        return mlirAttributeGetNull();
    unsigned size[LAYOUT_MAX_RANK], threads[LAYOUT_MAX_RANK], warps[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK], place[LAYOUT_MAX_RANK];
    for (unsigned i = 0; i < rank; i++) {
        size[i] = old.size_per_thread[from[i]];
        threads[i] = old.threads_per_warp[from[i]];
        warps[i] = old.warps_per_cta[from[i]];
        place[from[i]] = i;
    }
    for (unsigned i = 0; i < rank; i++)
        order[i] = place[old.order[i]];
    struct ttg_blocked turned = {rank, size, threads, warps, order};
    return ttg_blocked_attr(context, &turned);
}

static MlirAttribute transpose(MlirOperation op, MlirAttribute layout)
{
    MlirAttribute order = attribute(op, "order");
    unsigned from[LAYOUT_MAX_RANK], rank = (unsigned)mlirDenseArrayGetNumElements(order);
    for (unsigned i = 0; i < rank; i++)
        from[i] = (unsigned)mlirDenseI32ArrayGetElement(order, i);
    return permuted(mlirOperationGetContext(op), layout, from, rank);
}

static MlirAttribute transpose_back(MlirOperation op, MlirAttribute layout)
{
    MlirAttribute order = attribute(op, "order");
    unsigned from[LAYOUT_MAX_RANK], rank = (unsigned)mlirDenseArrayGetNumElements(order);
    for (unsigned i = 0; i < rank; i++)
        from[mlirDenseI32ArrayGetElement(order, i)] = i;
    return permuted(mlirOperationGetContext(op), layout, from, rank);
}

/* A reshape that only inserts dimensions of size 1 is several expand_dims at once. */
static MlirAttribute slice_inserted(MlirOperation op, MlirAttribute layout)
{
    struct layout_shape from = {0}, to = {0};
    layout_shape_of_type(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from);
    layout_shape_of_type(mlirValueGetType(mlirOperationGetResult(op, 0)), &to);
    unsigned left = from.rank; /* dimensions of the source that are still to be met */
    for (unsigned i = to.rank; i-- > 0;) {
        if (left > 0 && from.bits[left - 1] == to.bits[i]) {
            left--;
            continue;
        }
        if (to.bits[i] != 0 || ttg_layout_rank(layout) < 2)
            return mlirAttributeGetNull();
        layout = ttg_slice_attr((struct ttg_slice){i, layout});
    }
    return left == 0 ? layout : mlirAttributeGetNull();
}

static MlirAttribute reshaped(MlirValue from, MlirValue to, MlirAttribute layout)
{
    struct layout_shape from_shape = {0}, to_shape = {0};
    layout_shape_of_type(mlirValueGetType(from), &from_shape);
    layout_shape_of_type(mlirValueGetType(to), &to_shape);
    return layout_reshaped(layout, &from_shape, &to_shape);
}

static MlirAttribute reshape_back(MlirOperation op, MlirAttribute layout)
{
    MlirAttribute slice = slice_inserted(op, layout);
    if (!mlirAttributeIsNull(slice))
        return slice;
    return reshaped(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0), layout);
}

/* Where only dimensions of size 1 are new, there may be several parents with such slices: none is
 * chosen. */
static MlirAttribute reshape(MlirOperation op, MlirAttribute layout)
{
    struct layout_shape from = {0}, to = {0};
    unsigned dimensions[LAYOUT_MAX_RANK];
    layout_shape_of_type(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from);
    layout_shape_of_type(mlirValueGetType(mlirOperationGetResult(op, 0)), &to);
    if (layout_shape_same_but_ones(&from, &to, dimensions))
        return mlirAttributeGetNull();
    return layout_reshaped(layout, &from, &to);
}

struct tie {
    tie_function *operands_of_results, *results_of_operands;
    bool is_source;
};

static const struct tie table[OP_ID_COUNT] = {
    [OP_TT_MAKE_RANGE] = {same, same, true},
    [OP_TT_SPLAT] = {same, same, true},
    [OP_ARITH_CONSTANT] = {same, same, true},
    [OP_UB_POISON] = {same, same, true},
    [OP_TT_BROADCAST] = {same, same, false},
    [OP_TT_EXPAND_DIMS] = {slice_axis, parent_along_axis, false},
    [OP_TT_REDUCE] = {parent_along_axis, slice_axis, false},
    [OP_TT_RESHAPE] = {reshape_back, reshape, false},
    [OP_TT_TRANS] = {transpose_back, transpose, false},
    [OP_TTG_CONVERT_LAYOUT] = {same, same, false},
};

static const struct tie elementwise = {same, same, false};

/* Other reshapes keep the layouts that they have. */
static bool is_rearranging_reshape(MlirOperation op)
{
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    return op_id_of(op) == OP_TT_RESHAPE &&
           mlirAttributeIsNull(reshape_back(op, mlirRankedTensorTypeGetEncoding(type)));
}

/* An operation is repeated where it stands, so one that must not run elsewhere, a division, may. */
static const struct tie *tie_of(MlirOperation op)
{
    const struct tie *own = &table[op_id_of(op)];
    if (own->operands_of_results)
        return is_rearranging_reshape(op) ? NULL : own;
    return ir_is_elementwise(op) && ir_effects(op) == 0 ? &elementwise : NULL;
}

bool layout_is_source(MlirOperation op)
{
    return table[op_id_of(op)].is_source;
}

bool layout_is_free(MlirOperation op)
{
    return tie_of(op) != NULL;
}

MlirAttribute layout_of_operands(MlirOperation op, MlirAttribute layout)
{
    return tie_of(op)->operands_of_results(op, layout);
}

MlirAttribute layout_of_results(MlirOperation op, MlirAttribute layout)
{
    return tie_of(op)->results_of_operands(op, layout);
}
