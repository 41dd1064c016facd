/* See scalar_f8.h. In f32's place for it, the magnitude of an 8-bit float is the number itself but
 * for the exponent's bias: a shift and an addition, or a product by a power of two where f32 has to
 * make the number normal. */
#include "codegen/scalar_f8.h"

#include "mlir-c/BuiltinTypes.h"

enum {
    F32_FRACTION_BITS = 23,
    F32_BIAS = 127,
    F32_INFINITY = 0x7f800000,
    F32_MAGNITUDE = 0x7fffffff,
    F8_MAGNITUDE = 0x7f,
    F8_NAN = 0x7f,
};

static const struct format {
    bool (*is)(MlirType element);
    unsigned fraction_bits, bias, largest; /* the bits of the largest number */
} formats[] = {
    {mlirTypeIsAFloat8E4M3FN, 3, 7, 0x7e},
    {mlirTypeIsAFloat8E5M2, 2, 15, 0x7b},
};

static const struct format *find_format(MlirType element)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].is(element))
            return &formats[i];
    return NULL;
}

bool scalar_is_f8(MlirType element)
{
    return find_format(element) != NULL;
}

static unsigned fraction_shift(const struct format *format)
{
    return F32_FRACTION_BITS - format->fraction_bits;
}

/* How much larger f32's biased exponents are. */
static unsigned bias_difference(const struct format *format)
{
    return F32_BIAS - format->bias;
}

/* 2^exponent, as f32's bits. */
static uint32_t power_bits(int exponent)
{
    return (uint32_t)(exponent + F32_BIAS) << F32_FRACTION_BITS;
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
LLVMValueRef scalar_f8_to_f32(struct emitter *emitter, MlirType element, LLVMValueRef value)
{
    const struct format *format = find_format(element);
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef bits = LLVMBuildZExt(builder, value, emit_integer_type(emitter, 32), "");
    LLVMValueRef size = LLVMBuildAnd(builder, bits, emit_i32(emitter, F8_MAGNITUDE), "");
    LLVMValueRef sign = LLVMBuildXor(builder, bits, size, "");
    sign = LLVMBuildShl(builder, sign, emit_i32(emitter, 24), "");
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

/* Normal results: the exponent gets the other bias, and a little less than half of the last bit is
 * added, the half too where it is odd. */
static LLVMValueRef to_normal(
    struct emitter *emitter, const struct format *format, LLVMValueRef size)
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

/* Subnormal ones: the sum with the power of two whose last bit is the format's counts them, and is
 * rounded by the addition. */
static LLVMValueRef to_subnormal(
    struct emitter *emitter, const struct format *format, LLVMValueRef size)
{
    LLVMBuilderRef builder = emitter->builder;
    const int last_place = 1 - (int)format->bias - (int)format->fraction_bits;
    LLVMValueRef power = emit_i32(emitter, power_bits(last_place + F32_FRACTION_BITS));
    LLVMValueRef sum = LLVMBuildFAdd(builder, as_f32(emitter, size), as_f32(emitter, power), "");
    return LLVMBuildSub(builder, as_bits(emitter, sum), power, "");
}

/* The largest number as f32's bits. */
static uint32_t largest_bits(const struct format *format)
{
    return (format->largest << fraction_shift(format)) +
           (bias_difference(format) << F32_FRACTION_BITS);
}

LLVMValueRef scalar_f32_to_f8(struct emitter *emitter, MlirType element, LLVMValueRef value)
{
    const struct format *format = find_format(element);
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i32 = emit_integer_type(emitter, 32);
    LLVMValueRef bits = as_bits(emitter, value);
    LLVMValueRef size = LLVMBuildAnd(builder, bits, emit_i32(emitter, F32_MAGNITUDE), "");
    LLVMValueRef sign =
        LLVMBuildLShr(builder, LLVMBuildXor(builder, bits, size, ""), emit_i32(emitter, 24), "");
    LLVMValueRef bounded[] = {size, emit_i32(emitter, largest_bits(format))};
    LLVMValueRef saturated = emit_intrinsic(emitter, "llvm.umin", i32, bounded, 2);
    LLVMValueRef is_normal = LLVMBuildICmp(
        builder, LLVMIntUGE, saturated, emit_i32(emitter, power_bits(1 - (int)format->bias)), "");
    LLVMValueRef result = LLVMBuildSelect(builder, is_normal, to_normal(emitter, format, saturated),
        to_subnormal(emitter, format, saturated), "");
    result = LLVMBuildOr(builder, result, sign, "");
    LLVMValueRef is_nan =
        LLVMBuildICmp(builder, LLVMIntUGT, size, emit_i32(emitter, F32_INFINITY), "");
    result = LLVMBuildSelect(builder, is_nan, emit_i32(emitter, F8_NAN), result, "");
    return LLVMBuildTrunc(builder, result, emit_integer_type(emitter, 8), "");
}
