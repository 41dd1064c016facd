/* See combine.h. */
#include "codegen/cpu/combine.h"

#include "codegen/combination.h"

static MlirBlock body_of(MlirOperation op)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

/* ---- Emitting -------------------------------------------------------------------------------- */

static bool lower_scalar(struct lowering *lowering, MlirOperation op)
{
    return cpu_lower_scalar_operation((struct cpu_kernel *)lowering, op);
}

/* Edges inside of the region hand over no tiles. */
bool cpu_combine(struct cpu_kernel *kernel, MlirOperation op, const LLVMValueRef *left,
    const LLVMValueRef *right, LLVMValueRef *out_combined)
{
    struct lowering *lowering = &kernel->lowering;
    bool (*edge)(struct lowering *, MlirOperation, intptr_t) = lowering->edge;
    lowering->edge = NULL;
    bool done = combination_emit(lowering, op, lower_scalar, left, right, out_combined);
    lowering->edge = edge;
    return done;
}

/* ---- Identities ------------------------------------------------------------------------------ */

typedef LLVMValueRef identity_function(LLVMTypeRef type);

static LLVMValueRef zero(LLVMTypeRef type)
{
    return LLVMConstNull(type);
}

static LLVMValueRef one(LLVMTypeRef type)
{
    return LLVMConstInt(type, 1, false);
}

static LLVMValueRef all_ones(LLVMTypeRef type)
{
    return LLVMConstAllOnes(type);
}

static LLVMValueRef least_signed(LLVMTypeRef type)
{
    return LLVMConstInt(type, UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1), false);
}

static LLVMValueRef greatest_signed(LLVMTypeRef type)
{
    return LLVMConstNot(least_signed(type));
}

static LLVMValueRef minus_zero(LLVMTypeRef type)
{
    return emit_float_constant(type, -0.0);
}

static LLVMValueRef one_float(LLVMTypeRef type)
{
    return emit_float_constant(type, 1.0);
}

static LLVMValueRef infinity(LLVMTypeRef type)
{
    return emit_float_constant(type, __builtin_inf());
}

static LLVMValueRef minus_infinity(LLVMTypeRef type)
{
    return emit_float_constant(type, -__builtin_inf());
}

static LLVMValueRef not_a_number(LLVMTypeRef type)
{
    return emit_float_constant(type, __builtin_nan(""));
}

static const struct {
    enum op_id id;
    identity_function *identity;
} identities[] = {
    {OP_ARITH_ADDI, zero},
    {OP_ARITH_ORI, zero},
    {OP_ARITH_XORI, zero},
    {OP_ARITH_MULI, one},
    {OP_ARITH_ANDI, all_ones},
    {OP_ARITH_MAXSI, least_signed},
    {OP_ARITH_MINSI, greatest_signed},
    {OP_ARITH_MAXUI, zero},
    {OP_ARITH_MINUI, all_ones},
    {OP_ARITH_ADDF, minus_zero},
    {OP_ARITH_MULF, one_float},
    {OP_ARITH_MAXIMUMF, minus_infinity},
    {OP_ARITH_MINIMUMF, infinity},
    {OP_ARITH_MAXNUMF, not_a_number},
    {OP_ARITH_MINNUMF, not_a_number},
};

/* Whether the region's only operation combines its two arguments and is what it returns. */
static bool is_single_operation(MlirOperation op, MlirOperation *out_inner)
{
    MlirBlock body = body_of(op);
    MlirOperation inner = mlirBlockGetFirstOperation(body), end = mlirBlockGetTerminator(body);
    if (op_id_of(end) != OP_TT_REDUCE_RETURN || mlirOperationGetNumOperands(op) != 1 ||
        mlirOperationEqual(inner, end) ||
        !mlirOperationEqual(mlirOperationGetNextInBlock(inner), end) ||
        mlirOperationGetNumOperands(inner) != 2 || mlirOperationGetNumResults(inner) != 1)
        return false;
    MlirValue a = mlirBlockGetArgument(body, 0), b = mlirBlockGetArgument(body, 1);
    MlirValue left = mlirOperationGetOperand(inner, 0), right = mlirOperationGetOperand(inner, 1);
    bool both = (mlirValueEqual(left, a) && mlirValueEqual(right, b)) ||
                (mlirValueEqual(left, b) && mlirValueEqual(right, a));
    *out_inner = inner;
    return both &&
           mlirValueEqual(mlirOperationGetOperand(end, 0), mlirOperationGetResult(inner, 0));
}

LLVMValueRef cpu_combine_identity(struct cpu_kernel *kernel, MlirOperation op)
{
    MlirOperation inner;
    if (!is_single_operation(op, &inner))
        return NULL;
    MlirType element = mlirValueGetType(mlirOperationGetResult(inner, 0));
    LLVMTypeRef type = emit_type(&kernel->lowering.emitter, element);
    for (unsigned i = 0; type && i < sizeof identities / sizeof *identities; i++)
        if (identities[i].id == op_id_of(inner))
            return identities[i].identity(type);
    return NULL;
}
