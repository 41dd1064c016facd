/* See scalar_f8.h. */
#include "codegen/scalar_f8.h"
#include "codegen/scalar_narrow.h"

#include "mlir-c/BuiltinTypes.h"

enum { F32_INFINITY = 0x7f800000, F32_MAGNITUDE = 0x7fffffff, F8_NAN = 0x7f };

static const struct {
    bool (*is)(MlirType element);
    struct scalar_narrow format;
} formats[] = {
    {mlirTypeIsAFloat8E4M3FN, {8, 3, 7, 0x7e}},
    {mlirTypeIsAFloat8E5M2, {8, 2, 15, 0x7b}},
};

static const struct scalar_narrow *find_format(MlirType element)
{
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].is(element))
            return &formats[i].format;
    return NULL;
}

bool scalar_is_f8(MlirType element)
{
    return find_format(element) != NULL;
}

LLVMValueRef scalar_f8_to_f32(struct emitter *emitter, MlirType element, LLVMValueRef value)
{
    return scalar_narrow_to_f32(emitter, find_format(element), value);
}

LLVMValueRef scalar_f32_to_f8(struct emitter *emitter, MlirType element, LLVMValueRef value)
{
    const struct scalar_narrow *format = find_format(element);
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i32 = emit_integer_type(emitter, 32);
    LLVMValueRef bits = LLVMBuildBitCast(builder, value, i32, "");
    LLVMValueRef size = LLVMBuildAnd(builder, bits, emit_i32(emitter, F32_MAGNITUDE), "");
    LLVMValueRef sign =
        LLVMBuildLShr(builder, LLVMBuildXor(builder, bits, size, ""), emit_i32(emitter, 24), "");
    LLVMValueRef bounded[] = {
        size, emit_i32(emitter, scalar_narrow_as_f32(format, format->largest))};
    LLVMValueRef saturated = emit_intrinsic(emitter, "llvm.umin", i32, bounded, 2);
    LLVMValueRef result =
        LLVMBuildOr(builder, scalar_narrow_round(emitter, format, saturated), sign, "");
    LLVMValueRef is_nan =
        LLVMBuildICmp(builder, LLVMIntUGT, size, emit_i32(emitter, F32_INFINITY), "");
    result = LLVMBuildSelect(builder, is_nan, emit_i32(emitter, F8_NAN), result, "");
    return LLVMBuildTrunc(builder, result, emit_integer_type(emitter, 8), "");
}
