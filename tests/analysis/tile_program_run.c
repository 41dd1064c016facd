/* See tile_program.h: the interpreter. Each operation is computed for all elements, one after the
 * other. */
#include "tile_evaluate.h"
#include "tile_program.h"

#include "analysis/pointer_map.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

struct machine {
    arena *arena;
    struct pointer_map values; /* MlirValue -> struct tile_value */
    struct tile_observation *newest;
    const char *unknown;
    bool stopped; /* by an unspecified condition, or an operation that is not known */
};

/* ---- Values ---------------------------------------------------------------------------------- */

static MlirType element_of(MlirType type)
{
    return mlirTypeIsARankedTensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

static unsigned width_of(MlirType type)
{
    MlirType element = element_of(type);
    bool is_integer = mlirTypeIsAInteger(element);
    return is_integer ? mlirIntegerTypeGetWidth(element) : 64;
}

static unsigned count_of(MlirType type)
{
    unsigned count = 1;
    for (int64_t i = 0; mlirTypeIsARankedTensor(type) && i < mlirShapedTypeGetRank(type); i++)
        count *= (unsigned)mlirShapedTypeGetDimSize(type, i);
    return count;
}

static struct tile_value *new_tile(struct machine *machine, MlirType type)
{
    struct tile_value *tile = arena_new(machine->arena, struct tile_value);
    tile->count = count_of(type);
    tile->elements = arena_array(machine->arena, int64_t, tile->count);
    tile->unspecified = arena_array(machine->arena, bool, tile->count);
    return tile;
}

static struct tile_value *value_of(const struct machine *machine, MlirValue value)
{
    return pointer_map_get(&machine->values, value.ptr);
}

static void set(struct machine *machine, MlirValue value, struct tile_value *tile)
{
    pointer_map_set(&machine->values, value.ptr, tile);
}

/* ---- Elements -------------------------------------------------------------------------------- */

enum { MOST_OPERANDS = 3 };

static void run_elementwise(struct machine *machine, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = mlirValueGetType(result);
    struct element_operation operation = {.op = op, .id = op_id_of(op), .width = width_of(type)};
    intptr_t count = mlirOperationGetNumOperands(op);
    struct tile_value *tile = new_tile(machine, type), *operands[MOST_OPERANDS] = {NULL};
    for (intptr_t i = 0; i < count && i < MOST_OPERANDS; i++)
        operands[i] = value_of(machine, mlirOperationGetOperand(op, i));
    operation.from_width = width_of(mlirValueGetType(mlirOperationGetOperand(op, 0)));
    if (operation.id == OP_TT_ADDPTR)
        operation.pointee_size = width_of(tt_pointer_pointee(element_of(type))) / 8;
    for (unsigned i = 0; i < tile->count; i++) {
        int64_t inputs[MOST_OPERANDS] = {0};
        bool unspecified = false;
        for (intptr_t j = 0; j < count && j < MOST_OPERANDS; j++) {
            unsigned at = operands[j]->count == 1 ? 0 : i;
            inputs[j] = operands[j]->elements[at];
            unspecified |= operands[j]->unspecified[at];
        }
        int64_t output = 0;
        unspecified |= !tile_evaluate(&operation, inputs, &output, &machine->unknown);
        tile->elements[i] = sign_extended(output, operation.width);
        tile->unspecified[i] = unspecified;
    }
    machine->stopped |= machine->unknown != NULL;
    set(machine, result, tile);
}

/* ---- Sources and shapes ---------------------------------------------------------------------- */

static MlirAttribute attribute(MlirOperation op, const char *name)
{
    return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

static void run_constant(struct machine *machine, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType type = mlirValueGetType(result);
    MlirAttribute value = attribute(op, "value");
    if (mlirAttributeIsADenseElements(value))
        value = mlirDenseElementsAttrGetSplatValue(value);
    struct tile_value *tile = new_tile(machine, type);
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = sign_extended(mlirIntegerAttrGetValueInt(value), width_of(type));
    set(machine, result, tile);
}

static void run_range(struct machine *machine, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    struct tile_value *tile = new_tile(machine, mlirValueGetType(result));
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = mlirIntegerAttrGetValueInt(attribute(op, "start")) + i;
    set(machine, result, tile);
}

/* Which element of the source an element of a two-dimensional result is. */
static unsigned source_of(MlirOperation op, MlirType from, MlirType to, unsigned element)
{
    if (op_id_of(op) == OP_TT_SPLAT)
        return 0;
    if (op_id_of(op) != OP_TT_BROADCAST && op_id_of(op) != OP_TT_TRANS)
        return element;
    unsigned columns = (unsigned)mlirShapedTypeGetDimSize(to, 1);
    unsigned row = element / columns, column = element % columns;
    unsigned from_rows = (unsigned)mlirShapedTypeGetDimSize(from, 0);
    unsigned from_columns = (unsigned)mlirShapedTypeGetDimSize(from, 1);
    if (op_id_of(op) == OP_TT_TRANS)
        return column * from_columns + row;
    return (from_rows == 1 ? 0 : row) * from_columns + (from_columns == 1 ? 0 : column);
}

static void run_shape(struct machine *machine, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0), source = mlirOperationGetOperand(op, 0);
    MlirType from = mlirValueGetType(source), to = mlirValueGetType(result);
    const struct tile_value *input = value_of(machine, source);
    struct tile_value *tile = new_tile(machine, to);
    for (unsigned i = 0; i < tile->count; i++) {
        unsigned at = source_of(op, from, to, i);
        tile->elements[i] = input->elements[at];
        tile->unspecified[i] = input->unspecified[at];
    }
    set(machine, result, tile);
}

static void run_store(struct machine *machine, MlirOperation op)
{
    struct tile_observation *observation = arena_new(machine->arena, struct tile_observation);
    *observation = (struct tile_observation){
        .next = machine->newest,
        .watch = mlirIntegerAttrGetValueInt(attribute(op, "watch")),
        .pointer = *value_of(machine, mlirOperationGetOperand(op, 0)),
        .stored = *value_of(machine, mlirOperationGetOperand(op, 1)),
    };
    machine->newest = observation;
}

/* ---- Control flow ---------------------------------------------------------------------------- */

static MlirOperation run_block(struct machine *machine, MlirBlock block);

/* A scalar that decides where the run goes. */
static int64_t decisive(struct machine *machine, MlirValue value)
{
    const struct tile_value *scalar = value_of(machine, value);
    machine->stopped |= scalar->unspecified[0];
    return scalar->elements[0];
}

/* Hands operands `first`... of `from` to `count` values; all are read before any is set. */
static void hand_over(struct machine *machine, MlirOperation from, intptr_t first,
    MlirValue (*to)(void *, intptr_t), void *user, intptr_t count)
{
    struct tile_value *tiles[8];
    for (intptr_t i = 0; i < count && i < 8; i++)
        tiles[i] = value_of(machine, mlirOperationGetOperand(from, first + i));
    for (intptr_t i = 0; i < count && i < 8; i++)
        set(machine, to(user, i), tiles[i]);
}

static MlirValue block_argument(void *block, intptr_t index)
{
    return mlirBlockGetArgument(*(MlirBlock *)block, index);
}

static MlirValue argument_after_counter(void *block, intptr_t index)
{
    return mlirBlockGetArgument(*(MlirBlock *)block, index + 1);
}

static MlirValue op_result(void *op, intptr_t index)
{
    return mlirOperationGetResult(*(MlirOperation *)op, index);
}

static void run_for(struct machine *machine, MlirOperation loop)
{
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    intptr_t carried = mlirOperationGetNumResults(loop);
    int64_t begin = decisive(machine, mlirOperationGetOperand(loop, 0));
    int64_t end = decisive(machine, mlirOperationGetOperand(loop, 1));
    int64_t step = decisive(machine, mlirOperationGetOperand(loop, 2));
    hand_over(machine, loop, 3, argument_after_counter, &body, carried);
    hand_over(machine, loop, 3, op_result, &loop, carried);
    for (int64_t i = begin; i < end && !machine->stopped; i += step) {
        struct tile_value *counter =
            new_tile(machine, mlirValueGetType(mlirBlockGetArgument(body, 0)));
        counter->elements[0] = i;
        set(machine, mlirBlockGetArgument(body, 0), counter);
        MlirOperation yield = run_block(machine, body);
        if (machine->stopped)
            return;
        hand_over(machine, yield, 0, op_result, &loop, carried);
        hand_over(machine, yield, 0, argument_after_counter, &body, carried);
    }
}

static void run_while(struct machine *machine, MlirOperation loop)
{
    MlirBlock test = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 1));
    hand_over(machine, loop, 0, block_argument, &test, mlirOperationGetNumOperands(loop));
    while (!machine->stopped) {
        MlirOperation condition = run_block(machine, test);
        if (machine->stopped)
            return;
        intptr_t passed = mlirOperationGetNumOperands(condition) - 1;
        hand_over(machine, condition, 1, op_result, &loop, passed);
        if (!decisive(machine, mlirOperationGetOperand(condition, 0)))
            return;
        hand_over(machine, condition, 1, block_argument, &body, passed);
        MlirOperation yield = run_block(machine, body);
        if (!machine->stopped)
            hand_over(machine, yield, 0, block_argument, &test, mlirOperationGetNumOperands(yield));
    }
}

