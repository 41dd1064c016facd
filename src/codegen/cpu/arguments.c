/* See arguments.h. */
#include "codegen/cpu/arguments.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static struct cpu_argument *find(const struct cpu_kernel *kernel, MlirValue value)
{
    return pointer_map_get(&kernel->arguments, value.ptr);
}

const struct cpu_argument *cpu_argument_of(const struct cpu_kernel *kernel, MlirValue value)
{
    return find(kernel, value);
}

MlirValue cpu_resolve(const struct cpu_kernel *kernel, MlirValue value)
{
    for (const struct cpu_argument *known; (known = find(kernel, value)) && !known->moves;)
        value = known->base;
    return value;
}

/* ---- Aliases --------------------------------------------------------------------------------- */

typedef bool argument_function(struct cpu_kernel *kernel, size_t block, intptr_t number);

/* Calls the function for every tile that is an argument and has not been decided upon. */
static bool for_each_argument(struct cpu_kernel *kernel, argument_function *function)
{
    const struct cpu_graph *graph = kernel->graph;
    bool changed = false;
    for (size_t i = 1; i < graph->count; i++) {
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(graph->blocks[i]); a++) {
            MlirValue argument = mlirBlockGetArgument(graph->blocks[i], a);
            if (ir_is_tile(mlirValueGetType(argument)) && !find(kernel, argument))
                changed |= function(kernel, i, a);
        }
    }
    return changed;
}

static void decide(struct cpu_kernel *kernel, MlirValue argument, MlirValue base, bool moves)
{
    struct cpu_argument *known = arena_new(kernel->lowering.emitter.arena, struct cpu_argument);
    *known = (struct cpu_argument){.base = base, .moves = moves};
    pointer_map_set(&kernel->arguments, argument.ptr, known);
}

/* One value on all ways in, apart from the argument itself. */
static bool find_alias(struct cpu_kernel *kernel, size_t block, intptr_t number)
{
    const struct cpu_graph *graph = kernel->graph;
    MlirValue argument = mlirBlockGetArgument(graph->blocks[block], number), only = {NULL};
    for (size_t i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to != block)
            continue;
        MlirValue value = cpu_resolve(kernel, cpu_edge_value(&graph->edges[i], number));
        if (mlirValueEqual(value, argument))
            continue;
        if (only.ptr && !mlirValueEqual(value, only))
            return false;
        only = value;
    }
    if (only.ptr)
        decide(kernel, argument, only, false);
    return only.ptr != NULL;
}

/* ---- Arguments that move --------------------------------------------------------------------- */

/* A tile whose elements are all the same integer, known as a scalar. */
static bool is_uniform(MlirValue tile)
{
    if (!mlirValueIsAOpResult(tile))
        return false;
    MlirOperation op = mlirOpResultGetOwner(tile);
    if (op_id_of(op) == OP_TT_SPLAT)
        return ir_is_integer(ir_element_type(mlirValueGetType(tile)));
    if (op_id_of(op) != OP_ARITH_CONSTANT)
        return false;
    MlirAttribute value = ir_attribute(op, "value");
    return mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
}

/* One step of `value`: the tile that it moves, and by which. False where it is no such step. */
struct step {
    MlirValue from, by;
    bool is_backwards;
};

static bool read_step(MlirValue value, struct step *out_step)
{
    if (!mlirValueIsAOpResult(value))
        return false;
    MlirOperation op = mlirOpResultGetOwner(value);
    enum op_id id = op_id_of(op);
    if (id != OP_TT_ADDPTR && id != OP_ARITH_ADDI && id != OP_ARITH_SUBI)
        return false;
    *out_step = (struct step){
        mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1), id == OP_ARITH_SUBI};
    if (id == OP_ARITH_ADDI && is_uniform(out_step->from)) {
        out_step->from = mlirOperationGetOperand(op, 1);
        out_step->by = mlirOperationGetOperand(op, 0);
    }
    return is_uniform(out_step->by);
}

/* Whether the value is the argument after some steps. */
static bool comes_from(const struct cpu_kernel *kernel, MlirValue value, MlirValue argument)
{
    struct step step;
    value = cpu_resolve(kernel, value);
    while (!mlirValueEqual(value, argument) && read_step(value, &step))
        value = cpu_resolve(kernel, step.from);
    return mlirValueEqual(value, argument);
}

static bool has_offsets(MlirValue argument)
{
    MlirType element = ir_element_type(mlirValueGetType(argument));
    return tt_type_is_pointer(element) ||
           (ir_is_integer(element) && ir_integer_width(element) >= 8);
}

