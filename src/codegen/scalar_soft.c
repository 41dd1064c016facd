/* See scalar_soft.h. Nothing here may be reassociated or fused, and nothing is: no instruction
 * carries a fast-math flag. */
#include "codegen/scalar_soft.h"
#include "codegen/scalar_narrow.h"

#include <string.h>

static LLVMTypeRef bits_type(struct emitter *emitter, LLVMValueRef value)
{
    bool is_double = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind;
    return emit_integer_type(emitter, is_double ? 64 : 32);
}

static LLVMValueRef bits_of(struct emitter *emitter, LLVMValueRef value)
{
    return LLVMBuildBitCast(emitter->builder, value, bits_type(emitter, value), "");
}

static LLVMValueRef call1(struct emitter *emitter, const char *name, LLVMValueRef value)
{
    return emit_intrinsic(emitter, name, LLVMTypeOf(value), &value, 1);
}

static LLVMValueRef with_sign_of(struct emitter *emitter, LLVMValueRef value, LLVMValueRef sign)
{
    LLVMValueRef arguments[] = {value, sign};
    return emit_intrinsic(emitter, "llvm.copysign", LLVMTypeOf(value), arguments, 2);
}

/* ---- f16 ------------------------------------------------------------------------------------- */

static const struct scalar_narrow half_format = {16, 10, 15, 0x7bff};

LLVMValueRef scalar_soft_from_half(struct emitter *emitter, LLVMValueRef half)
{
    LLVMValueRef bits =
        LLVMBuildBitCast(emitter->builder, half, emit_integer_type(emitter, 16), "");
    return scalar_narrow_to_f32(emitter, &half_format, bits);
}

LLVMValueRef scalar_soft_to_half(struct emitter *emitter, LLVMValueRef value)
{
    enum { INFINITE = 0x7c00, QUIET = 0x7e00 };
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i16 = emit_integer_type(emitter, 16);
    LLVMValueRef bits = bits_of(emitter, value);
    LLVMValueRef size = LLVMBuildAnd(builder, bits, emit_i32(emitter, 0x7fffffff), "");
    LLVMValueRef sign = LLVMBuildXor(builder, bits, size, "");
    sign = LLVMBuildLShr(builder, sign, emit_i32(emitter, 16), "");
    LLVMValueRef is_large = LLVMBuildICmp(/* 65520 and above */
        builder, LLVMIntUGE, size, emit_i32(emitter, 0x477ff000), "");
    LLVMValueRef is_nan =
        LLVMBuildICmp(builder, LLVMIntUGT, size, emit_i32(emitter, 0x7f800000), "");
    LLVMValueRef result = scalar_narrow_round(emitter, &half_format, size);
    result = LLVMBuildSelect(builder, is_large, emit_i32(emitter, INFINITE), result, "");
    result = LLVMBuildSelect(builder, is_nan, emit_i32(emitter, QUIET), result, "");
    result = LLVMBuildTrunc(builder, LLVMBuildOr(builder, result, sign, ""), i16, "");
    return LLVMBuildBitCast(builder, result, LLVMHalfTypeInContext(emitter->context), "");
}

/* ---- Rounding to integers -------------------------------------------------------------------- */

/* Numbers from here on are integers. */
static LLVMValueRef integer_limit(LLVMValueRef value)
{
    bool is_double = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind;
    return LLVMConstReal(LLVMTypeOf(value), is_double ? 0x1p52 : 0x1p23);
}

static LLVMValueRef truncate(struct emitter *emitter, LLVMValueRef value)
{
    LLVMTypeRef integer = bits_type(emitter, value);
    LLVMValueRef whole = LLVMBuildFPToSI(emitter->builder, value, integer, "");
    return LLVMBuildSIToFP(emitter->builder, whole, LLVMTypeOf(value), "");
}

/* truncate(value), and one less or more where that went the wrong way. */
static LLVMValueRef correct(
    struct emitter *emitter, LLVMValueRef value, LLVMRealPredicate wrong, double by)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef whole = truncate(emitter, value);
    LLVMValueRef is_wrong = LLVMBuildFCmp(emitter->builder, wrong, whole, value, "");
    LLVMValueRef step = LLVMBuildSelect(
        emitter->builder, is_wrong, LLVMConstReal(type, by), LLVMConstReal(type, 0), "");
    return LLVMBuildFAdd(emitter->builder, whole, step, "");
}

