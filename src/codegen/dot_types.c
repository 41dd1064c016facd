/* See dot_types.h. */
#include "codegen/dot_types.h"

#include "codegen/scalar_ops.h"

#include "mlir-c/BuiltinTypes.h"

static bool is_small_float(MlirType element)
{
    return mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
}

MlirType dot_element_of(MlirOperation op, intptr_t operand)
{
    return ir_element_type(mlirValueGetType(mlirOperationGetOperand(op, operand)));
}

MlirType dot_computing_type(MlirOperation op)
{
    MlirType factor = dot_element_of(op, 0), sum = dot_element_of(op, 2);
    MlirContext context = mlirOperationGetContext(op);
    if (mlirTypeIsAF64(sum) && mlirTypeIsAF64(factor))
        return sum;
    if ((mlirTypeIsAF32(sum) || is_small_float(sum)) &&
        (mlirTypeIsAF32(factor) || is_small_float(factor)))
        return mlirF32TypeGet(context);
    if (ir_is_integer(sum) && ir_integer_width(sum) == 32 && ir_is_integer(factor) &&
        ir_integer_width(factor) == 8)
        return sum;
    return (MlirType){NULL};
}

LLVMValueRef dot_convert(struct emitter *emitter, LLVMValueRef value, MlirType element)
{
    LLVMTypeRef type = emit_type(emitter, element);
    if (ir_is_float(element))
        return scalar_convert_float(emitter, value, type);
    return LLVMBuildSExtOrBitCast(emitter->builder, value, type, "");
}
