/* Conversions between element types: see scalar_ops.h. */
#include "codegen/scalar_f8.h"
#include "codegen/scalar_ops.h"
#include "codegen/scalar_soft.h"

#include "mlir-c/BuiltinTypes.h"

/* ---- Between floats -------------------------------------------------------------------------- */

static LLVMTypeKind kind_of(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value));
}

/* A float whose type is an integer's: see emit_type. */
static bool is_bfloat_bits(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

static unsigned float_width(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 16;
    }
}

static LLVMValueRef as_bits(struct emitter *emitter, LLVMValueRef value)
{
    LLVMTypeRef type = emit_integer_type(emitter, float_width(LLVMTypeOf(value)));
    return LLVMBuildBitCast(emitter->builder, value, type, "");
}

/* bf16 is the upper half of f32: of two in one word, one is shifted and the other masked out, where
 * an instruction that converts would first have to take them apart. */
static LLVMValueRef bfloat_to_f32(struct emitter *emitter, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i32 = emit_integer_type(emitter, 32);
    LLVMValueRef wide = LLVMBuildZExt(builder, as_bits(emitter, value), i32, "");
    LLVMValueRef bits = LLVMBuildShl(builder, wide, emit_i32(emitter, 16), "");
    return LLVMBuildBitCast(builder, bits, emit_float_type(emitter), "");
}

/* Adding a little less than half, and the half too where the kept part is odd, carries into it just
 * when rounding to nearest even goes up. NaN must not be carried over to infinity: it stays quiet.
 */
static LLVMValueRef f32_to_bfloat(struct emitter *emitter, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i16 = emit_integer_type(emitter, 16);
    LLVMValueRef bits = as_bits(emitter, value), sixteen = emit_i32(emitter, 16);
    LLVMValueRef upper = LLVMBuildLShr(builder, bits, sixteen, "");
    LLVMValueRef odd = LLVMBuildAnd(builder, upper, emit_i32(emitter, 1), "");
    LLVMValueRef bias = LLVMBuildAdd(builder, odd, emit_i32(emitter, 0x7fff), "");
    LLVMValueRef carried = LLVMBuildAdd(builder, bits, bias, "");
    LLVMValueRef rounded = LLVMBuildLShr(builder, carried, sixteen, "");
    LLVMValueRef quiet = LLVMBuildOr(builder, upper, emit_i32(emitter, 0x40), "");
    LLVMValueRef is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, value, value, "");
    LLVMValueRef chosen = LLVMBuildSelect(builder, is_nan, quiet, rounded, "");
    return LLVMBuildTrunc(builder, chosen, i16, "");
}

/* f64 to f32 so that rounding once more, to fewer digits, is right: toward zero, and then the last
 * bit says whether anything was lost ("round to odd"). */
static LLVMValueRef f64_to_f32_odd(struct emitter *emitter, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef f64 = LLVMTypeOf(value), i32 = emit_integer_type(emitter, 32);
    LLVMValueRef nearest = LLVMBuildFPTrunc(builder, value, emit_float_type(emitter), "");
    LLVMValueRef back = LLVMBuildFPExt(builder, nearest, f64, "");
    LLVMValueRef back_size = emit_intrinsic(emitter, "llvm.fabs", f64, &back, 1);
    LLVMValueRef size = emit_intrinsic(emitter, "llvm.fabs", f64, &value, 1);
    LLVMValueRef went_up = LLVMBuildFCmp(builder, LLVMRealOGT, back_size, size, "");
    LLVMValueRef inexact = LLVMBuildFCmp(builder, LLVMRealONE, back_size, size, "");
    LLVMValueRef bits = LLVMBuildBitCast(builder, nearest, i32, "");
    bits = LLVMBuildSub(builder, bits, LLVMBuildZExt(builder, went_up, i32, ""), "");
    bits = LLVMBuildOr(builder, bits, LLVMBuildZExt(builder, inexact, i32, ""), "");
    return LLVMBuildBitCast(builder, bits, emit_float_type(emitter), "");
}

