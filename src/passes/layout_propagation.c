/* See layout_propagation.h.
 *
 * An anchor is an operation whose layouts are fixed. A slot is what structured control flow passes
 * on under several names: a loop's result and the argument of its body are one slot, entered from
 * the initial value and from the yield. First come, first served:
 *
 *   1. forward: from the results of anchors through free operations and into slots
 *   2. backward: from what anchors, free operations with a layout and slots with a layout want,
 *      to values that have none yet
 *   3. types are set, and conversions put where a use wants another layout than it is given
 */
#include "passes/layout_propagation.h"

#include "analysis/pointer_map.h"
#include "dialect/dialect.h"
#include "passes/layout_ties.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

struct pending {
    struct pending *next;
    MlirValue value;
};

struct propagation {
    arena *arena;
    struct pointer_map layouts; /* MlirValue -> its new layout's pointer */
    struct pending *first, *last;
};

static bool is_tile(MlirValue value)
{
    return mlirTypeIsARankedTensor(mlirValueGetType(value));
}

static MlirAttribute original_layout(MlirValue value)
{
    return pass_encoding_of(mlirValueGetType(value));
}

static MlirAttribute assigned_layout(const struct propagation *propagation, MlirValue value)
{
    return (MlirAttribute){pointer_map_get(&propagation->layouts, value.ptr)};
}

static MlirAttribute final_layout(const struct propagation *propagation, MlirValue value)
{
    MlirAttribute assigned = assigned_layout(propagation, value);
    return mlirAttributeIsNull(assigned) ? original_layout(value) : assigned;
}

/* ---- Slots ----------------------------------------------------------------------------------- */

static MlirBlock body_of(MlirOperation op, intptr_t region)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

static const MlirValue nothing = {NULL};

/* The value that stands for the slot which operand `index` of `user` enters; null where it enters
 * none. */
static MlirValue slot_of_operand(MlirOperation user, intptr_t index)
{
    MlirOperation parent = mlirOperationGetParentOperation(user);
    switch (op_id_of(user)) {
    case OP_SCF_FOR:
        return index < 3 ? nothing : mlirOperationGetResult(user, index - 3);
    case OP_SCF_WHILE:
        return mlirBlockGetArgument(body_of(user, 0), index);
    case OP_SCF_CONDITION:
        return index < 1 ? nothing : mlirOperationGetResult(parent, index - 1);
    case OP_SCF_YIELD:
        if (op_id_of(parent) == OP_SCF_WHILE)
            return mlirBlockGetArgument(body_of(parent, 0), index);
        return mlirOperationGetResult(parent, index);
    default:
        return nothing;
    }
}

/* The other name of a slot: a result's argument in the body, an argument's result. Null where the
 * value is no slot, or has one name alone. */
static MlirValue other_name(MlirValue value)
{
    if (mlirValueIsAOpResult(value)) {
        MlirOperation op = mlirOpResultGetOwner(value);
        intptr_t index = mlirOpResultGetResultNumber(value);
        if (op_id_of(op) == OP_SCF_FOR)
            return mlirBlockGetArgument(body_of(op, 0), index + 1);
        if (op_id_of(op) == OP_SCF_WHILE)
            return mlirBlockGetArgument(body_of(op, 1), index);
        return nothing;
    }
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation op = mlirBlockGetParentOperation(block);
    intptr_t index = mlirBlockArgumentGetArgNumber(value);
    if (op_id_of(op) == OP_SCF_FOR && index > 0)
        return mlirOperationGetResult(op, index - 1);
    if (op_id_of(op) == OP_SCF_WHILE && mlirBlockEqual(block, body_of(op, 1)))
        return mlirOperationGetResult(op, index);
    return nothing;
}

