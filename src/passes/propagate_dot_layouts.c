/* propagate-dot-layouts: keeps what products give in their layout.
 *
 *     %y = ttg.convert_layout %x : #dot -> #b          %z' = f(%x, ttg.convert_layout %w) : #dot
 *     %z = f(%y, %w) : #b                       ->     %z  = ttg.convert_layout %z' : #dot -> #b
 *
 * A conversion away from a product's layout moves down, past elementwise operations, reductions,
 * broadcasts, and around loops: a carried tile changes its layout for the whole loop. It ends at
 * what wants a layout of its own, such as a store. What meets it from the side is converted to the
 * product's layout; mostly that is cheap to compute there (remove-layout-conversions sees to it).
 *
 * Every operation moves at most once, so this ends.
 */
#include "base/arena.h"
#include "dialect/dialect.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

struct work_item {
    struct work_item *below;
    MlirOperation conversion;
};

struct propagation {
    arena *arena;
    struct work_item *top;  /* conversions whose users are still to be looked at */
    MlirAttribute *anchors; /* layouts of products */
    size_t anchor_count;
};

static void push(struct propagation *propagation, MlirOperation conversion)
{
    if (mlirOperationIsNull(conversion))
        return;
    struct work_item *item = arena_new(propagation->arena, struct work_item);
    *item = (struct work_item){propagation->top, conversion};
    propagation->top = item;
}

/* A product's layout, or a slice of it. */
static bool is_anchored(const struct propagation *propagation, MlirAttribute layout)
{
    struct ttg_slice slice;
    while (ttg_slice_read(layout, &slice))
        layout = slice.parent;
    for (size_t i = 0; i < propagation->anchor_count; i++)
        if (mlirAttributeEqual(propagation->anchors[i], layout))
            return true;
    return false;
}

static MlirAttribute layout_of(MlirValue value)
{
    return pass_encoding_of(mlirValueGetType(value));
}

/* ---- Operations ------------------------------------------------------------------------------ */

static void convert_operands(MlirOperation op, MlirAttribute layout)
{
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, i))))
            pass_convert_operand(op, i, layout);
}

static void convert_results(struct propagation *propagation, MlirOperation op, MlirAttribute layout)
{
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        push(propagation, pass_convert_result(op, i, layout));
}

/* The same layout on all sides. */
static void move_past_elementwise(
    struct propagation *propagation, MlirOperation op, MlirAttribute layout)
{
    convert_operands(op, layout);
    convert_results(propagation, op, layout);
}

static unsigned axis_of(MlirOperation op)
{
    MlirStringRef name = mlirStringRefCreateFromCString("axis");
    return (unsigned)mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(op, name));
}

static void move_past_reduce(
    struct propagation *propagation, MlirOperation op, MlirAttribute layout)
{
    convert_operands(op, layout);
    if (mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetResult(op, 0))))
        convert_results(propagation, op, ttg_slice_attr((struct ttg_slice){axis_of(op), layout}));
}

/* Only a slice along the new dimension says how the result lies. */
static void move_past_expand_dims(
    struct propagation *propagation, MlirOperation op, MlirAttribute layout)
{
    struct ttg_slice slice;
    if (!ttg_slice_read(layout, &slice) || slice.dim != axis_of(op))
        return;
    convert_operands(op, layout);
    convert_results(propagation, op, slice.parent);
}

/* A second conversion starts from what the first one started from. */
static void move_past_conversion(
    struct propagation *propagation, MlirOperation op, MlirAttribute layout)
{
    pass_convert_operand(op, 0, layout);
    push(propagation, op);
}

/* ---- Regions --------------------------------------------------------------------------------- */

static MlirBlock block_of(MlirOperation op, intptr_t region)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

/* scf.for: operands are the bounds, the step, then what is carried from the first turn on; the
 * body's arguments are the counter, then what is carried. */
static void relay_carried(
    struct propagation *propagation, MlirOperation loop, intptr_t index, MlirAttribute layout)
{
    enum { BOUNDS = 3, COUNTER = 1 };
    if (is_anchored(propagation, layout_of(mlirOperationGetResult(loop, index))))
        return;
    MlirBlock body = block_of(loop, 0);
    pass_convert_operand(loop, BOUNDS + index, layout);
    pass_convert_operand(mlirBlockGetTerminator(body), index, layout);
    push(propagation, pass_relay_value(mlirBlockGetArgument(body, COUNTER + index),
                          mlirBlockGetFirstOperation(body), layout));
    push(propagation, pass_convert_result(loop, index, layout));
}

