/* The region of tt.reduce, once for each pair of elements. */
#include "codegen/combination.h"
#include "codegen/gpu/gpu.h"

static MlirBlock body_of(MlirOperation reduce)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(reduce, 0));
}

static bool lower_scalar(struct lowering *lowering, MlirOperation op)
{
    return gpu_lower_operation((struct gpu_kernel *)lowering, op);
}

bool gpu_combine(struct gpu_kernel *kernel, MlirOperation reduce, const LLVMValueRef *left,
    const LLVMValueRef *right, LLVMValueRef *out)
{
    return combination_emit(&kernel->lowering, reduce, lower_scalar, left, right, out);
}

bool gpu_combine_is_symmetric(MlirOperation reduce)
{
    static const enum op_id symmetric[] = {OP_ARITH_ADDF, OP_ARITH_ADDI, OP_ARITH_MULF,
        OP_ARITH_MULI, OP_ARITH_ANDI, OP_ARITH_ORI, OP_ARITH_XORI, OP_ARITH_MAXSI, OP_ARITH_MINSI,
        OP_ARITH_MAXUI, OP_ARITH_MINUI, OP_ARITH_MAXNUMF, OP_ARITH_MINNUMF, OP_ARITH_MAXIMUMF,
        OP_ARITH_MINIMUMF};
    MlirBlock body = body_of(reduce);
    MlirOperation op = mlirBlockGetFirstOperation(body);
    if (mlirOperationGetNumOperands(reduce) != 1 || lowering_is_branch(op_id_of(op)) ||
        !mlirOperationEqual(mlirOperationGetNextInBlock(op), mlirBlockGetTerminator(body)))
        return false;
    for (unsigned i = 0; i < sizeof symmetric / sizeof *symmetric; i++)
        if (symmetric[i] == op_id_of(op))
            return true;
    return false;
}
