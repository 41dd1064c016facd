/* Elements that come from memory: loads and buffers. See pull.h. */
#include "codegen/cpu/pull.h"

static struct emitter *emitter_of(struct cpu_pull *pull)
{
    return &pull->kernel->lowering.emitter;
}

/* ---- Buffers --------------------------------------------------------------------------------- */

LLVMValueRef cpu_buffer_place(struct cpu_kernel *kernel, const struct cpu_buffer *buffer,
    MlirType element, LLVMValueRef number)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMTypeRef byte = emit_integer_type(emitter, 8);
    LLVMValueRef offset = emit_i64(emitter, buffer->offset);
    LLVMValueRef start = LLVMBuildGEP2(emitter->builder, byte, kernel->scratch, &offset, 1, "");
    LLVMTypeRef type = emit_memory_type(emitter, element);
    return LLVMBuildInBoundsGEP2(emitter->builder, type, start, &number, 1, "");
}

static LLVMValueRef buffer_pointer(struct cpu_pull *pull, const struct cpu_view *view,
    const struct cpu_buffer *buffer, MlirType tile)
{
    struct layout_shape shape = cpu_shape(tile);
    LLVMValueRef number = cpu_row_major(pull, view, &shape);
    return cpu_buffer_place(pull->kernel, buffer, ir_element_type(tile), number);
}

void cpu_buffer_store(struct cpu_pull *pull, const struct cpu_view *view,
    const struct cpu_buffer *buffer, MlirType tile, LLVMValueRef element)
{
    struct emitter *emitter = emitter_of(pull);
    LLVMValueRef value = emit_to_memory(emitter, ir_element_type(tile), element);
    LLVMValueRef place = buffer_pointer(pull, view, buffer, tile);
    cpu_nest_mark_access(pull->kernel, pull->nest, LLVMBuildStore(emitter->builder, value, place));
}

LLVMValueRef cpu_pull_buffered(struct cpu_pull *pull, const struct cpu_view *view,
    const struct cpu_buffer *buffer, MlirValue value)
{
    struct emitter *emitter = emitter_of(pull);
    MlirType tile = mlirValueGetType(value), element = ir_element_type(tile);
    LLVMValueRef loaded = LLVMBuildLoad2(emitter->builder, emit_memory_type(emitter, element),
        buffer_pointer(pull, view, buffer, tile), "");
    cpu_nest_mark_access(pull->kernel, pull->nest, loaded);
    return emit_from_memory(emitter, element, loaded);
}

/* ---- Addresses and masks --------------------------------------------------------------------- */

LLVMValueRef cpu_pull_pointer(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op, MlirValue pointer)
{
    const struct cpu_affine *form =
        pull->version.addresses ? pointer_map_get(pull->version.addresses, op.ptr) : NULL;
    if (form)
        return cpu_affine_pointer(emitter_of(pull), form, view->index);
    return cpu_pull_element(pull, view, pointer);
}

LLVMValueRef cpu_pull_mask(
    struct cpu_pull *pull, struct cpu_view *view, MlirValue mask, bool *out_always)
{
    enum cpu_masks_state state = pull->version.state;
    *out_always = mlirValueIsNull(mask) || state == CPU_MASKS_TRUE;
    if (*out_always)
        return NULL;
    return state == CPU_MASKS_FALSE ? emit_bool(emitter_of(pull), false)
                                    : cpu_pull_element(pull, view, mask);
}

/* ---- Loads ----------------------------------------------------------------------------------- */

static LLVMValueRef emit_load(
    struct cpu_pull *pull, const struct memory_access *access, LLVMValueRef pointer)
{
    struct emitter *emitter = emitter_of(pull);
    LLVMValueRef loaded =
        LLVMBuildLoad2(emitter->builder, emit_memory_type(emitter, access->element), pointer, "");
    if (access->is_volatile)
        LLVMSetVolatile(loaded, true);
    else
        cpu_nest_mark_access(pull->kernel, pull->nest, loaded);
    return emit_from_memory(emitter, access->element, loaded);
}

/* Nothing is read where the mask is false. */
static LLVMValueRef emit_load_if(struct cpu_pull *pull, const struct memory_access *access,
    LLVMValueRef pointer, LLVMValueRef mask, LLVMValueRef other)
{
    struct emitter *emitter = emitter_of(pull);
    LLVMBasicBlockRef before = emit_current_block(emitter);
    LLVMBasicBlockRef read = emit_new_block(emitter, "read");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, mask, read, after);
    emit_at_end_of(emitter, read);
    LLVMValueRef loaded = emit_load(pull, access, pointer);
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, after);
    LLVMValueRef result = LLVMBuildPhi(emitter->builder, LLVMTypeOf(loaded), "");
    LLVMAddIncoming(result, &loaded, &read, 1);
    LLVMAddIncoming(result, &other, &before, 1);
    return result;
}

/* Everything that the access depends on comes before the branch, so that what was computed is there
 * for the rest of the nest's body. */
LLVMValueRef cpu_pull_load(struct cpu_pull *pull, struct cpu_view *view, MlirOperation load)
{
    struct emitter *emitter = emitter_of(pull);
    struct memory_access access = ir_memory_access(load);
    LLVMTypeRef type = emit_type(emitter, access.element);
    if (!type) {
        ir_error_not_built(load, "of this element type");
        return NULL;
    }
    bool always;
    LLVMValueRef mask = cpu_pull_mask(pull, view, access.mask, &always);
    if (!mask && !always)
        return NULL;
    LLVMValueRef other = LLVMConstNull(type);
    if (!always && !mlirValueIsNull(access.other))
        other = cpu_pull_element(pull, view, access.other);
    if (!always && emit_is_false(mask))
        return other;
    LLVMValueRef pointer = cpu_pull_pointer(pull, view, load, access.pointer);
    if (!pointer)
        return NULL;
    if (always)
        return emit_load(pull, &access, pointer);
    return other ? emit_load_if(pull, &access, pointer, mask, other) : NULL;
}
