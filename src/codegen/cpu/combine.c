/* See combine.h. */
#include "codegen/cpu/combine.h"

static MlirBlock body_of(MlirOperation op)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

/* ---- Emitting -------------------------------------------------------------------------------- */

static bool lower_straight(struct cpu_kernel *kernel, MlirBlock block)
{
    MlirOperation end = mlirBlockGetTerminator(block);
    for (MlirOperation inner = mlirBlockGetFirstOperation(block); !mlirOperationEqual(inner, end);
        inner = mlirOperationGetNextInBlock(inner))
        if (!cpu_lower_scalar_operation(kernel, inner))
            return false;
    return true;
}

static unsigned one_register(struct lowering *lowering, MlirType type)
{
    (void)lowering;
    (void)type;
    return 1;
}

/* The blocks of a region with branches. Its only tt.reduce.return ends none: what comes after the
 * combination goes on there. */
static bool lower_region(struct cpu_kernel *kernel, MlirOperation op, MlirOperation *out_end)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    LLVMBasicBlockRef before = emit_current_block(emitter), after = NULL;
    size_t count;
    MlirBlock *blocks = ir_blocks_in_order(op, emitter->arena, &count);
    if (!lowering_make_blocks(lowering, blocks, count, one_register))
        return false;
    emit_at_end_of(emitter, before);
    LLVMBuildBr(emitter->builder, pointer_map_get(&lowering->blocks, blocks[0].ptr));
    for (size_t i = 0; i < count; i++) {
        MlirOperation end = mlirBlockGetTerminator(blocks[i]);
        emit_at_end_of(emitter, pointer_map_get(&lowering->blocks, blocks[i].ptr));
        if (!lower_straight(kernel, blocks[i]))
            return false;
        if (op_id_of(end) != OP_TT_REDUCE_RETURN) {
            if (!lowering_branch(lowering, end))
                return false;
            continue;
        }
        if (after)
            return ir_error_not_built(end, "twice in a region");
        after = emit_current_block(emitter);
        *out_end = end;
    }
    if (!after)
        return ir_error_not_built(op, "with a region that does not end");
    emit_at_end_of(emitter, after);
    return true;
}

/* Emits the region; *out_end is its tt.reduce.return. Its edges hand over no tiles. */
static bool lower_combination(struct cpu_kernel *kernel, MlirOperation op, MlirOperation *out_end)
{
    MlirBlock body = body_of(op);
    *out_end = mlirBlockGetTerminator(body);
    if (op_id_of(*out_end) == OP_TT_REDUCE_RETURN)
        return lower_straight(kernel, body);
    struct lowering *lowering = &kernel->lowering;
    bool (*edge)(struct lowering *, MlirOperation, intptr_t) = lowering->edge;
    lowering->edge = NULL;
    bool done = lower_region(kernel, op, out_end);
    lowering->edge = edge;
    return done;
}

bool cpu_combine(struct cpu_kernel *kernel, MlirOperation op, const LLVMValueRef *left,
    const LLVMValueRef *right, LLVMValueRef *out_combined)
{
    struct lowering *lowering = &kernel->lowering;
    MlirBlock body = body_of(op);
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t i = 0; i < count; i++) {
        lowering_set_scalar(lowering, mlirBlockGetArgument(body, i), left[i]);
        lowering_set_scalar(lowering, mlirBlockGetArgument(body, count + i), right[i]);
    }
    MlirOperation end;
    if (!lower_combination(kernel, op, &end))
        return false;
    for (intptr_t i = 0; i < count; i++)
        out_combined[i] = lowering_get_scalar(lowering, mlirOperationGetOperand(end, i));
    return true;
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
    return LLVMConstReal(type, -0.0);
}

static LLVMValueRef one_float(LLVMTypeRef type)
{
    return LLVMConstReal(type, 1.0);
}

static LLVMValueRef infinity(LLVMTypeRef type)
{
    return LLVMConstReal(type, __builtin_inf());
}

static LLVMValueRef minus_infinity(LLVMTypeRef type)
{
    return LLVMConstReal(type, -__builtin_inf());
}

static LLVMValueRef not_a_number(LLVMTypeRef type)
{
    return LLVMConstReal(type, __builtin_nan(""));
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