/* A device that knows bf16 converts by itself; elsewhere LLVM would call a library. */
static LLVMValueRef narrow_from_f32(struct emitter *emitter, LLVMValueRef value, LLVMTypeRef type)
{
    if (is_bfloat_bits(type))
        return f32_to_bfloat(emitter, value);
    if (LLVMGetTypeKind(type) == LLVMHalfTypeKind && emitter->device->soft_half)
        return scalar_soft_to_half(emitter, value);
    return LLVMBuildFPTrunc(emitter->builder, value, type, "");
}

static LLVMValueRef widen_to_f32(struct emitter *emitter, LLVMValueRef value)
{
    if (is_bfloat_bits(LLVMTypeOf(value)) || kind_of(value) == LLVMBFloatTypeKind)
        return bfloat_to_f32(emitter, value);
    if (kind_of(value) == LLVMHalfTypeKind && emitter->device->soft_half)
        return scalar_soft_from_half(emitter, value);
    return LLVMBuildFPExt(emitter->builder, value, emit_float_type(emitter), "");
}

LLVMValueRef scalar_convert_float(struct emitter *emitter, LLVMValueRef value, LLVMTypeRef type)
{
    LLVMTypeRef f32 = emit_float_type(emitter);
    if (LLVMTypeOf(value) == type)
        return value;
    if (kind_of(value) == LLVMDoubleTypeKind && type == f32)
        return LLVMBuildFPTrunc(emitter->builder, value, f32, "");
    if (kind_of(value) == LLVMDoubleTypeKind)
        return narrow_from_f32(emitter, f64_to_f32_odd(emitter, value), type);
    if (LLVMTypeOf(value) != f32)
        value = widen_to_f32(emitter, value);
    if (type == f32)
        return value;
    if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        return LLVMBuildFPExt(emitter->builder, value, type, "");
    return narrow_from_f32(emitter, value, type);
}

/* As f32 that rounds to fewer digits as the value itself does. */
static LLVMValueRef before_rounding(struct emitter *emitter, LLVMValueRef value)
{
    if (kind_of(value) == LLVMDoubleTypeKind)
        return f64_to_f32_odd(emitter, value);
    return scalar_convert_float(emitter, value, emit_float_type(emitter));
}

static LLVMValueRef convert(const struct scalar_op *op)
{
    struct emitter *emitter = op->emitter;
    LLVMValueRef value = op->operands[0];
    if (scalar_is_f8(op->from))
        value = scalar_f8_to_f32(emitter, op->from, value);
    if (scalar_is_f8(op->to))
        return scalar_f32_to_f8(emitter, op->to, before_rounding(emitter, value));
    return scalar_convert_float(emitter, value, emit_type(emitter, op->to));
}

LLVMValueRef scalar_extend_float(const struct scalar_op *op)
{
    return convert(op);
}

LLVMValueRef scalar_truncate_float(const struct scalar_op *op)
{
    enum { TO_NEAREST_EVEN = 0 };
    if (ir_integer_attribute(op->op, "roundingmode", TO_NEAREST_EVEN) == TO_NEAREST_EVEN)
        return convert(op);
    ir_error_not_built(op->op, "with this rounding");
    return NULL;
}

LLVMValueRef scalar_float_to_float(const struct scalar_op *op)
{
    int64_t rounding = ir_integer_attribute(op->op, "rounding", TT_ROUNDING_NEAREST_EVEN);
    if (rounding == TT_ROUNDING_NEAREST_EVEN)
        return convert(op);
    ir_error_not_built(op->op, "with this rounding");
    return NULL;
}

/* ---- Between floats and integers ------------------------------------------------------------- */

/* A 64-bit integer with at most 53 digits that rounds to fewer just as `value` does: where it has
 * more, the last 11 become one that says whether any of them was set ("round to odd"). */
