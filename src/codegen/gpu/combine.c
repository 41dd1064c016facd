/* The region of tt.reduce, once for each pair of elements. */
#include "codegen/gpu/gpu.h"

static MlirBlock body_of(MlirOperation reduce)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(reduce, 0));
}

bool gpu_combine(struct gpu_kernel *kernel, MlirOperation reduce, const LLVMValueRef *left,
    const LLVMValueRef *right, LLVMValueRef *out)
{
    struct lowering *lowering = &kernel->lowering;
    MlirBlock body = body_of(reduce);
    if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
        return ir_error_not_built(reduce, "whose combination has branches");
    intptr_t count = mlirOperationGetNumOperands(reduce);
    for (intptr_t i = 0; i < count; i++) {
        lowering_set_scalar(lowering, mlirBlockGetArgument(body, i), left[i]);
        lowering_set_scalar(lowering, mlirBlockGetArgument(body, count + i), right[i]);
    }
    MlirOperation end = mlirBlockGetTerminator(body);
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationEqual(op, end);
        op = mlirOperationGetNextInBlock(op))
        if (!gpu_lower_operation(kernel, op))
            return false;
    for (intptr_t i = 0; i < count; i++)
        out[i] = lowering_get_scalar(lowering, mlirOperationGetOperand(end, i));
    return true;
}

bool gpu_combine_is_symmetric(MlirOperation reduce)
{
    static const enum op_id symmetric[] = {OP_ARITH_ADDF, OP_ARITH_ADDI, OP_ARITH_MULF,
        OP_ARITH_MULI, OP_ARITH_ANDI, OP_ARITH_ORI, OP_ARITH_XORI, OP_ARITH_MAXSI, OP_ARITH_MINSI,
        OP_ARITH_MAXUI, OP_ARITH_MINUI, OP_ARITH_MAXNUMF, OP_ARITH_MINNUMF, OP_ARITH_MAXIMUMF,
        OP_ARITH_MINIMUMF};
    MlirBlock body = body_of(reduce);
    MlirOperation op = mlirBlockGetFirstOperation(body);
    if (mlirOperationGetNumOperands(reduce) != 1 ||
        !mlirOperationEqual(mlirOperationGetNextInBlock(op), mlirBlockGetTerminator(body)))
        return false;
    for (unsigned i = 0; i < sizeof symmetric / sizeof *symmetric; i++)
        if (symmetric[i] == op_id_of(op))
            return true;
    return false;
}
