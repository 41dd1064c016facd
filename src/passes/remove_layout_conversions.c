/* remove-layout-conversions: computes values in the layout that their user wants.
 *
 *     %y = f(%x) : #a                          %x' = ttg.convert_layout %x : #a -> #b
 *     %z = ttg.convert_layout %y : #a -> #b    %z  = f(%x') : #b
 *
 * The conversion moves up until it meets a value that costs nothing to make in any layout (a range,
 * a splat, a constant). Pure operations are repeated for it; a load is run in the other layout
 * instead, if nobody else uses it. What cannot be moved stays.
 */
#include "base/arena.h"
#include "dialect/dialect.h"
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

static bool is_source(MlirOperation op)
{
    enum op_id id = op_id_of(op);
    return id == OP_TT_MAKE_RANGE || id == OP_TT_SPLAT || id == OP_ARITH_CONSTANT;
}

static bool has_one_use(MlirValue value)
{
    MlirOpOperand use = mlirValueGetFirstUse(value);
    return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* Whether every step up from `value` ends at a source. `budget` bounds what is repeated; `alone`:
 * nobody but the conversion will use the value. */
static bool can_make_in_any_layout(MlirValue value, bool alone, unsigned *budget)
{
    if (!mlirTypeIsARankedTensor(mlirValueGetType(value)))
        return true;
    if (!mlirValueIsAOpResult(value) || *budget == 0)
        return false;
    --*budget;
    MlirOperation op = mlirOpResultGetOwner(value);
    if (is_source(op))
        return true;
    alone = alone && has_one_use(value);
    bool relaid = op_id_of(op) == OP_TT_LOAD && alone;
    if (!relaid && !(ir_is_pure(op) && ir_is_elementwise(op)))
        return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (!can_make_in_any_layout(mlirOperationGetOperand(op, i), alone, budget))
            return false;
    return true;
}

/* A copy of `op` right before it, with operands and results in `layout`. */
static MlirOperation clone_in_layout(MlirOperation op, MlirAttribute layout, struct work *work)
{
    MlirOperation clone = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, clone);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(clone); i++) {
        MlirValue operand = mlirOperationGetOperand(clone, i);
        if (!mlirTypeIsARankedTensor(mlirValueGetType(operand)))
            continue;
        MlirValue converted = pass_convert_layout_before(clone, operand, layout);
        mlirOperationSetOperand(clone, i, converted);
        if (!mlirValueEqual(converted, operand))
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

static MlirWalkResult collect(MlirOperation op, void *user)
{
    if (op_id_of(op) == OP_TTG_CONVERT_LAYOUT)
        work_push(user, op);
    return MlirWalkResultAdvance;
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    (void)options;
    enum { BUDGET = 64 };
    struct work work = {.arena = arena_create()};
    mlirOperationWalk(module, collect, &work, MlirWalkPreOrder);
    for (MlirOperation conversion; !mlirOperationIsNull(conversion = work_pop(&work));) {
        unsigned budget = BUDGET;
        if (can_make_in_any_layout(mlirOperationGetOperand(conversion, 0), true, &budget))
            move_up(conversion, &work);
    }
    arena_destroy(work.arena);
    return true;
}

MlirPass pass_create_remove_layout_conversions(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "remove-layout-conversions",
        "computes values in the layout that their user wants", run, options);
}
