/* Values and blocks: see lowering.h. */
#include "codegen/lowering.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Values ---------------------------------------------------------------------------------- */

void lowering_init(struct lowering *lowering)
{
    pointer_map_init(&lowering->values, lowering->emitter.arena);
    pointer_map_init(&lowering->blocks, lowering->emitter.arena);
}

struct lowered *lowering_allocate(struct lowering *lowering, unsigned count)
{
    size_t size = sizeof(struct lowered) + count * sizeof(LLVMValueRef);
    struct lowered *lowered = arena_allocate(lowering->emitter.arena, size);
    lowered->count = count;
    return lowered;
}

void lowering_set(struct lowering *lowering, MlirValue value, struct lowered *lowered)
{
    pointer_map_set(&lowering->values, value.ptr, lowered);
}

void lowering_set_scalar(struct lowering *lowering, MlirValue value, LLVMValueRef scalar)
{
    struct lowered *lowered = lowering_allocate(lowering, 1);
    lowered->elements[0] = scalar;
    lowering_set(lowering, value, lowered);
}

struct lowered *lowering_get(const struct lowering *lowering, MlirValue value)
{
    return pointer_map_get(&lowering->values, value.ptr);
}

LLVMValueRef lowering_get_scalar(const struct lowering *lowering, MlirValue value)
{
    return lowering_get(lowering, value)->elements[0];
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool make_phis(
    struct lowering *lowering, MlirValue argument, lowering_count_function *element_count)
{
    MlirType type = mlirValueGetType(argument);
    LLVMTypeRef llvm_type = emit_type(&lowering->emitter, ir_element_type(type));
    if (!llvm_type) {
        MlirBlock block = mlirBlockArgumentGetOwner(argument);
        return ir_error_not_built(mlirBlockGetTerminator(block), "with this type in a loop");
    }
    struct lowered *phis = lowering_allocate(lowering, element_count(lowering, type));
    for (unsigned i = 0; i < phis->count; i++)
        phis->elements[i] = LLVMBuildPhi(lowering->emitter.builder, llvm_type, "");
    lowering_set(lowering, argument, phis);
    return true;
}

bool lowering_make_blocks(struct lowering *lowering, MlirBlock *blocks, size_t count,
    lowering_count_function *element_count)
{
    for (size_t i = 0; i < count; i++) {
        LLVMBasicBlockRef block = emit_new_block(&lowering->emitter, "");
        pointer_map_set(&lowering->blocks, blocks[i].ptr, block);
        emit_at_end_of(&lowering->emitter, block);
        for (intptr_t a = 0; i > 0 && a < mlirBlockGetNumArguments(blocks[i]); a++)
            if (!make_phis(lowering, mlirBlockGetArgument(blocks[i], a), element_count))
                return false;
    }
    return true;
}

/* ---- Branches -------------------------------------------------------------------------------- */

static void add_incoming(struct lowering *lowering, MlirValue argument, MlirValue operand)
{
    struct lowered *phis = lowering_get(lowering, argument);
    if (phis->count == 0)
        return;
    struct lowered *values = lowering_get(lowering, operand);
    LLVMBasicBlockRef from = emit_current_block(&lowering->emitter);
    for (unsigned i = 0; i < phis->count; i++)
        LLVMAddIncoming(phis->elements[i], &values->elements[i], &from, 1);
}

/* A block of its own for the way to successor `index`, so that two ways to one block may hand over
 * different values. LLVM removes it where it was not needed. NULL after an error. */
static LLVMBasicBlockRef emit_edge(struct lowering *lowering, MlirOperation op, intptr_t index)
{
    struct emitter *emitter = &lowering->emitter;
    MlirBlock successor = mlirOperationGetSuccessor(op, index);
    LLVMBasicBlockRef from = emit_current_block(emitter);
    LLVMBasicBlockRef edge = emit_new_block(emitter, "");
    emit_at_end_of(emitter, edge);
    if (lowering->edge && !lowering->edge(lowering, op, index))
        return NULL;
    intptr_t first = 0, count = 0;
    ir_successor_operands(op, index, &first, &count);
    for (intptr_t i = 0; i < count; i++)
        add_incoming(
            lowering, mlirBlockGetArgument(successor, i), mlirOperationGetOperand(op, first + i));
    LLVMBuildBr(emitter->builder, pointer_map_get(&lowering->blocks, successor.ptr));
    emit_at_end_of(emitter, from);
    return edge;
}

static bool emit_br(struct lowering *lowering, MlirOperation op)
{
    LLVMBasicBlockRef edge = emit_edge(lowering, op, 0);
    if (edge)
        LLVMBuildBr(lowering->emitter.builder, edge);
    return edge != NULL;
}

static bool emit_cond_br(struct lowering *lowering, MlirOperation op)
{
    LLVMValueRef condition = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0));
    LLVMBasicBlockRef then = emit_edge(lowering, op, 0);
    LLVMBasicBlockRef otherwise = then ? emit_edge(lowering, op, 1) : NULL;
    if (!otherwise)
        return false;
    LLVMBuildCondBr(lowering->emitter.builder, condition, then, otherwise);
    return true;
}

/* Whether case `index` repeats an earlier one: constants of one value are one object. */
static bool is_repeated(const LLVMValueRef *values, intptr_t index)
{
    for (intptr_t i = 0; i < index; i++)
        if (values[i] == values[index])
            return true;
    return false;
}

/* Successor 0 is the default. */
static bool emit_switch(struct lowering *lowering, MlirOperation op)
{
    const struct emitter *emitter = &lowering->emitter;
    MlirAttribute cases = ir_attribute(op, "case_values");
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
    LLVMValueRef flag = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0));
    intptr_t count = mlirOperationGetNumSuccessors(op) - 1;
    LLVMBasicBlockRef edge = emit_edge(lowering, op, 0);
    if (!edge)
        return false;
    LLVMValueRef choice = LLVMBuildSwitch(emitter->builder, flag, edge, (unsigned)count);
    LLVMValueRef *values = arena_array(emitter->arena, LLVMValueRef, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++) {
        values[i] = emit_dense_element(emitter, cases, type, (uint64_t)i);
        if (is_repeated(values, i))
            return ir_error(op, "case %lld is there twice", LLVMConstIntGetSExtValue(values[i]));
        edge = emit_edge(lowering, op, i + 1);
        if (!edge)
            return false;
        LLVMAddCase(choice, values[i], edge);
    }
    return true;
}

static bool emit_unreachable(struct lowering *lowering, MlirOperation op)
{
    (void)op;
    LLVMBuildUnreachable(lowering->emitter.builder);
    return true;
}

static const struct {
    enum op_id id;
    bool (*emit)(struct lowering *lowering, MlirOperation op);
} branches[] = {
    {OP_CF_BR, emit_br},
    {OP_CF_COND_BR, emit_cond_br},
    {OP_CF_SWITCH, emit_switch},
    {OP_UB_UNREACHABLE, emit_unreachable},
};

bool lowering_is_branch(enum op_id id)
{
    for (unsigned i = 0; i < sizeof branches / sizeof *branches; i++)
        if (branches[i].id == id)
            return true;
    return false;
}

bool lowering_branch(struct lowering *lowering, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    for (unsigned i = 0; i < sizeof branches / sizeof *branches; i++)
        if (branches[i].id == id)
            return branches[i].emit(lowering, op);
    return ir_error_not_built(op, NULL);
}