static LLVMValueRef with_odd_digits(struct emitter *emitter, LLVMValueRef value, bool is_signed)
{
    enum { LOST = 11, LOW = (1 << LOST) - 1 };
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i64 = LLVMTypeOf(value);
    LLVMValueRef low = LLVMConstInt(i64, LOW, false), zero = LLVMConstInt(i64, 0, false);
    LLVMValueRef carried = LLVMBuildAdd(builder, LLVMBuildAnd(builder, value, low, ""), low, "");
    LLVMValueRef odd = LLVMBuildAnd(
        builder, LLVMBuildOr(builder, value, carried, ""), LLVMBuildNot(builder, low, ""), "");
    /* Unsigned: below 2^53. Signed: from -2^53 to below 2^53, moved up to begin at 0. */
    LLVMValueRef offset = LLVMConstInt(i64, is_signed ? UINT64_C(1) << 53 : 0, false);
    LLVMValueRef beyond = LLVMBuildLShr(builder, LLVMBuildAdd(builder, value, offset, ""),
        LLVMConstInt(i64, is_signed ? 54 : 53, false), "");
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntEQ, beyond, zero, "");
    return LLVMBuildSelect(builder, fits, value, odd, "");
}

/* To f16 and bf16 through a type that holds the integer exactly: f32 for 16 bits, f64 for 32, and
 * for 64 once it has no more digits than count. */
static LLVMValueRef integer_to_float(const struct scalar_op *op, bool is_signed)
{
    struct emitter *emitter = op->emitter;
    LLVMTypeRef type = emit_type(emitter, op->to), through = type;
    LLVMValueRef value = op->operands[0];
    const unsigned width = ir_integer_width(op->from);
    if (float_width(type) == 16)
        through =
            width <= 16 ? emit_float_type(emitter) : LLVMDoubleTypeInContext(emitter->context);
    if (float_width(type) == 16 && width == 64)
        value = with_odd_digits(emitter, value, is_signed);
    LLVMOpcode opcode = is_signed ? LLVMSIToFP : LLVMUIToFP;
    value = LLVMBuildCast(emitter->builder, opcode, value, through, "");
    return scalar_convert_float(emitter, value, type);
}

LLVMValueRef scalar_signed_to_float(const struct scalar_op *op)
{
    return integer_to_float(op, true);
}

LLVMValueRef scalar_unsigned_to_float(const struct scalar_op *op)
{
    return integer_to_float(op, false);
}

static LLVMValueRef float_to_integer(const struct scalar_op *op, const char *intrinsic)
{
    struct emitter *emitter = op->emitter;
    LLVMValueRef value = op->operands[0];
    if (float_width(LLVMTypeOf(value)) == 16)
        value = scalar_convert_float(emitter, value, emit_float_type(emitter));
    LLVMTypeRef overloads[] = {emit_type(emitter, op->to), LLVMTypeOf(value)};
    return emit_intrinsic2(emitter, intrinsic, overloads, &value, 1);
}

LLVMValueRef scalar_float_to_signed(const struct scalar_op *op)
{
    return float_to_integer(op, "llvm.fptosi.sat");
}

LLVMValueRef scalar_float_to_unsigned(const struct scalar_op *op)
{
    return float_to_integer(op, "llvm.fptoui.sat");
}

/* ---- Bits and pointers ----------------------------------------------------------------------- */

/* A pointer to another type is the same pointer. */
LLVMValueRef scalar_bitcast(const struct scalar_op *op)
{
    LLVMTypeRef type = emit_type(op->emitter, op->to);
    return LLVMBuildBitCast(op->emitter->builder, op->operands[0], type, "");
}

LLVMValueRef scalar_pointer_to_integer(const struct scalar_op *op)
{
    LLVMTypeRef type = emit_type(op->emitter, op->to);
    return LLVMBuildPtrToInt(op->emitter->builder, op->operands[0], type, "");
}

LLVMValueRef scalar_integer_to_pointer(const struct scalar_op *op)
{
    LLVMTypeRef type = emit_type(op->emitter, op->to);
    return LLVMBuildIntToPtr(op->emitter->builder, op->operands[0], type, "");
}
