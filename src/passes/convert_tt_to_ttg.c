/* convert-tt-to-ttg: gives every tile a layout, and the module the attributes of its launch.
 *
 * Every tile gets the layout of layout_choose(). Where an operation ties the layouts of its
 * operands and results together in another way, a ttg.convert_layout goes between: see `tied`.
 */
#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"
#include "passes/layout_choice.h"
#include "passes/layout_ties.h"
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

/* Operations whose operand follows from their result, or whose results follow from their operands;
 * layout_ties.h knows how. Others compute in the one layout that all tiles of a shape have. */
static const struct {
    enum op_id id;
    bool by_operand;
} tied[] = {
    {OP_TT_EXPAND_DIMS, false},
    {OP_TT_RESHAPE, false},
    {OP_TT_BROADCAST, false},
    {OP_TT_REDUCE, true},
    {OP_TT_TRANS, true},
};

/* In row-major order nothing moves: what does is left to conversions before and behind, which other
 * passes may take away. */
static void reshape_in_row_major(const struct conversion *conversion, MlirOperation op)
{
    struct layout_shape from, to;
    if (op_id_of(op) != OP_TT_RESHAPE ||
        !layout_shape_of_type(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from) ||
        !layout_shape_of_type(mlirValueGetType(mlirOperationGetResult(op, 0)), &to))
        return;
    MlirAttribute layout =
        layout_row_major(mlirOperationGetContext(op), &from, conversion->options->num_warps);
    MlirAttribute reshaped = layout_reshaped(layout, &from, &to);
    if (mlirAttributeIsNull(reshaped))
        return;
    pass_convert_operand(op, 0, layout);
    pass_convert_result(op, 0, reshaped);
}

static void tie(const struct conversion *conversion, MlirOperation op, bool by_operand)
{
    if (!layout_is_free(op)) {
        reshape_in_row_major(conversion, op);
        return;
    }
    MlirValue known = by_operand ? mlirOperationGetOperand(op, 0) : mlirOperationGetResult(op, 0);
    MlirAttribute layout = by_operand ? layout_of_results(op, layout_of(known))
                                      : layout_of_operands(op, layout_of(known));
    if (mlirAttributeIsNull(layout))
        return;
    if (!by_operand)
        pass_convert_operand(op, 0, layout);
    for (intptr_t i = 0; by_operand && i < mlirOperationGetNumResults(op); i++)
        pass_convert_result(op, i, layout);
}

static MlirWalkResult tie_layouts(MlirOperation op, void *user)
{
    enum op_id id = op_id_of(op);
    for (unsigned i = 0; i < sizeof tied / sizeof *tied; i++)
        if (tied[i].id == id)
            tie(user, op, tied[i].by_operand);
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
    mlirOperationWalk(module, tie_layouts, &conversion, MlirWalkPostOrder);
    set_launch_attributes(module, options);
    return true;
}

MlirPass pass_create_convert_tt_to_ttg(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(
        &identity, "convert-tt-to-ttg", "gives every tile a layout", convert, options);
}
