/* Making tiles, and the place of a program in the grid. */
#include "codegen/gpu/gpu.h"

#include "analysis/layout_encoding.h"

/* ---- Programs -------------------------------------------------------------------------------- */

static bool lower_grid(struct gpu_kernel *kernel, MlirOperation op, enum nv_op first)
{
    struct lowering *lowering = &kernel->lowering;
    enum nv_op id = first + (enum nv_op)ir_integer_attribute(op, "axis", 0);
    LLVMValueRef value = nv_emit(&lowering->emitter, kernel->options.column, id, NULL, NULL);
    lowering_set_scalar(lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

bool gpu_lower_program_id(struct gpu_kernel *kernel, MlirOperation op)
{
    return lower_grid(kernel, op, NV_PROGRAM_ID_X);
}

bool gpu_lower_num_programs(struct gpu_kernel *kernel, MlirOperation op)
{
    return lower_grid(kernel, op, NV_NUM_PROGRAMS_X);
}

bool gpu_lower_return(struct gpu_kernel *kernel, MlirOperation op)
{
    if (mlirOperationGetNumOperands(op) > 0)
        return ir_error(op, "a kernel returns nothing");
    LLVMBuildRetVoid(kernel->lowering.emitter.builder);
    return true;
}

/* ---- Making tiles ---------------------------------------------------------------------------- */

bool gpu_lower_make_range(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef start = emit_i32(emitter, (uint32_t)ir_integer_attribute(op, "start", 0));
    struct linear_layout layout;
    if (!gpu_layout(op, mlirValueGetType(result), &layout))
        return false;
    LLVMValueRef thread = gpu_thread_part(kernel, &layout);
    unsigned count = gpu_element_count(lowering, mlirValueGetType(result));
    struct lowered *tile = lowering_allocate(lowering, count);
    for (unsigned i = 0; i < tile->count; i++) {
        LLVMValueRef own = emit_i32(emitter, layout_apply(&layout, (struct layout_place){{i}}));
        LLVMValueRef number = LLVMBuildXor(emitter->builder, thread, own, "");
        tile->elements[i] = LLVMBuildAdd(emitter->builder, number, start, "");
    }
    lowering_set(lowering, result, tile);
    return true;
}

bool gpu_lower_splat(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef scalar = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0));
    struct linear_layout layout;
    if (!gpu_layout(op, mlirValueGetType(result), &layout))
        return false;
    unsigned count = gpu_element_count(lowering, mlirValueGetType(result));
    struct lowered *tile = lowering_allocate(lowering, count);
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = scalar;
    lowering_set(lowering, result, tile);
    return true;
}