/* Whether the value is a slot under one of its names. */
static bool is_slot(MlirValue value)
{
    MlirOperation op = mlirValueIsAOpResult(value)
                           ? mlirOpResultGetOwner(value)
                           : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    enum op_id id = op_id_of(op);
    return id == OP_SCF_FOR || id == OP_SCF_WHILE ||
           (mlirValueIsAOpResult(value) && (id == OP_SCF_IF || id == OP_SCF_INDEX_SWITCH));
}

/* ---- Assigning ------------------------------------------------------------------------------- */

static void assign_one(struct propagation *propagation, MlirValue value, MlirAttribute layout)
{
    if (!is_tile(value) || !mlirAttributeIsNull(assigned_layout(propagation, value)))
        return;
    pointer_map_set(&propagation->layouts, value.ptr, (void *)layout.ptr);
    struct pending *pending = arena_new(propagation->arena, struct pending);
    pending->value = value;
    if (propagation->last)
        propagation->last->next = pending;
    else
        propagation->first = pending;
    propagation->last = pending;
}

/* With all that must have the same layout: the other name of a slot, the other results. */
static void assign(struct propagation *propagation, MlirValue value, MlirAttribute layout)
{
    if (mlirAttributeIsNull(layout))
        return;
    assign_one(propagation, value, layout);
    if (is_slot(value)) {
        MlirValue other = other_name(value);
        if (!mlirValueIsNull(other))
            assign_one(propagation, other, layout);
        return;
    }
    MlirOperation op = mlirOpResultGetOwner(value);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        assign_one(propagation, mlirOperationGetResult(op, i), layout);
}

static MlirValue take_pending(struct propagation *propagation)
{
    struct pending *pending = propagation->first;
    if (!pending)
        return nothing;
    propagation->first = pending->next;
    if (!pending->next)
        propagation->last = NULL;
    return pending->value;
}

/* ---- Forward --------------------------------------------------------------------------------- */

static void push_into_user(
    struct propagation *propagation, MlirOperation user, intptr_t operand, MlirAttribute layout)
{
    MlirValue slot = slot_of_operand(user, operand);
    if (!mlirValueIsNull(slot)) {
        assign(propagation, slot, layout);
        return;
    }
    if (!layout_is_free(user) || mlirOperationGetNumResults(user) == 0)
        return;
    MlirAttribute result = layout_of_results(user, layout);
    if (!mlirAttributeIsNull(result))
        assign(propagation, mlirOperationGetResult(user, 0), result);
}

static void push_forward(struct propagation *propagation, MlirValue value, MlirAttribute layout)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use))
        push_into_user(
            propagation, mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), layout);
}

static void run_forward(struct propagation *propagation)
{
    for (MlirValue value; !mlirValueIsNull(value = take_pending(propagation));)
        push_forward(propagation, value, assigned_layout(propagation, value));
}

static MlirWalkResult seed_products(MlirOperation op, void *user)
{
    if (op_id_of(op) == OP_TT_DOT)
        push_forward(
            user, mlirOperationGetResult(op, 0), original_layout(mlirOperationGetResult(op, 0)));
    return MlirWalkResultAdvance;
}

/* What touches memory, and is no loop or branch around something that does. */
static bool is_access(MlirOperation op)
{
    return mlirOperationGetNumRegions(op) == 0 && ir_effects(op) != 0;
}

static MlirWalkResult seed_accesses(MlirOperation op, void *user)
{
    for (intptr_t i = 0; is_access(op) && i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (is_tile(result))
            push_forward(user, result, original_layout(result));
    }
    return MlirWalkResultAdvance;
}

/* ---- Backward -------------------------------------------------------------------------------- */

/* A layout of blocks, or a slice of one: those that any value can take on. Others stay with the
 * operations that they were made for. */
static bool is_general(MlirAttribute layout)
{
    struct ttg_slice slice;
    struct ttg_blocked blocked;
    while (ttg_slice_read(layout, &slice))
        layout = slice.parent;
    return ttg_blocked_read(layout, &blocked);
}

