/* See scalar_narrow.h. In f32's place for it, the magnitude of a narrower float is the number
 * itself but for the exponent's bias: a product by a power of two, exact and also normalising. */
#include "codegen/scalar_narrow.h"

enum { F32_FRACTION_BITS = 23, F32_BIAS = 127, F32_INFINITY = 0x7f800000 };

static unsigned fraction_shift(const struct scalar_narrow *format)
{
    return F32_FRACTION_BITS - format->fraction_bits;
}

/* How much larger f32's biased exponents are. */
static unsigned bias_difference(const struct scalar_narrow *format)
{
    return F32_BIAS - format->bias;
}

/* 2^exponent, as f32's bits. */
static uint32_t power_bits(int exponent)
{
    return (uint32_t)(exponent + F32_BIAS) << F32_FRACTION_BITS;
}

uint32_t scalar_narrow_as_f32(const struct scalar_narrow *format, uint32_t magnitude)
{
    return (magnitude << fraction_shift(format)) + (bias_difference(format) << F32_FRACTION_BITS);
}

static LLVMValueRef as_f32(struct emitter *emitter, LLVMValueRef bits)
{
    return LLVMBuildBitCast(emitter->builder, bits, emit_float_type(emitter), "");
}

static LLVMValueRef as_bits(struct emitter *emitter, LLVMValueRef value)
{
    return LLVMBuildBitCast(emitter->builder, value, emit_integer_type(emitter, 32), "");
}

/* Infinity and NaN get f32's exponent, and keep their fraction. */
LLVMValueRef scalar_narrow_to_f32(
    struct emitter *emitter, const struct scalar_narrow *format, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    const unsigned sign_bit = format->width - 1;
    LLVMValueRef bits = LLVMBuildZExt(builder, value, emit_integer_type(emitter, 32), "");
    LLVMValueRef size = LLVMBuildAnd(builder, bits, emit_i32(emitter, (1u << sign_bit) - 1), "");
    LLVMValueRef sign = LLVMBuildXor(builder, bits, size, "");
    sign = LLVMBuildShl(builder, sign, emit_i32(emitter, 31 - sign_bit), "");
    LLVMValueRef moved = LLVMBuildShl(builder, size, emit_i32(emitter, fraction_shift(format)), "");
    LLVMValueRef scale =
        as_f32(emitter, emit_i32(emitter, power_bits((int)bias_difference(format))));
    LLVMValueRef finite = LLVMBuildFMul(builder, as_f32(emitter, moved), scale, "");
    LLVMValueRef other = LLVMBuildOr(builder, moved, emit_i32(emitter, F32_INFINITY), "");
    LLVMValueRef is_finite =
        LLVMBuildICmp(builder, LLVMIntULE, size, emit_i32(emitter, format->largest), "");
    LLVMValueRef result = LLVMBuildSelect(builder, is_finite, as_bits(emitter, finite), other, "");
    return as_f32(emitter, LLVMBuildOr(builder, result, sign, ""));
}

/* The exponent gets the other bias, and a little less than half of the last bit is added, the half
 * too where it is odd. */
static LLVMValueRef to_normal(
    struct emitter *emitter, const struct scalar_narrow *format, LLVMValueRef size)
{
    LLVMBuilderRef builder = emitter->builder;
    const unsigned shift = fraction_shift(format);
    const uint32_t below_half = (UINT32_C(1) << (shift - 1)) - 1;
    const uint32_t rebias = bias_difference(format) << F32_FRACTION_BITS;
    LLVMValueRef odd = LLVMBuildLShr(builder, size, emit_i32(emitter, shift), "");
    odd = LLVMBuildAnd(builder, odd, emit_i32(emitter, 1), "");
    LLVMValueRef rounded = LLVMBuildAdd(builder, size, emit_i32(emitter, below_half - rebias), "");
    rounded = LLVMBuildAdd(builder, rounded, odd, "");
    return LLVMBuildLShr(builder, rounded, emit_i32(emitter, shift), "");
}

/* The sum with the power of two whose last bit is the format's counts the subnormal numbers, and is
 * rounded by the addition. */
static LLVMValueRef to_subnormal(
    struct emitter *emitter, const struct scalar_narrow *format, LLVMValueRef size)
{
    LLVMBuilderRef builder = emitter->builder;
    const int last_place = 1 - (int)format->bias - (int)format->fraction_bits;
    LLVMValueRef power = emit_i32(emitter, power_bits(last_place + F32_FRACTION_BITS));
    LLVMValueRef sum = LLVMBuildFAdd(builder, as_f32(emitter, size), as_f32(emitter, power), "");
    return LLVMBuildSub(builder, as_bits(emitter, sum), power, "");
}

LLVMValueRef scalar_narrow_round(
    struct emitter *emitter, const struct scalar_narrow *format, LLVMValueRef size)
{
    LLVMValueRef is_small = LLVMBuildICmp(emitter->builder, LLVMIntULT, size,
        emit_i32(emitter, power_bits(1 - (int)format->bias)), "");
    return LLVMBuildSelect(emitter->builder, is_small, to_subnormal(emitter, format, size),
        to_normal(emitter, format, size), "");
}