static LLVMValueRef round_floor(struct emitter *emitter, LLVMValueRef value)
{
    return correct(emitter, value, LLVMRealOGT, -1);
}

static LLVMValueRef round_ceil(struct emitter *emitter, LLVMValueRef value)
{
    return correct(emitter, value, LLVMRealOLT, 1);
}

/* Adding and taking away a number without a fraction's digits rounds to nearest even. */
static LLVMValueRef round_even(struct emitter *emitter, LLVMValueRef value)
{
    LLVMValueRef limit = integer_limit(value), size = call1(emitter, "llvm.fabs", value);
    LLVMValueRef sum = LLVMBuildFAdd(emitter->builder, size, limit, "");
    return LLVMBuildFSub(emitter->builder, sum, limit, "");
}

static const struct {
    const char *intrinsic;
    LLVMValueRef (*round)(struct emitter *emitter, LLVMValueRef value);
} roundings[] = {
    {"llvm.floor", round_floor},
    {"llvm.ceil", round_ceil},
    {"llvm.trunc", truncate},
    {"llvm.roundeven", round_even},
};

/* Large numbers, infinities and NaNs stay; -0 and what rounds to it keep the sign. */
LLVMValueRef scalar_soft_round(struct emitter *emitter, const char *intrinsic, LLVMValueRef value)
{
    for (unsigned i = 0; i < sizeof roundings / sizeof *roundings; i++) {
        if (strcmp(roundings[i].intrinsic, intrinsic) != 0)
            continue;
        LLVMValueRef size = call1(emitter, "llvm.fabs", value);
        LLVMValueRef has_fraction =
            LLVMBuildFCmp(emitter->builder, LLVMRealOLT, size, integer_limit(value), "");
        LLVMValueRef rounded = roundings[i].round(emitter, value);
        rounded = call1(emitter, "llvm.fabs", rounded);
        rounded = with_sign_of(emitter, rounded, value);
        return LLVMBuildSelect(emitter->builder, has_fraction, rounded, value, "");
    }
    return NULL;
}

/* ---- Products and sums ----------------------------------------------------------------------- */

/* A number and what rounding it lost. */
struct pair {
    LLVMValueRef high, low;
};

static struct pair exact_sum(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef sum = LLVMBuildFAdd(builder, a, b, "");
    LLVMValueRef b_part = LLVMBuildFSub(builder, sum, a, "");
    LLVMValueRef a_part = LLVMBuildFSub(builder, sum, b_part, "");
    LLVMValueRef b_lost = LLVMBuildFSub(builder, b, b_part, "");
    LLVMValueRef a_lost = LLVMBuildFSub(builder, a, a_part, "");
    return (struct pair){sum, LLVMBuildFAdd(builder, a_lost, b_lost, "")};
}

/* Both halves of a number's digits (Veltkamp). */
static struct pair split(struct emitter *emitter, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef factor = LLVMConstReal(LLVMTypeOf(value), 0x1p27 + 1);
    LLVMValueRef scaled = LLVMBuildFMul(builder, value, factor, "");
    LLVMValueRef rest = LLVMBuildFSub(builder, scaled, value, "");
    LLVMValueRef high = LLVMBuildFSub(builder, scaled, rest, "");
    return (struct pair){high, LLVMBuildFSub(builder, value, high, "")};
}

/* Dekker's product. */
static struct pair exact_product(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = emitter->builder;
    struct pair p = split(emitter, a), q = split(emitter, b);
    LLVMValueRef product = LLVMBuildFMul(builder, a, b, "");
    LLVMValueRef lost =
        LLVMBuildFSub(builder, LLVMBuildFMul(builder, p.high, q.high, ""), product, "");
    lost = LLVMBuildFAdd(builder, lost, LLVMBuildFMul(builder, p.high, q.low, ""), "");
    lost = LLVMBuildFAdd(builder, lost, LLVMBuildFMul(builder, p.low, q.high, ""), "");
    lost = LLVMBuildFAdd(builder, lost, LLVMBuildFMul(builder, p.low, q.low, ""), "");
    return (struct pair){product, lost};
}

/* The f64 whose last bit says that something was lost ("round to odd"): rounding it once more, to
 * fewer digits, is right. An even one moves by one towards what was lost. */
