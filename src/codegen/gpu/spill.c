/* See spill.h. */
#include "codegen/gpu/spill.h"

#include "analysis/layout_encoding.h"
#include "analysis/op_words.h"
#include "codegen/gpu/register_groups.h"

/* ---- Which ----------------------------------------------------------------------------------- */

unsigned spill_register_count(MlirType type)
{
    struct linear_layout layout;
    return ir_is_tile(type) && layout_of_type(type, &layout) ? layout_register_count(&layout) : 0;
}

/* A thread has 255 registers. */
bool spill_is_wanted(MlirType type)
{
    enum { MOST_IN_REGISTERS = 256 };
    return spill_register_count(type) > MOST_IN_REGISTERS;
}

bool spill_is_source(MlirValue value)
{
    static const bool is_source[OP_ID_COUNT] = {
        [OP_ARITH_CONSTANT] = true,
        [OP_TT_MAKE_RANGE] = true,
        [OP_TT_SPLAT] = true,
        [OP_UB_POISON] = true,
    };
    return mlirValueIsAOpResult(value) && is_source[op_id_of(mlirOpResultGetOwner(value))];
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* No array takes the place of one that is not needed any more: they are counted all. */
LLVMValueRef spill_make(struct gpu_kernel *kernel, MlirOperation op, MlirType type)
{
    enum { MOST_BYTES = 256 << 10 }; /* half of what a thread has on every target */
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirType element = ir_element_type(type);
    unsigned count = spill_register_count(type);
    if (!emit_memory_type(emitter, element)) {
        ir_error_not_built(op, "of this type");
        return NULL;
    }
    kernel->spilled_bytes += (uint64_t)count * emit_memory_size(element);
    if (kernel->spilled_bytes > MOST_BYTES) {
        ir_error(op,
            "a thread would hold %u elements of %s, too many for registers; all such tiles of the "
            "kernel, each in memory of its own, would take more than %u bytes a thread: use more "
            "warps, or smaller tiles",
            count, op_words_of_type(emitter->arena, type), MOST_BYTES);
        return NULL;
    }
    LLVMBasicBlockRef current = emit_current_block(emitter);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(emitter->function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(emitter->builder, first);
    else
        emit_at_end_of(emitter, entry);
    LLVMTypeRef array = LLVMArrayType2(emit_memory_type(emitter, element), count);
    LLVMValueRef made = LLVMBuildAlloca(emitter->builder, array, "tile");
    emit_at_end_of(emitter, current);
    return made;
}

LLVMValueRef spill_of(const struct gpu_kernel *kernel, MlirValue value)
{
    return pointer_map_get(&kernel->spilled, value.ptr);
}

static LLVMValueRef place_of(
    struct gpu_kernel *kernel, LLVMValueRef array, MlirType element, unsigned index)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef number = emit_i32(emitter, index);
    if (kernel->group)
        number = LLVMBuildAdd(emitter->builder, number,
            LLVMBuildShl(emitter->builder, kernel->group, emit_i32(emitter, GPU_GROUP_BITS), ""),
            "");
    return emit_address(emitter, array, number, emit_memory_size(element));
}

struct lowered *spill_load(
    struct gpu_kernel *kernel, LLVMValueRef array, MlirType type, unsigned count)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirType element = ir_element_type(type);
    struct lowered *elements = lowering_allocate(&kernel->lowering, count);
    for (unsigned i = 0; i < count; i++)
        elements->elements[i] = emit_from_memory(emitter, element,
            LLVMBuildLoad2(emitter->builder, emit_memory_type(emitter, element),
                place_of(kernel, array, element, i), ""));
    return elements;
}

void spill_store(
    struct gpu_kernel *kernel, LLVMValueRef array, MlirType type, const struct lowered *elements)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirType element = ir_element_type(type);
    for (unsigned i = 0; i < elements->count; i++)
        LLVMBuildStore(emitter->builder, emit_to_memory(emitter, element, elements->elements[i]),
            place_of(kernel, array, element, i));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

unsigned spill_phi_count(struct lowering *lowering, MlirType type)
{
    return spill_is_wanted(type) ? 0 : gpu_element_count(lowering, type);
}