/* A factor of multiply-adds goes through shared memory, from whatever layout it has. */
static bool is_free_factor(MlirOperation user, intptr_t index)
{
    struct ttg_mma mma;
    return op_id_of(user) == OP_TT_DOT && index < 2 &&
           !ttg_mma_read(original_layout(mlirOperationGetResult(user, 0)), &mma);
}

/* The layout in which operand `index` is wanted; null where any will do. */
static MlirAttribute wanted_layout(
    const struct propagation *propagation, MlirOperation user, intptr_t index)
{
    MlirValue slot = slot_of_operand(user, index);
    if (!mlirValueIsNull(slot))
        return final_layout(propagation, slot);
    MlirValue operand = mlirOperationGetOperand(user, index);
    if (is_free_factor(user, index))
        return mlirAttributeGetNull();
    if (!layout_is_free(user))
        return original_layout(operand);
    if (op_id_of(user) == OP_TTG_CONVERT_LAYOUT)
        return mlirAttributeGetNull();
    if (is_tile(mlirOperationGetResult(user, 0))) {
        MlirAttribute result = final_layout(propagation, mlirOperationGetResult(user, 0));
        return layout_of_operands(user, result);
    }
    /* A reduction to a scalar: its operands need only agree. */
    return final_layout(propagation, mlirOperationGetOperand(user, 0));
}

static bool may_change(MlirValue value)
{
    return is_slot(value) ||
           (mlirValueIsAOpResult(value) && layout_is_free(mlirOpResultGetOwner(value)));
}

/* Whether what makes the value can make it in that layout. */
static bool can_have(MlirValue value, MlirAttribute layout)
{
    if (is_slot(value))
        return true;
    MlirOperation op = mlirOpResultGetOwner(value);
    return layout_is_source(op) || !mlirAttributeIsNull(layout_of_operands(op, layout));
}

static void want(struct propagation *propagation, MlirValue value, MlirAttribute layout)
{
    if (is_tile(value) && may_change(value) && is_general(layout) && can_have(value, layout))
        assign(propagation, value, layout);
}

static void pull_operands(struct propagation *propagation, MlirOperation op, MlirAttribute layout)
{
    MlirAttribute operands = layout_of_operands(op, layout);
    for (intptr_t i = 0; !mlirAttributeIsNull(operands) && i < mlirOperationGetNumOperands(op); i++)
        want(propagation, mlirOperationGetOperand(op, i), operands);
}

static void pull_terminator(
    struct propagation *propagation, MlirBlock block, MlirValue slot, MlirAttribute layout)
{
    MlirOperation terminator = mlirBlockGetTerminator(block);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(terminator); i++)
        if (mlirValueEqual(slot_of_operand(terminator, i), slot))
            want(propagation, mlirOperationGetOperand(terminator, i), layout);
}

/* The initial value and what is yielded for a slot. */
static void pull_into_slot(struct propagation *propagation, MlirValue slot, MlirAttribute layout)
{
    MlirOperation op = mlirValueIsAOpResult(slot)
                           ? mlirOpResultGetOwner(slot)
                           : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(slot));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (mlirValueEqual(slot_of_operand(op, i), slot))
            want(propagation, mlirOperationGetOperand(op, i), layout);
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
        if (!mlirBlockIsNull(body_of(op, i)))
            pull_terminator(propagation, body_of(op, i), slot, layout);
}

static void run_backward(struct propagation *propagation)
{
    for (MlirValue value; !mlirValueIsNull(value = take_pending(propagation));) {
        MlirAttribute layout = assigned_layout(propagation, value);
        if (is_slot(value))
            pull_into_slot(propagation, value, layout);
        else
            pull_operands(propagation, mlirOpResultGetOwner(value), layout);
    }
}

