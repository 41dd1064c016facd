/* remove-layout-conversions: computes values in the layout that their user wants.
 *
 * First every value gets one layout that suits the accesses and products it meets, where there is
 * one (layout_propagation.h). Then the conversions that are left are looked at one by one:
 *
 *     %y = f(%x) : #a                          %x' = ttg.convert_layout %x : #a -> #b
 *     %z = ttg.convert_layout %y : #a -> #b    %z  = f(%x') : #b
 *
 * The conversion moves up until it meets a value that costs nothing to make in any layout (a range,
 * a splat, a constant). Pure operations are repeated for it; a load is run in the other layout
 * instead, if nobody else uses it. What cannot be moved stays.
 */
#include "analysis/layout_encoding.h"
#include "base/arena.h"
#include "dialect/dialect.h"
#include "passes/layout_propagation.h"
#include "passes/layout_ties.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinTypes.h"

/* The conversions that are still to be looked at. */
struct work_item {
    struct work_item *below;
    MlirOperation conversion;
};

struct work {
    arena *arena;
    struct work_item *top;
};

static void work_push(struct work *work, MlirOperation conversion)
{
    struct work_item *item = arena_new(work->arena, struct work_item);
    *item = (struct work_item){work->top, conversion};
    work->top = item;
}

/* A null operation where nothing is left. */
static MlirOperation work_pop(struct work *work)
{
    struct work_item *item = work->top;
    if (!item)
        return (MlirOperation){NULL};
    work->top = item->below;
    return item->conversion;
}

static bool has_one_use(MlirValue value)
{
    MlirOpOperand use = mlirValueGetFirstUse(value);
    return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* A load is as good in one layout as in another where each thread has one element at a time in
 * both: others were chosen with care. */
static bool can_relay(MlirOperation op)
{
    struct linear_layout layout;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    return op_id_of(op) == OP_TT_LOAD && layout_of_type(type, &layout) &&
           layout_register_count(&layout) == 1;
}

/* What the operands of `op` have where its results have `layout`; null where it cannot be done. */
static MlirAttribute layout_for_operands(MlirOperation op, MlirAttribute layout)
{
    return can_relay(op) ? layout : layout_of_operands(op, layout);
}

/* Whether every step up from `value`, wanted in `layout`, ends at a source, or where the value has
 * the layout that is wanted. `budget` bounds what is repeated; `alone`: nobody but the conversion
 * will use the value. */
static bool can_make(MlirValue value, MlirAttribute layout, bool alone, unsigned *budget)
{
    MlirType type = mlirValueGetType(value);
    if (!mlirTypeIsARankedTensor(type) || mlirAttributeEqual(pass_encoding_of(type), layout))
        return true;
    if (!mlirValueIsAOpResult(value) || *budget == 0)
        return false;
    --*budget;
    MlirOperation op = mlirOpResultGetOwner(value);
    if (layout_is_source(op))
        return true;
    alone = alone && has_one_use(value);
    bool relaid = can_relay(op) && alone;
    if (!relaid && (!layout_is_free(op) || op_id_of(op) == OP_TT_REDUCE))
        return false;
    MlirAttribute operands = layout_for_operands(op, layout);
    if (mlirAttributeIsNull(operands))
        return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (!can_make(mlirOperationGetOperand(op, i), operands, alone, budget))
            return false;
    return true;
}

/* A copy of `op` right before it, with results in `layout` and operands in what goes with it. */
static MlirOperation clone_in_layout(MlirOperation op, MlirAttribute layout, struct work *work)
{
    MlirOperation clone = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, clone);
    MlirAttribute for_operands = layout_for_operands(op, layout);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(clone); i++) {
        MlirValue operand = mlirOperationGetOperand(clone, i);
        MlirType type = mlirValueGetType(operand);
        if (!mlirTypeIsARankedTensor(type) ||
            mlirAttributeEqual(pass_encoding_of(type), for_operands))
            continue;
        MlirValue converted = pass_make_convert_layout(clone, operand, for_operands);
        mlirOperationSetOperand(clone, i, converted);
        work_push(work, mlirOpResultGetOwner(converted));
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(clone); i++) {
        MlirValue result = mlirOperationGetResult(clone, i);
        MlirType type = pass_type_with_encoding(mlirValueGetType(result), layout);
        if (op_id_of(clone) == OP_ARITH_CONSTANT)
            pass_constant_set_type(clone, type);
        else
            mlirValueSetType(result, type);
    }
    return clone;
}