static bool make_argument(struct gpu_kernel *kernel, MlirBlock block, MlirValue argument)
{
    if (!spill_is_wanted(mlirValueGetType(argument)))
        return true;
    MlirOperation user = mlirBlockGetTerminator(block); /* for an error's place */
    LLVMValueRef array = spill_make(kernel, user, mlirValueGetType(argument));
    pointer_map_set(&kernel->spilled, argument.ptr, array);
    return array != NULL;
}

bool spill_make_arguments(struct gpu_kernel *kernel, const MlirBlock *blocks, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(blocks[i]); a++)
            if (!make_argument(kernel, blocks[i], mlirBlockGetArgument(blocks[i], a)))
                return false;
    return true;
}

/* Whether the value is another argument of the block: then its array may be written before it is
 * read. */
static bool is_other_argument(MlirValue value, MlirBlock block, intptr_t own)
{
    return !mlirValueIsAOpResult(value) &&
           mlirBlockEqual(mlirBlockArgumentGetOwner(value), block) &&
           mlirBlockArgumentGetArgNumber(value) != own;
}

bool spill_edge(struct lowering *lowering, MlirOperation branch, intptr_t successor)
{
    struct gpu_kernel *kernel = (struct gpu_kernel *)lowering;
    MlirBlock block = mlirOperationGetSuccessor(branch, successor);
    intptr_t first = 0, count = 0;
    ir_successor_operands(branch, successor, &first, &count);
    LLVMValueRef *from = arena_array(lowering->emitter.arena, LLVMValueRef, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++) {
        MlirValue operand = mlirOperationGetOperand(branch, first + i);
        MlirType type = mlirValueGetType(operand);
        from[i] = spill_of(kernel, operand);
        if (!spill_is_wanted(type) || !is_other_argument(operand, block, i))
            continue;
        from[i] = spill_make(kernel, branch, type);
        if (!from[i] || !register_groups_copy(kernel, operand, spill_of(kernel, operand), from[i]))
            return false;
    }
    for (intptr_t i = 0; i < count; i++) {
        MlirValue operand = mlirOperationGetOperand(branch, first + i);
        LLVMValueRef to = spill_of(kernel, mlirBlockGetArgument(block, i));
        if (to && from[i] != to && !register_groups_copy(kernel, operand, from[i], to))
            return false;
    }
    return true;
}

/* ---- All elements at once -------------------------------------------------------------------- */

static bool load_operand(struct gpu_kernel *kernel, MlirValue operand)
{
    MlirType type = mlirValueGetType(operand);
    if (!spill_is_wanted(type))
        return true;
    if (spill_is_source(operand))
        return gpu_lower_operation(kernel, mlirOpResultGetOwner(operand));
    lowering_set(&kernel->lowering, operand,
        spill_load(kernel, spill_of(kernel, operand), type, spill_register_count(type)));
    return true;
}

static bool store_result(struct gpu_kernel *kernel, MlirOperation op, MlirValue result)
{
    MlirType type = mlirValueGetType(result);
    if (!spill_is_wanted(type))
        return true;
    LLVMValueRef array = spill_make(kernel, op, type);
    if (!array)
        return false;
    spill_store(kernel, array, type, lowering_get(&kernel->lowering, result));
    pointer_map_set(&kernel->spilled, result.ptr, array);
    return true;
}

bool spill_lower_operation(struct gpu_kernel *kernel, MlirOperation op)
{
    intptr_t count = mlirOperationGetNumOperands(op);
    arena *arena = kernel->lowering.emitter.arena;
    struct lowered **before = arena_array(arena, struct lowered *, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++)
        before[i] = lowering_get(&kernel->lowering, mlirOperationGetOperand(op, i));
    for (intptr_t i = 0; i < count; i++)
        if (!load_operand(kernel, mlirOperationGetOperand(op, i)))
            return false;
    if (!gpu_lower_operation(kernel, op))
        return false;
    for (intptr_t i = 0; i < count; i++)
        lowering_set(&kernel->lowering, mlirOperationGetOperand(op, i), before[i]);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        if (!store_result(kernel, op, mlirOperationGetResult(op, i)))
            return false;
    return true;
}
