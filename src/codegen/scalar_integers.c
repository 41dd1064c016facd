/* Integer operations that are more than one LLVM instruction: see scalar_ops.h. */
#include "codegen/scalar_ops.h"

#include "mlir-c/BuiltinTypes.h"

static LLVMBuilderRef builder_of(const struct scalar_op *op)
{
    return op->emitter->builder;
}

/* ---- Division -------------------------------------------------------------------------------- */

/* LLVM leaves division by zero undefined, and the host's divide instruction traps on it and on the
 * least integer divided by -1; either may happen in an element that a mask hides. So the divisor
 * becomes 1 in those cases, and the quotient by -1 is a negation, which wraps. */
struct safe_division {
    LLVMValueRef dividend, divisor;
    LLVMValueRef negates; /* i1, or NULL for unsigned division */
};

static struct safe_division make_safe(const struct scalar_op *op, bool is_signed)
{
    LLVMBuilderRef builder = builder_of(op);
    LLVMValueRef divisor = op->operands[1];
    LLVMTypeRef type = LLVMTypeOf(divisor);
    LLVMValueRef unsafe = LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstNull(type), "");
    struct safe_division safe = {.dividend = op->operands[0]};
    if (is_signed) {
        safe.negates = LLVMBuildICmp(builder, LLVMIntEQ, divisor, LLVMConstAllOnes(type), "");
        unsafe = LLVMBuildOr(builder, unsafe, safe.negates, "");
    }
    LLVMValueRef one = LLVMConstInt(type, 1, false);
    safe.divisor = LLVMBuildSelect(builder, unsafe, one, divisor, "");
    return safe;
}

LLVMValueRef scalar_divide_signed(const struct scalar_op *op)
{
    struct safe_division safe = make_safe(op, true);
    LLVMBuilderRef builder = builder_of(op);
    LLVMValueRef quotient = LLVMBuildSDiv(builder, safe.dividend, safe.divisor, "");
    LLVMValueRef negated = LLVMBuildNeg(builder, safe.dividend, "");
    return LLVMBuildSelect(builder, safe.negates, negated, quotient, "");
}

LLVMValueRef scalar_divide_unsigned(const struct scalar_op *op)
{
    struct safe_division safe = make_safe(op, false);
    return LLVMBuildUDiv(builder_of(op), safe.dividend, safe.divisor, "");
}

/* The remainder by 1, which stands in for -1 too, is 0. */
LLVMValueRef scalar_remainder_signed(const struct scalar_op *op)
{
    struct safe_division safe = make_safe(op, true);
    return LLVMBuildSRem(builder_of(op), safe.dividend, safe.divisor, "");
}

LLVMValueRef scalar_remainder_unsigned(const struct scalar_op *op)
{
    struct safe_division safe = make_safe(op, false);
    return LLVMBuildURem(builder_of(op), safe.dividend, safe.divisor, "");
}

/* The truncated quotient, moved by one where there is a remainder and the signs are alike (for the
 * ceiling) or differ (for the floor). */
static LLVMValueRef round_quotient(const struct scalar_op *op, bool up)
{
    LLVMBuilderRef builder = builder_of(op);
    LLVMTypeRef type = LLVMTypeOf(op->operands[0]);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef quotient = scalar_divide_signed(op), remainder = scalar_remainder_signed(op);
    LLVMValueRef inexact = LLVMBuildICmp(builder, LLVMIntNE, remainder, zero, "");
    LLVMValueRef signs = LLVMBuildXor(builder, op->operands[0], op->operands[1], "");
    LLVMValueRef right_sign = LLVMBuildICmp(builder, up ? LLVMIntSGE : LLVMIntSLT, signs, zero, "");
    LLVMValueRef adjust = LLVMBuildAnd(builder, inexact, right_sign, "");
    LLVMValueRef one = LLVMBuildZExt(builder, adjust, type, "");
    return up ? LLVMBuildAdd(builder, quotient, one, "") : LLVMBuildSub(builder, quotient, one, "");
}

LLVMValueRef scalar_ceiling_divide_signed(const struct scalar_op *op)
{
    return round_quotient(op, true);
}

LLVMValueRef scalar_floor_divide_signed(const struct scalar_op *op)
{
    return round_quotient(op, false);
}

LLVMValueRef scalar_ceiling_divide_unsigned(const struct scalar_op *op)
{
    LLVMBuilderRef builder = builder_of(op);
    LLVMTypeRef type = LLVMTypeOf(op->operands[0]);
    LLVMValueRef quotient = scalar_divide_unsigned(op), remainder = scalar_remainder_unsigned(op);
    LLVMValueRef inexact = LLVMBuildICmp(builder, LLVMIntNE, remainder, LLVMConstNull(type), "");
    return LLVMBuildAdd(builder, quotient, LLVMBuildZExt(builder, inexact, type, ""), "");
}

