/* Floating-point operations that are more than one LLVM instruction: see scalar_ops.h. */
#include "codegen/scalar_ops.h"
#include "codegen/scalar_soft.h"

#include "mlir-c/BuiltinTypes.h"

/* ---- Through f32 where the device has no arithmetic in f16 or bf16 ----------------------------
 */

static bool computes_in(const struct emitter *emitter, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return emitter->device->has_half;
    case LLVMIntegerTypeKind: /* a bf16's bits: see emit_type */
        return false;
    default:
        return true;
    }
}

LLVMValueRef scalar_widen(struct emitter *emitter, LLVMValueRef value)
{
    if (computes_in(emitter, LLVMTypeOf(value)))
        return value;
    return scalar_convert_float(emitter, value, emit_float_type(emitter));
}

/* f32 has more than twice the digits of f16 and bf16 plus two, so that rounding a sum, product,
 * quotient or root twice gives what rounding once would. */
LLVMValueRef scalar_narrow(struct emitter *emitter, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMTypeOf(value) == type ? value : scalar_convert_float(emitter, value, type);
}

/* ---- Operations ------------------------------------------------------------------------------ */

LLVMValueRef scalar_negate(const struct scalar_op *op)
{
    LLVMValueRef wide = scalar_widen(op->emitter, op->operands[0]);
    LLVMValueRef negated = LLVMBuildFNeg(op->emitter->builder, wide, "");
    return scalar_narrow(op->emitter, negated, LLVMTypeOf(op->operands[0]));
}

static bool is_double(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind;
}

/* On f32 and below the fast quotient, which Triton's arith.divf means; f64 has IEEE's only. */
LLVMValueRef scalar_divide_approximately(const struct scalar_op *op)
{
    struct emitter *emitter = op->emitter;
    if (is_double(op->operands[0]) || !emitter->device->approximate)
        return scalar_divide_precisely(op);
    LLVMTypeRef f32 = emit_float_type(emitter);
    LLVMValueRef operands[2];
    for (unsigned i = 0; i < 2; i++)
        operands[i] = scalar_convert_float(emitter, op->operands[i], f32);
    LLVMValueRef quotient = emitter->device->approximate(emitter, APPROXIMATE_QUOTIENT, operands);
    return scalar_convert_float(emitter, quotient, LLVMTypeOf(op->operands[0]));
}

LLVMValueRef scalar_divide_precisely(const struct scalar_op *op)
{
    struct emitter *emitter = op->emitter;
    LLVMValueRef a = scalar_widen(emitter, op->operands[0]);
    LLVMValueRef b = scalar_widen(emitter, op->operands[1]);
    LLVMValueRef quotient = LLVMBuildFDiv(emitter->builder, a, b, "");
    return scalar_narrow(emitter, quotient, LLVMTypeOf(op->operands[0]));
}

/* What expand-math leaves of these is in f32, and means the device's instruction. */
static LLVMValueRef by_instruction(const struct scalar_op *op, enum approximation operation)
{
    LLVMValueRef operand = op->operands[0];
    if (op->emitter->device->approximate)
        return op->emitter->device->approximate(op->emitter, operation, &operand);
    ir_error_not_built(op->op, NULL);
    return NULL;
}

LLVMValueRef scalar_exp2_instruction(const struct scalar_op *op)
{
    return by_instruction(op, APPROXIMATE_EXP2);
}

LLVMValueRef scalar_rsqrt_instruction(const struct scalar_op *op)
{
    return by_instruction(op, APPROXIMATE_RSQRT);
}

LLVMValueRef scalar_compare_floats(const struct scalar_op *op)
{
    static const LLVMRealPredicate predicates[] = {LLVMRealPredicateFalse, LLVMRealOEQ, LLVMRealOGT,
        LLVMRealOGE, LLVMRealOLT, LLVMRealOLE, LLVMRealONE, LLVMRealORD, LLVMRealUEQ, LLVMRealUGT,
        LLVMRealUGE, LLVMRealULT, LLVMRealULE, LLVMRealUNE, LLVMRealUNO, LLVMRealPredicateTrue};
    int64_t predicate = ir_integer_attribute(op->op, "predicate", 0);
    LLVMValueRef a = scalar_widen(op->emitter, op->operands[0]);
    LLVMValueRef b = scalar_widen(op->emitter, op->operands[1]);
    return LLVMBuildFCmp(op->emitter->builder, predicates[predicate], a, b, "");
}

LLVMValueRef scalar_fma(const struct scalar_op *op)
{
    LLVMValueRef wide[3];
    for (unsigned i = 0; i < 3; i++)
        wide[i] = scalar_widen(op->emitter, op->operands[i]);
    LLVMValueRef result =
        op->emitter->device->soft_fma
            ? scalar_soft_fma(op->emitter, wide[0], wide[1], wide[2])
            : emit_intrinsic(op->emitter, "llvm.fma", LLVMTypeOf(wide[0]), wide, 3);
    return scalar_narrow(op->emitter, result, LLVMTypeOf(op->operands[0]));
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* |x| compared with infinity; unordered predicates also hold for NaN. */
static LLVMValueRef compare_with_infinity(const struct scalar_op *op, LLVMRealPredicate predicate)
{
    LLVMValueRef wide = scalar_widen(op->emitter, op->operands[0]);
    LLVMTypeRef type = LLVMTypeOf(wide);
    LLVMValueRef magnitude = emit_intrinsic(op->emitter, "llvm.fabs", type, &wide, 1);
    LLVMValueRef infinity = LLVMConstReal(type, __builtin_inf());
    return LLVMBuildFCmp(op->emitter->builder, predicate, magnitude, infinity, "");
}

LLVMValueRef scalar_is_nan(const struct scalar_op *op)
{
    LLVMValueRef wide = scalar_widen(op->emitter, op->operands[0]);
    return LLVMBuildFCmp(op->emitter->builder, LLVMRealUNO, wide, wide, "");
}

LLVMValueRef scalar_is_infinite(const struct scalar_op *op)
{
    return compare_with_infinity(op, LLVMRealOEQ);
}

LLVMValueRef scalar_is_finite(const struct scalar_op *op)
{
    return compare_with_infinity(op, LLVMRealOLT);
}