static bool find_moving(struct cpu_kernel *kernel, size_t block, intptr_t number)
{
    const struct cpu_graph *graph = kernel->graph;
    MlirValue argument = mlirBlockGetArgument(graph->blocks[block], number), start = {NULL};
    if (!has_offsets(argument))
        return false;
    for (size_t i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to != block)
            continue;
        MlirValue value = cpu_resolve(kernel, cpu_edge_value(&graph->edges[i], number));
        if (comes_from(kernel, value, argument))
            continue;
        if (!value.ptr || (start.ptr && !mlirValueEqual(start, value)))
            return false;
        start = value;
    }
    if (start.ptr)
        decide(kernel, argument, start, true);
    return start.ptr != NULL;
}

static bool give_buffer(struct cpu_kernel *kernel, size_t block, intptr_t number)
{
    cpu_buffer_reserve(kernel, mlirBlockGetArgument(kernel->graph->blocks[block], number));
    return false;
}

void cpu_arguments_classify(struct cpu_kernel *kernel)
{
    while (for_each_argument(kernel, find_alias))
        continue;
    for_each_argument(kernel, find_moving);
    for_each_argument(kernel, give_buffer);
}

/* ---- Their offsets --------------------------------------------------------------------------- */

void cpu_arguments_make_phis(struct cpu_kernel *kernel)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    for (size_t i = 1; i < kernel->graph->count; i++) {
        MlirBlock block = kernel->graph->blocks[i];
        emit_at_end_of(emitter, pointer_map_get(&kernel->lowering.blocks, block.ptr));
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++) {
            struct cpu_argument *known = find(kernel, mlirBlockGetArgument(block, a));
            if (known && known->moves)
                known->offset = LLVMBuildPhi(emitter->builder, i64, "");
        }
    }
}

static LLVMValueRef uniform_scalar(struct cpu_kernel *kernel, MlirValue tile)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirOperation op = mlirOpResultGetOwner(tile);
    LLVMValueRef scalar;
    if (op_id_of(op) == OP_TT_SPLAT)
        scalar = lowering_get_scalar(&kernel->lowering, mlirOperationGetOperand(op, 0));
    else
        scalar = emit_dense_element(
            emitter, ir_attribute(op, "value"), ir_element_type(mlirValueGetType(tile)), 0);
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    return LLVMBuildSExtOrBitCast(emitter->builder, scalar, i64, "");
}

/* How far `value` has come from the argument's start. */
static LLVMValueRef offset_of(
    struct cpu_kernel *kernel, MlirValue value, MlirValue argument, LLVMValueRef offset)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct step step;
    if (!comes_from(kernel, value, argument))
        return emit_i64(emitter, 0);
    value = cpu_resolve(kernel, value);
    while (!mlirValueEqual(value, argument) && read_step(value, &step)) {
        LLVMValueRef by = uniform_scalar(kernel, step.by);
        offset = step.is_backwards ? LLVMBuildSub(emitter->builder, offset, by, "")
                                   : LLVMBuildAdd(emitter->builder, offset, by, "");
        value = cpu_resolve(kernel, step.from);
    }
    return offset;
}

void cpu_arguments_add_incoming(struct cpu_kernel *kernel, const struct cpu_edge *edge)
{
    MlirBlock block = kernel->graph->blocks[edge->to];
    for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++) {
        MlirValue argument = mlirBlockGetArgument(block, a);
        const struct cpu_argument *known = find(kernel, argument);
        if (!known || !known->moves)
            continue;
        LLVMValueRef offset = offset_of(kernel, cpu_edge_value(edge, a), argument, known->offset);
        LLVMBasicBlockRef from = emit_current_block(&kernel->lowering.emitter);
        LLVMAddIncoming(known->offset, &offset, &from, 1);
    }
}

/* ---- Uses ------------------------------------------------------------------------------------ */

bool cpu_use_is_renaming(const struct cpu_kernel *kernel, MlirOpOperand use, MlirValue *out_name)
{
    MlirOperation branch = mlirOpOperandGetOwner(use);
    intptr_t operand = mlirOpOperandGetOperandNumber(use), first, count;
    for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(branch); s++) {
        if (!ir_successor_operands(branch, s, &first, &count) || operand < first ||
            operand >= first + count)
            continue;
        *out_name = mlirBlockGetArgument(mlirOperationGetSuccessor(branch, s), operand - first);
        return find(kernel, *out_name) != NULL;
    }
    return false;
}