static void run_if(struct machine *machine, MlirOperation choice)
{
    bool holds = decisive(machine, mlirOperationGetOperand(choice, 0)) != 0;
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(choice, holds ? 0 : 1));
    if (machine->stopped)
        return;
    MlirOperation yield = run_block(machine, block);
    if (!machine->stopped)
        hand_over(machine, yield, 0, op_result, &choice, mlirOperationGetNumResults(choice));
}

static void run_operation(struct machine *machine, MlirOperation op)
{
    static void (*const table[OP_ID_COUNT])(struct machine *, MlirOperation) = {
        [OP_ARITH_CONSTANT] = run_constant,
        [OP_TT_MAKE_RANGE] = run_range,
        [OP_TT_SPLAT] = run_shape,
        [OP_TT_BROADCAST] = run_shape,
        [OP_TT_EXPAND_DIMS] = run_shape,
        [OP_TT_RESHAPE] = run_shape,
        [OP_TT_TRANS] = run_shape,
        [OP_TT_STORE] = run_store,
        [OP_SCF_FOR] = run_for,
        [OP_SCF_WHILE] = run_while,
        [OP_SCF_IF] = run_if,
    };
    enum op_id id = op_id_of(op);
    if (table[id])
        table[id](machine, op);
    else
        run_elementwise(machine, op);
}

