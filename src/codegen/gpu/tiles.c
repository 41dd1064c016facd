/* The elements of tiles: layouts, constants, elementwise operations. */
#include "codegen/gpu/gpu.h"

#include "analysis/constant_registers.h"
#include "analysis/layout_encoding.h"
#include "codegen/scalar_ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Layouts --------------------------------------------------------------------------------- */

bool gpu_layout(MlirOperation op, MlirType type, struct linear_layout *out_layout)
{
    if (layout_of_type(type, out_layout))
        return true;
    return ir_error_not_built(op, "on a tile of this layout");
}

unsigned gpu_element_count(struct lowering *lowering, MlirType type)
{
    const struct gpu_kernel *kernel = (const struct gpu_kernel *)lowering;
    struct linear_layout layout;
    if (!ir_is_tile(type) || !layout_of_type(type, &layout))
        return 1;
    return kernel->group ? 1U << GPU_GROUP_BITS : layout_register_count(&layout);
}

/* ---- Constants ------------------------------------------------------------------------------- */

static bool lower_constant_tile(struct gpu_kernel *kernel, MlirOperation op, MlirType type)
{
    struct lowering *lowering = &kernel->lowering;
    MlirAttribute attribute = ir_attribute(op, "value");
    struct linear_layout layout;
    if (!gpu_layout(op, type, &layout))
        return false;
    if (!mlirAttributeIsADenseElements(attribute) || !mlirDenseElementsAttrIsSplat(attribute))
        return ir_error_not_built(op, "with unlike elements");
    LLVMValueRef element =
        emit_dense_element(&lowering->emitter, attribute, ir_element_type(type), 0);
    if (!element)
        return ir_error_not_built(op, "of this element type");
    struct lowered *tile = lowering_allocate(lowering, gpu_element_count(lowering, type));
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = element;
    lowering_set(lowering, mlirOperationGetResult(op, 0), tile);
    return true;
}

bool gpu_lower_constant(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    if (ir_is_tile(type))
        return lower_constant_tile(kernel, op, type);
    LLVMValueRef value = emit_scalar_attribute(&lowering->emitter, ir_attribute(op, "value"), type);
    if (!value)
        return ir_error_not_built(op, "of this type");
    lowering_set_scalar(lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

bool gpu_lower_poison(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    LLVMTypeRef element = emit_type(&lowering->emitter, ir_element_type(type));
    if (!element)
        return ir_error_not_built(op, "of this type");
    struct lowered *value = lowering_allocate(lowering, gpu_element_count(lowering, type));
    for (unsigned i = 0; i < value->count; i++)
        value->elements[i] = LLVMGetPoison(element);
    lowering_set(lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

/* ---- Elementwise operations ------------------------------------------------------------------ */

/* Operand i of one element; a scalar beside tiles goes with every element. */
static LLVMValueRef operand_element(
    const struct lowering *lowering, MlirOperation op, intptr_t operand, unsigned element)
{
    const struct lowered *value = lowering_get(lowering, mlirOperationGetOperand(op, operand));
    return value->elements[value->count == 1 ? 0 : element];
}

/* Of a choice that makes a divisor safe the facts are those of the divisor that matters
 * (analysis/divisor_guard.h): what is chosen still differs where the condition does. */
static uint32_t repeated_choices(
    const struct gpu_kernel *kernel, MlirOperation op, const struct linear_layout *layout)
{
    MlirValue condition = mlirOperationGetOperand(op, 0);
    struct axis_facts facts = axis_info_get(kernel->axes, condition);
    return ir_is_tile(mlirValueGetType(condition)) ? constant_registers(&facts, layout)
                                                   : UINT32_MAX;
}

/* Registers r and r & ~mask of every result are known to be the same: a mask that tells rows apart
 * is compared once a row, say. */
static uint32_t repeated_registers(
    const struct gpu_kernel *kernel, MlirOperation op, const struct linear_layout *layout)
{
    uint32_t repeated = UINT32_MAX;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++) {
        struct axis_facts facts = axis_info_get(kernel->axes, mlirOperationGetResult(op, r));
        repeated &= constant_registers(&facts, layout);
    }
    return op_id_of(op) == OP_ARITH_SELECT ? repeated & repeated_choices(kernel, op, layout)
                                           : repeated;
}

static bool lower_element(
    struct gpu_kernel *kernel, MlirOperation op, unsigned element, LLVMValueRef *out_values)
{
    struct lowering *lowering = &kernel->lowering;
    LLVMValueRef operands[SCALAR_MAX_OPERANDS];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        operands[i] = operand_element(lowering, op, i, element);
    return scalar_op_emit(&lowering->emitter, op, operands, out_values);
}

bool gpu_lower_elementwise(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    intptr_t result_count = mlirOperationGetNumResults(op);
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    struct linear_layout layout;
    if (ir_is_tile(type) && !gpu_layout(op, type, &layout))
        return false;
    uint32_t repeated = ir_is_tile(type) ? repeated_registers(kernel, op, &layout) : 0;
    unsigned count = gpu_element_count(lowering, type);
    struct lowered *results[SCALAR_MAX_RESULTS];
    for (intptr_t r = 0; r < result_count; r++)
        results[r] = lowering_allocate(lowering, count);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef values[SCALAR_MAX_RESULTS];
        unsigned first = i & ~repeated;
        if (first == i && !lower_element(kernel, op, i, values))
            return false;
        for (intptr_t r = 0; r < result_count; r++)
            results[r]->elements[i] = first == i ? values[r] : results[r]->elements[first];
    }
    for (intptr_t r = 0; r < result_count; r++)
        lowering_set(lowering, mlirOperationGetResult(op, r), results[r]);
    return true;
}