/* An operation pulls where its own layout is settled: an anchor's, or an assigned one. */
static bool is_settled(const struct propagation *propagation, MlirOperation op)
{
    if (!layout_is_free(op))
        return is_access(op) || op_id_of(op) == OP_TT_DOT;
    return mlirOperationGetNumResults(op) > 0 &&
           !mlirAttributeIsNull(assigned_layout(propagation, mlirOperationGetResult(op, 0)));
}

static MlirWalkResult pull_settled(MlirOperation op, void *user)
{
    struct propagation *propagation = user;
    for (intptr_t i = 0; is_settled(propagation, op) && i < mlirOperationGetNumOperands(op); i++) {
        MlirAttribute wanted = wanted_layout(propagation, op, i);
        if (!mlirAttributeIsNull(wanted))
            want(propagation, mlirOperationGetOperand(op, i), wanted);
    }
    return MlirWalkResultAdvance;
}

/* Slots that were assigned going forward want their other entries likewise. */
static MlirWalkResult pull_slots(MlirOperation op, void *user)
{
    struct propagation *propagation = user;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue slot = slot_of_operand(op, i);
        if (mlirValueIsNull(slot) || !is_tile(slot))
            continue;
        MlirAttribute layout = assigned_layout(propagation, slot);
        if (!mlirAttributeIsNull(layout))
            want(propagation, mlirOperationGetOperand(op, i), layout);
    }
    return MlirWalkResultAdvance;
}

/* ---- Rewriting ------------------------------------------------------------------------------- */

/* Before types change: wanted_layout() reads those of anchors. */
static MlirWalkResult convert_operands(MlirOperation op, void *user)
{
    struct propagation *propagation = user;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        if (!is_tile(operand))
            continue;
        MlirAttribute wanted = wanted_layout(propagation, op, i);
        MlirAttribute given = final_layout(propagation, operand);
        if (mlirAttributeIsNull(wanted) || mlirAttributeEqual(wanted, given))
            continue;
        mlirOperationSetOperand(op, i, pass_make_convert_layout(op, operand, wanted));
    }
    return MlirWalkResultAdvance;
}

static void set_type(const struct propagation *propagation, MlirValue value)
{
    MlirAttribute layout = assigned_layout(propagation, value);
    if (mlirAttributeIsNull(layout))
        return;
    MlirType type = pass_type_with_encoding(mlirValueGetType(value), layout);
    if (mlirValueIsAOpResult(value) && op_id_of(mlirOpResultGetOwner(value)) == OP_ARITH_CONSTANT)
        pass_constant_set_type(mlirOpResultGetOwner(value), type);
    else
        mlirValueSetType(value, type);
}

static MlirWalkResult set_types(MlirOperation op, void *user)
{
    const struct propagation *propagation = user;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        set_type(propagation, mlirOperationGetResult(op, i));
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        MlirRegion region = mlirOperationGetRegion(op, i);
        for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
            block = mlirBlockGetNextInRegion(block))
            for (intptr_t j = 0; j < mlirBlockGetNumArguments(block); j++)
                set_type(propagation, mlirBlockGetArgument(block, j));
    }
    return MlirWalkResultAdvance;
}

void layout_propagate(MlirOperation root)
{
    struct propagation propagation = {.arena = arena_create()};
    pointer_map_init(&propagation.layouts, propagation.arena);
    mlirOperationWalk(root, seed_products, &propagation, MlirWalkPreOrder);
    run_forward(&propagation);
    mlirOperationWalk(root, seed_accesses, &propagation, MlirWalkPreOrder);
    run_forward(&propagation);
    mlirOperationWalk(root, pull_settled, &propagation, MlirWalkPreOrder);
    mlirOperationWalk(root, pull_slots, &propagation, MlirWalkPreOrder);
    run_backward(&propagation);
    mlirOperationWalk(root, convert_operands, &propagation, MlirWalkPreOrder);
    mlirOperationWalk(root, set_types, &propagation, MlirWalkPreOrder);
    arena_destroy(propagation.arena);
}