/* The terminator. */
static MlirOperation run_block(struct machine *machine, MlirBlock block)
{
    MlirOperation op = mlirBlockGetFirstOperation(block);
    for (; !ir_is_terminator(op) && !machine->stopped; op = mlirOperationGetNextInBlock(op))
        run_operation(machine, op);
    return op;
}

/* Where a branch goes; what it hands over is set. */
static MlirBlock follow(struct machine *machine, MlirOperation branch)
{
    intptr_t index = 0, first, count;
    if (op_id_of(branch) == OP_CF_COND_BR)
        index = decisive(machine, mlirOperationGetOperand(branch, 0)) == 0;
    MlirBlock next = mlirBlockGetSuccessor(mlirOperationGetBlock(branch), index);
    if (ir_successor_operands(branch, index, &first, &count))
        hand_over(machine, branch, first, block_argument, &next, count);
    return next;
}

static void run_function(struct machine *machine, MlirBlock block)
{
    for (;;) {
        MlirOperation end = run_block(machine, block);
        if (machine->stopped || op_id_of(end) == OP_TT_RETURN)
            return;
        block = follow(machine, end);
    }
}

struct tile_observation *tile_program_run(
    arena *arena, MlirOperation function, const int64_t *arguments, const char **out_unknown)
{
    struct machine machine = {.arena = arena};
    pointer_map_init(&machine.values, arena);
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
        MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
        struct tile_value *scalar = new_tile(&machine, type);
        scalar->elements[0] = sign_extended(arguments[i], width_of(type));
        set(&machine, mlirBlockGetArgument(body, i), scalar);
    }
    run_function(&machine, body);
    *out_unknown = machine.unknown;
    return machine.newest;
}