static void relay_choice(
    struct propagation *propagation, MlirOperation choice, intptr_t index, MlirAttribute layout)
{
    if (is_anchored(propagation, layout_of(mlirOperationGetResult(choice, index))))
        return;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(choice); i++)
        pass_convert_operand(mlirBlockGetTerminator(block_of(choice, i)), index, layout);
    push(propagation, pass_convert_result(choice, index, layout));
}

static void move_past_yield(
    struct propagation *propagation, MlirOperation yield, intptr_t index, MlirAttribute layout)
{
    MlirOperation parent = mlirOperationGetParentOperation(yield);
    if (op_id_of(parent) == OP_SCF_FOR)
        relay_carried(propagation, parent, index, layout);
    else if (op_id_of(parent) == OP_SCF_IF)
        relay_choice(propagation, parent, index, layout);
}

/* ---- The walk -------------------------------------------------------------------------------- */

/* Moves a conversion past one of its users, where that is possible. */
static void move_past(
    struct propagation *propagation, MlirOperation user, intptr_t operand, MlirAttribute layout)
{
    enum { BOUNDS = 3 };
    bool gives_tiles = mlirOperationGetNumResults(user) > 0;
    if (gives_tiles && op_id_of(user) != OP_SCF_FOR &&
        is_anchored(propagation, layout_of(mlirOperationGetResult(user, 0))))
        return;
    switch (op_id_of(user)) {
    case OP_TTG_CONVERT_LAYOUT:
        move_past_conversion(propagation, user, layout);
        return;
    case OP_TT_REDUCE:
        move_past_reduce(propagation, user, layout);
        return;
    case OP_TT_EXPAND_DIMS:
        move_past_expand_dims(propagation, user, layout);
        return;
    case OP_SCF_FOR:
        relay_carried(propagation, user, operand - BOUNDS, layout);
        return;
    case OP_SCF_YIELD:
        move_past_yield(propagation, user, operand, layout);
        return;
    default:
        if (gives_tiles && ir_is_pure(user) &&
            (ir_is_elementwise(user) || op_id_of(user) == OP_TT_BROADCAST))
            move_past_elementwise(propagation, user, layout);
    }
}

/* The users as they are now: moving changes the list. */
struct use {
    MlirOperation user;
    intptr_t operand;
};

static size_t list_uses(MlirValue value, struct use *out_uses, size_t most)
{
    size_t count = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && count < most;
        use = mlirOpOperandGetNextUse(use))
        out_uses[count++] =
            (struct use){mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use)};
    return count;
}

/* A value with more users than this keeps its conversion for the rest of them. */
enum { MOST_USES = 256 };

static void propagate(struct propagation *propagation, MlirOperation conversion)
{
    MlirAttribute layout = layout_of(mlirOperationGetOperand(conversion, 0));
    struct use uses[MOST_USES];
    size_t count = list_uses(mlirOperationGetResult(conversion, 0), uses, MOST_USES);
    for (size_t i = 0; i < count; i++)
        move_past(propagation, uses[i].user, uses[i].operand, layout);
}

static MlirWalkResult count_dots(MlirOperation op, void *user)
{
    size_t *count = user;
    *count += op_id_of(op) == OP_TT_DOT;
    return MlirWalkResultAdvance;
}

static MlirWalkResult find_dots(MlirOperation op, void *user)
{
    struct propagation *propagation = user;
    if (op_id_of(op) != OP_TT_DOT)
        return MlirWalkResultAdvance;
    MlirValue result = mlirOperationGetResult(op, 0);
    propagation->anchors[propagation->anchor_count++] = layout_of(result);
    for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use))
        if (op_id_of(mlirOpOperandGetOwner(use)) == OP_TTG_CONVERT_LAYOUT)
            push(propagation, mlirOpOperandGetOwner(use));
    return MlirWalkResultAdvance;
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    (void)options;
    struct propagation propagation = {.arena = arena_create()};
    size_t count = 0;
    mlirOperationWalk(module, count_dots, &count, MlirWalkPreOrder);
    propagation.anchors = arena_array(propagation.arena, MlirAttribute, count + 1);
    mlirOperationWalk(module, find_dots, &propagation, MlirWalkPreOrder);
    while (propagation.top) {
        MlirOperation conversion = propagation.top->conversion;
        propagation.top = propagation.top->below;
        propagate(&propagation, conversion);
    }
    arena_destroy(propagation.arena);
    return true;
}

MlirPass pass_create_propagate_dot_layouts(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "propagate-dot-layouts",
        "keeps what products give in their layout, through loops too", run, options);
}