static LLVMValueRef sum_to_odd(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = emitter->builder;
    struct pair sum = exact_sum(emitter, a, b);
    LLVMTypeRef f64 = LLVMTypeOf(sum.high), i64 = emit_integer_type(emitter, 64);
    LLVMValueRef zero = LLVMConstReal(f64, 0), bits = bits_of(emitter, sum.high);
    LLVMValueRef is_inexact = LLVMBuildFCmp(builder, LLVMRealONE, sum.low, zero, "");
    LLVMValueRef odd = LLVMBuildTrunc(builder, bits, emit_integer_type(emitter, 1), "");
    LLVMValueRef is_negative = LLVMBuildFCmp(builder, LLVMRealOLT, sum.high, zero, "");
    LLVMValueRef lost_negative = LLVMBuildFCmp(builder, LLVMRealOLT, sum.low, zero, "");
    LLVMValueRef is_away = LLVMBuildICmp(builder, LLVMIntEQ, is_negative, lost_negative, "");
    LLVMValueRef step =
        LLVMBuildSelect(builder, is_away, emit_i64(emitter, 1), emit_i64(emitter, UINT64_MAX), "");
    LLVMValueRef moves = LLVMBuildAnd(builder, is_inexact, LLVMBuildNot(builder, odd, ""), "");
    step = LLVMBuildSelect(builder, moves, step, LLVMConstNull(i64), "");
    return LLVMBuildBitCast(builder, LLVMBuildAdd(builder, bits, step, ""), f64, "");
}

/* f64 holds the product of two f32. */
static LLVMValueRef fma_of_floats(
    struct emitter *emitter, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef f64 = LLVMDoubleTypeInContext(emitter->context);
    LLVMValueRef product = LLVMBuildFMul(
        builder, LLVMBuildFPExt(builder, a, f64, ""), LLVMBuildFPExt(builder, b, f64, ""), "");
    LLVMValueRef sum = sum_to_odd(emitter, product, LLVMBuildFPExt(builder, c, f64, ""));
    return LLVMBuildFPTrunc(builder, sum, LLVMTypeOf(a), "");
}

/* i1: the number less itself is zero, as it is for neither infinities nor NaNs. */
static LLVMValueRef is_finite(struct emitter *emitter, LLVMValueRef value)
{
    LLVMValueRef difference = LLVMBuildFSub(emitter->builder, value, value, "");
    LLVMValueRef zero = LLVMConstReal(LLVMTypeOf(value), 0);
    return LLVMBuildFCmp(emitter->builder, LLVMRealOEQ, difference, zero, "");
}

/* What the plain operations say, which is right where something is not finite: a product of finite
 * factors may be too large for f64, but does not change an infinity. */
static LLVMValueRef plain_sum(
    struct emitter *emitter, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef sum = LLVMBuildFAdd(builder, LLVMBuildFMul(builder, a, b, ""), c, "");
    LLVMValueRef factors = LLVMBuildAnd(builder, is_finite(emitter, a), is_finite(emitter, b), "");
    LLVMValueRef only_c = LLVMBuildNot(builder, is_finite(emitter, c), "");
    return LLVMBuildSelect(builder, LLVMBuildAnd(builder, factors, only_c, ""), c, sum, "");
}

/* Boldo and Melquiond, "Emulation of FMA and correctly rounded sums" (2008). An exact zero has the
 * sign of the plain sum. */
static LLVMValueRef fma_of_doubles(
    struct emitter *emitter, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    LLVMBuilderRef builder = emitter->builder;
    struct pair product = exact_product(emitter, a, b);
    struct pair lower = exact_sum(emitter, c, product.low);
    struct pair upper = exact_sum(emitter, product.high, lower.high);
    LLVMValueRef rest = sum_to_odd(emitter, lower.low, upper.low);
    LLVMValueRef result = LLVMBuildFAdd(builder, upper.high, rest, "");
    LLVMValueRef is_nonzero =
        LLVMBuildFCmp(builder, LLVMRealONE, result, LLVMConstReal(LLVMTypeOf(a), 0), "");
    LLVMValueRef is_right = LLVMBuildAnd(builder, is_finite(emitter, result), is_nonzero, "");
    return LLVMBuildSelect(builder, is_right, result, plain_sum(emitter, a, b, c), "");
}

LLVMValueRef scalar_soft_fma(
    struct emitter *emitter, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
    bool is_double = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMDoubleTypeKind;
    return is_double ? fma_of_doubles(emitter, a, b, c) : fma_of_floats(emitter, a, b, c);
}
