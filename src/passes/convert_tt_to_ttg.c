/* convert-tt-to-ttg: gives every tile a layout, and the module the attributes of its launch.
 *
 * Every tile gets the layout of layout_choose(). Where an operation ties the layouts of its
 * operands and results together in another way, a ttg.convert_layout goes between: see `rules`.
 */
#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"
#include "passes/layout_choice.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

struct conversion {
    const struct pass_options *options;
    bool failed;
};

/* ---- Layouts for all tiles ------------------------------------------------------------------- */

static bool needs_layout(MlirType type)
{
    return mlirTypeIsARankedTensor(type) &&
           mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type));
}

/* The type with its layout; null after a diagnostic. */
static MlirType laid_out(const struct conversion *conversion, MlirType type, MlirLocation location)
{
    MlirAttribute layout = layout_choose(type, conversion->options->num_warps, location);
    if (mlirAttributeIsNull(layout))
        return (MlirType){NULL};
    return pass_type_with_encoding(type, layout);
}

static void lay_out_value(struct conversion *conversion, MlirValue value)
{
    MlirType type = mlirValueGetType(value);
    if (!needs_layout(type))
        return;
    MlirType new_type = laid_out(conversion, type, mlirValueGetLocation(value));
    if (mlirTypeIsNull(new_type)) {
        conversion->failed = true;
        return;
    }
    mlirValueSetType(value, new_type);
    if (!mlirValueIsAOpResult(value))
        return;
    MlirOperation owner = mlirOpResultGetOwner(value);
    if (op_id_of(owner) == OP_ARITH_CONSTANT)
        pass_constant_set_type(owner, new_type);
}

static void lay_out_arguments(struct conversion *conversion, MlirRegion region)
{
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block))
        for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
            lay_out_value(conversion, mlirBlockGetArgument(block, i));
}

static MlirWalkResult lay_out_operation(MlirOperation op, void *user)
{
    struct conversion *conversion = user;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        lay_out_value(conversion, mlirOperationGetResult(op, i));
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
        lay_out_arguments(conversion, mlirOperationGetRegion(op, i));
    return conversion->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* ---- Operations that tie layouts together ---------------------------------------------------- */

static MlirAttribute layout_of(MlirValue value)
{
    return pass_encoding_of(mlirValueGetType(value));
}

static unsigned axis_of(MlirOperation op)
{
    MlirStringRef name = mlirStringRefCreateFromCString("axis");
    return (unsigned)mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(op, name));
}

/* The source lies along the slice of the result's layout. */
static void tie_expand_dims(MlirOperation op)
{
    struct ttg_slice slice = {axis_of(op), layout_of(mlirOperationGetResult(op, 0))};
    pass_convert_operand(op, 0, ttg_slice_attr(slice));
}

/* A reshape that only inserts dimensions of size 1 is several of those at once. */
static void tie_reshape(MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0), source = mlirOperationGetOperand(op, 0);
    struct layout_shape from = {0}, to = {0};
    layout_shape_of_type(mlirValueGetType(source), &from);
    layout_shape_of_type(mlirValueGetType(result), &to);
    struct ttg_slice slice = {0, layout_of(result)};
    unsigned left = from.rank; /* dimensions of the source that are still to be met */
    for (unsigned i = to.rank; i-- > 0;) {
        if (left > 0 && from.bits[left - 1] == to.bits[i]) {
            left--;
            continue;
        }
        if (to.bits[i] != 0)
            return;
        slice.dim = i;
        slice.parent = ttg_slice_attr(slice);
    }
    if (left == 0)
        pass_convert_operand(op, 0, slice.parent);
}

static void tie_broadcast(MlirOperation op)
{
    pass_convert_operand(op, 0, layout_of(mlirOperationGetResult(op, 0)));
}

/* Results lie along the slice of the operands' layout. */
static void tie_reduce(MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        if (!mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetResult(op, i))))
            continue;
        struct ttg_slice slice = {axis_of(op), layout_of(mlirOperationGetOperand(op, 0))};
        pass_convert_result(op, i, ttg_slice_attr(slice));
    }
}

/* The result's layout is the source's, with its dimensions rearranged likewise. */
static void tie_trans(MlirOperation op)
{
    struct ttg_blocked from;
    MlirStringRef name = mlirStringRefCreateFromCString("order");
    MlirAttribute order = mlirOperationGetAttributeByName(op, name);
    if (!ttg_blocked_read(layout_of(mlirOperationGetOperand(op, 0)), &from))
        return;
    unsigned size[5], threads[5], warps[5], place[5], fastest[5];
    for (unsigned i = 0; i < from.rank; i++) {
        unsigned source = (unsigned)mlirDenseI32ArrayGetElement(order, i);
        size[i] = from.size_per_thread[source];
        threads[i] = from.threads_per_warp[source];
        warps[i] = from.warps_per_cta[source];
        place[source] = i;
    }
    for (unsigned i = 0; i < from.rank; i++)
        fastest[i] = place[from.order[i]];
    struct ttg_blocked to = {from.rank, size, threads, warps, fastest};
    pass_convert_result(op, 0, ttg_blocked_attr(mlirOperationGetContext(op), &to));
}

static const struct {
    enum op_id id;
    void (*tie)(MlirOperation op);
} rules[] = {
    {OP_TT_EXPAND_DIMS, tie_expand_dims},
    {OP_TT_RESHAPE, tie_reshape},
    {OP_TT_BROADCAST, tie_broadcast},
    {OP_TT_REDUCE, tie_reduce},
    {OP_TT_TRANS, tie_trans},
};

static MlirWalkResult tie_layouts(MlirOperation op, void *user)
{
    (void)user;
    enum op_id id = op_id_of(op);
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].id == id)
            rules[i].tie(op);
    return MlirWalkResultAdvance;
}

/* ---- The module ------------------------------------------------------------------------------ */

static void set_attribute(MlirOperation module, const char *name, MlirAttribute value)
{
    mlirOperationSetDiscardableAttributeByName(module, mlirStringRefCreateFromCString(name), value);
}

static void set_launch_attributes(MlirOperation module, const struct pass_options *options)
{
    MlirContext context = mlirOperationGetContext(module);
    char target[32];
    snprintf(target, sizeof target, "cuda:%u", options->compute_capability);
    set_attribute(module, "ttg.num-ctas", pass_i32_attribute(context, 1));
    set_attribute(module, "ttg.num-warps", pass_i32_attribute(context, options->num_warps));
    set_attribute(
        module, "ttg.target", mlirStringAttrGet(context, mlirStringRefCreateFromCString(target)));
    set_attribute(module, "ttg.threads-per-warp", pass_i32_attribute(context, 32));
}

static bool convert(MlirOperation module, const struct pass_options *options)
{
    struct conversion conversion = {.options = options};
    mlirOperationWalk(module, lay_out_operation, &conversion, MlirWalkPreOrder);
    if (conversion.failed)
        return false;
    mlirOperationWalk(module, tie_layouts, NULL, MlirWalkPostOrder);
    set_launch_attributes(module, options);
    return true;
}

MlirPass pass_create_convert_tt_to_ttg(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(
        &identity, "convert-tt-to-ttg", "gives every tile a layout", convert, options);
}