/* ---- Shifts ---------------------------------------------------------------------------------- */

/* Too large a shift is poison to LLVM; freezing makes it a value like any other. */
static LLVMValueRef shift(const struct scalar_op *op, LLVMOpcode opcode)
{
    LLVMBuilderRef builder = builder_of(op);
    LLVMValueRef shifted = LLVMBuildBinOp(builder, opcode, op->operands[0], op->operands[1], "");
    return LLVMBuildFreeze(builder, shifted, "");
}

LLVMValueRef scalar_shift_left(const struct scalar_op *op)
{
    return shift(op, LLVMShl);
}

LLVMValueRef scalar_shift_right_signed(const struct scalar_op *op)
{
    return shift(op, LLVMAShr);
}

LLVMValueRef scalar_shift_right_unsigned(const struct scalar_op *op)
{
    return shift(op, LLVMLShr);
}

/* ---- Comparisons, counts, casts -------------------------------------------------------------- */

LLVMValueRef scalar_compare_integers(const struct scalar_op *op)
{
    static const LLVMIntPredicate predicates[] = {LLVMIntEQ, LLVMIntNE, LLVMIntSLT, LLVMIntSLE,
        LLVMIntSGT, LLVMIntSGE, LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
    int64_t predicate = ir_integer_attribute(op->op, "predicate", 0);
    return LLVMBuildICmp(
        builder_of(op), predicates[predicate], op->operands[0], op->operands[1], "");
}

/* For llvm.abs, llvm.ctlz and llvm.cttz: the value, and whether an edge case may be poison (no). */
static LLVMValueRef call_defined(const struct scalar_op *op, const char *intrinsic)
{
    LLVMTypeRef i1 = emit_integer_type(op->emitter, 1);
    LLVMValueRef arguments[] = {op->operands[0], LLVMConstNull(i1)};
    return emit_intrinsic(op->emitter, intrinsic, LLVMTypeOf(op->operands[0]), arguments, 2);
}

LLVMValueRef scalar_absolute_integer(const struct scalar_op *op)
{
    return call_defined(op, "llvm.abs");
}

LLVMValueRef scalar_count_leading_zeros(const struct scalar_op *op)
{
    return call_defined(op, "llvm.ctlz");
}

LLVMValueRef scalar_count_trailing_zeros(const struct scalar_op *op)
{
    return call_defined(op, "llvm.cttz");
}

LLVMValueRef scalar_cast_index_signed(const struct scalar_op *op)
{
    LLVMTypeRef type = emit_type(op->emitter, op->to);
    return LLVMBuildIntCast2(builder_of(op), op->operands[0], type, true, "");
}

LLVMValueRef scalar_cast_index_unsigned(const struct scalar_op *op)
{
    LLVMTypeRef type = emit_type(op->emitter, op->to);
    return LLVMBuildIntCast2(builder_of(op), op->operands[0], type, false, "");
}

/* ---- Two results ----------------------------------------------------------------------------- */

void scalar_multiply_extended(const struct scalar_op *op, bool is_signed, LLVMValueRef *out_results)
{
    LLVMBuilderRef builder = builder_of(op);
    LLVMTypeRef type = LLVMTypeOf(op->operands[0]);
    unsigned width = LLVMGetIntTypeWidth(type);
    LLVMTypeRef twice = emit_integer_type(op->emitter, 2 * width);
    LLVMValueRef a = LLVMBuildIntCast2(builder, op->operands[0], twice, is_signed, "");
    LLVMValueRef b = LLVMBuildIntCast2(builder, op->operands[1], twice, is_signed, "");
    LLVMValueRef product = LLVMBuildMul(builder, a, b, "");
    LLVMValueRef high = LLVMBuildLShr(builder, product, LLVMConstInt(twice, width, false), "");
    out_results[0] = LLVMBuildTrunc(builder, product, type, "");
    out_results[1] = LLVMBuildTrunc(builder, high, type, "");
}

void scalar_add_extended(const struct scalar_op *op, LLVMValueRef *out_results)
{
    LLVMBuilderRef builder = builder_of(op);
    out_results[0] = LLVMBuildAdd(builder, op->operands[0], op->operands[1], "");
    out_results[1] = LLVMBuildICmp(builder, LLVMIntULT, out_results[0], op->operands[0], "");
}