static void erase_if_dead(MlirOperation op)
{
    if (ir_is_dead(op))
        mlirOperationDestroy(op);
}

/* Moves one conversion up by one operation. New ones go to `work`. */
static void move_up(MlirOperation conversion, struct work *work)
{
    MlirValue source = mlirOperationGetOperand(conversion, 0);
    MlirValue result = mlirOperationGetResult(conversion, 0);
    MlirOperation op = mlirOpResultGetOwner(source);
    intptr_t index = mlirOpResultGetResultNumber(source);
    MlirAttribute layout = pass_encoding_of(mlirValueGetType(result));
    MlirOperation clone = clone_in_layout(op, layout, work);
    mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(clone, index));
    mlirOperationDestroy(conversion);
    if (op_id_of(op) == OP_TT_LOAD)
        mlirOperationDestroy(op);
    else
        erase_if_dead(op);
}

/* Conversions of conversions start from what the first one started from, and those that nobody uses
 * any more are gone: what feeds them is then seen to have fewer users. */
static void shorten(MlirOperation conversion)
{
    for (;;) {
        MlirValue source = mlirOperationGetOperand(conversion, 0);
        bool is_chain = mlirValueIsAOpResult(source) &&
                        op_id_of(mlirOpResultGetOwner(source)) == OP_TTG_CONVERT_LAYOUT;
        if (!is_chain)
            return;
        MlirOperation inner = mlirOpResultGetOwner(source);
        mlirOperationSetOperand(conversion, 0, mlirOperationGetOperand(inner, 0));
    }
}

static MlirWalkResult collect(MlirOperation op, void *user)
{
    if (op_id_of(op) == OP_TTG_CONVERT_LAYOUT)
        work_push(user, op);
    return MlirWalkResultAdvance;
}

static void shorten_all(MlirOperation module, arena *arena)
{
    struct work work = {.arena = arena};
    mlirOperationWalk(module, collect, &work, MlirWalkPreOrder);
    for (const struct work_item *item = work.top; item; item = item->below)
        shorten(item->conversion);
    for (MlirOperation conversion; !mlirOperationIsNull(conversion = work_pop(&work));)
        erase_if_dead(conversion);
}

/* One conversion: taken away, moved up, or left. */
static void look_at(MlirOperation conversion, struct work *work)
{
    enum { BUDGET = 64 };
    unsigned budget = BUDGET;
    shorten(conversion);
    MlirValue source = mlirOperationGetOperand(conversion, 0);
    MlirValue result = mlirOperationGetResult(conversion, 0);
    MlirAttribute layout = pass_encoding_of(mlirValueGetType(result));
    if (mlirAttributeEqual(pass_encoding_of(mlirValueGetType(source)), layout)) {
        mlirValueReplaceAllUsesOfWith(result, source);
        mlirOperationDestroy(conversion);
    } else if (can_make(source, layout, true, &budget)) {
        move_up(conversion, work);
    }
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    (void)options;
    struct work work = {.arena = arena_create()};
    layout_propagate(module);
    shorten_all(module, work.arena);
    mlirOperationWalk(module, collect, &work, MlirWalkPreOrder);
    for (MlirOperation conversion; !mlirOperationIsNull(conversion = work_pop(&work));)
        look_at(conversion, &work);
    arena_destroy(work.arena);
    return true;
}

MlirPass pass_create_remove_layout_conversions(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "remove-layout-conversions",
        "computes values in the layout that their user wants", run, options);
}
