/* Pointers, loads and stores. A replicated element is stored by the first thread that holds it. */
#include "codegen/gpu/access.h"

/* ---- Addresses ------------------------------------------------------------------------------- */

/* By the element's type and not in bytes: LLVM then takes constants out of the index, which become
 * the offset in the instruction, and all accesses of a tile share one address. */
static LLVMValueRef element_address(
    struct emitter *emitter, LLVMValueRef pointer, LLVMValueRef offset, unsigned size)
{
    LLVMTypeRef element = emit_integer_type(emitter, 8 * size);
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    LLVMValueRef index = LLVMBuildSExtOrBitCast(emitter->builder, offset, i64, "");
    return LLVMBuildGEP2(emitter->builder, element, pointer, &index, 1, "");
}

/* Whether copies run on the pointers. They have no offset in the instruction, and run in loops
 * where only the base changes: bytes are then counted where they are added, in one instruction. By
 * elements, the 64-bit products of all of them would take registers all through the loop. */
static bool are_copied_from(MlirValue pointers)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(pointers); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use))
        if (op_id_of(mlirOpOperandGetOwner(use)) == OP_TTG_ASYNC_COPY)
            return true;
    return false;
}

bool gpu_lower_addptr(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType pointee = tt_pointer_pointee(ir_element_type(mlirValueGetType(result)));
    const struct lowered *pointers = lowering_get(lowering, mlirOperationGetOperand(op, 0));
    const struct lowered *offsets = lowering_get(lowering, mlirOperationGetOperand(op, 1));
    struct lowered *sums = lowering_allocate(lowering, pointers->count);
    bool by_bytes = are_copied_from(result);
    for (unsigned i = 0; i < sums->count; i++)
        sums->elements[i] = (by_bytes ? emit_address : element_address)(&lowering->emitter,
            pointers->elements[i], offsets->elements[i], emit_memory_size(pointee));
    lowering_set(lowering, result, sums);
    return true;
}

static LLVMValueRef element_of(const struct lowering *lowering, MlirValue value, unsigned index)
{
    const struct lowered *elements = lowering_get(lowering, value);
    return elements->elements[elements->count == 1 ? 0 : index];
}

/* The elements of a run, as words. */
static void words_of(const struct gpu_kernel *kernel, const struct access *access, MlirValue value,
    unsigned first, LLVMValueRef *words)
{
    struct lowering *lowering = (struct lowering *)&kernel->lowering;
    LLVMValueRef elements[ACCESS_MOST_ELEMENTS];
    for (unsigned i = 0; i < 1U << access->run; i++)
        elements[i] = element_of(lowering, value, first + i);
    access_to_words(&lowering->emitter, access, elements, words);
}

/* ---- Loads ----------------------------------------------------------------------------------- */

/* What a masked load leaves where the mask does not hold. */
static void other_words(const struct gpu_kernel *kernel, const struct access *access,
    unsigned first, LLVMValueRef *words)
{
    if (!mlirValueIsNull(access->ir.other)) {
        words_of(kernel, access, access->ir.other, first, words);
        return;
    }
    for (unsigned i = 0; i < access->word_count; i++)
        words[i] = LLVMConstNull(access->word);
}

void access_load_run(struct gpu_kernel *kernel, const struct access *access, unsigned first,
    LLVMValueRef *out_elements)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    LLVMValueRef operands[2 + ACCESS_MOST_WORDS] = {
        element_of(lowering, access->ir.pointer, first)};
    enum nv_op row = NV_LOAD_8;
    if (!mlirValueIsNull(access->ir.mask)) {
        row = NV_LOAD_IF_8;
        operands[1] = element_of(lowering, access->ir.mask, first);
        other_words(kernel, access, first, operands + 2);
    }
    LLVMValueRef loaded = nv_emit(emitter, kernel->options.column,
        row + (enum nv_op)access->size_index, access->modifiers, operands);
    LLVMValueRef words[ACCESS_MOST_WORDS] = {loaded};
    for (unsigned i = 0; access->word_count > 1 && i < access->word_count; i++)
        words[i] = LLVMBuildExtractValue(emitter->builder, loaded, i, "");
    access_from_words(emitter, access, words, out_elements);
}

bool gpu_lower_load(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    struct access access;
    if (!access_describe(kernel, op, &access))
        return false;
    unsigned count = lowering_get(lowering, access.ir.pointer)->count;
    struct lowered *result = lowering_allocate(lowering, count);
    for (unsigned i = 0; i < count; i += 1U << access.run)
        access_load_run(kernel, &access, i, result->elements + i);
    lowering_set(lowering, mlirOperationGetResult(op, 0), result);
    return true;
}

/* ---- Stores ---------------------------------------------------------------------------------- */

static LLVMValueRef both(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildAnd(emitter->builder, a, b, "");
}

static void store_run(struct gpu_kernel *kernel, const struct access *access, unsigned first,
    LLVMValueRef is_first_holder)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    LLVMValueRef mask =
        mlirValueIsNull(access->ir.mask) ? NULL : element_of(lowering, access->ir.mask, first);
    LLVMValueRef operands[2 + ACCESS_MOST_WORDS] = {
        element_of(lowering, access->ir.pointer, first)};
    words_of(kernel, access, access->ir.value, first, operands + 1);
    LLVMValueRef predicate = both(emitter, mask, is_first_holder);
    operands[1 + access->word_count] = predicate;
    enum nv_op row = predicate ? NV_STORE_IF_8 : NV_STORE_8;
    nv_emit(emitter, kernel->options.column, row + (enum nv_op)access->size_index,
        access->modifiers, operands);
}

/* A scalar is held by every thread, once. */
static bool layout_of_access(
    MlirOperation op, const struct access *access, struct linear_layout *out_layout)
{
    MlirType type = mlirValueGetType(access->ir.pointer);
    if (ir_is_tile(type))
        return gpu_layout(op, type, out_layout);
    *out_layout = (struct linear_layout){.in[LAYOUT_LANE] = {.count = 5}};
    return true;
}

bool gpu_lower_store(struct gpu_kernel *kernel, MlirOperation op)
{
    struct access access;
    struct linear_layout layout;
    if (!access_describe(kernel, op, &access) || !layout_of_access(op, &access, &layout))
        return false;
    uint32_t free_registers;
    LLVMValueRef is_first_holder = gpu_is_first_holder(kernel, &layout, &free_registers);
    unsigned count = lowering_get(&kernel->lowering, access.ir.pointer)->count;
    for (unsigned i = 0; i < count; i += 1U << access.run)
        if ((i & free_registers) == 0)
            store_run(kernel, &access, i, is_first_holder);
    return true;
}
