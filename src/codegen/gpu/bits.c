/* See bits.h. */
#include "codegen/gpu/bits.h"

static LLVMTypeRef bits_type(const struct emitter *emitter, MlirType element)
{
    return emit_integer_type(emitter, 8 * emit_memory_size(element));
}

LLVMValueRef gpu_element_to_bits(struct emitter *emitter, MlirType element, LLVMValueRef value)
{
    value = emit_to_memory(emitter, element, value);
    LLVMTypeRef bits = bits_type(emitter, element);
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(emitter->builder, value, bits, "");
    case LLVMIntegerTypeKind:
        return value;
    default:
        return LLVMBuildBitCast(emitter->builder, value, bits, "");
    }
}

LLVMValueRef gpu_element_from_bits(struct emitter *emitter, MlirType element, LLVMValueRef bits)
{
    LLVMTypeRef type = emit_memory_type(emitter, element);
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        bits = LLVMBuildIntToPtr(emitter->builder, bits, type, "");
        break;
    case LLVMIntegerTypeKind:
        break;
    default:
        bits = LLVMBuildBitCast(emitter->builder, bits, type, "");
    }
    return emit_from_memory(emitter, element, bits);
}

LLVMTypeRef gpu_packed_type(const struct emitter *emitter, unsigned bytes)
{
    if (bytes <= 8)
        return emit_integer_type(emitter, 8 * bytes);
    return LLVMVectorType(emit_integer_type(emitter, 32), bytes / 4);
}

LLVMValueRef gpu_pack(
    struct emitter *emitter, MlirType element, const LLVMValueRef *values, unsigned count)
{
    if (count == 1)
        return gpu_element_to_bits(emitter, element, values[0]);
    LLVMTypeRef type = bits_type(emitter, element);
    LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(type, count));
    for (unsigned i = 0; i < count; i++)
        vector = LLVMBuildInsertElement(emitter->builder, vector,
            gpu_element_to_bits(emitter, element, values[i]), emit_i32(emitter, i), "");
    LLVMTypeRef packed = gpu_packed_type(emitter, count * emit_memory_size(element));
    return LLVMBuildBitCast(emitter->builder, vector, packed, "");
}

void gpu_unpack(struct emitter *emitter, MlirType element, LLVMValueRef packed,
    LLVMValueRef *out_values, unsigned count)
{
    if (count == 1) {
        out_values[0] = gpu_element_from_bits(emitter, element, packed);
        return;
    }
    LLVMTypeRef type = LLVMVectorType(bits_type(emitter, element), count);
    LLVMValueRef vector = LLVMBuildBitCast(emitter->builder, packed, type, "");
    for (unsigned i = 0; i < count; i++)
        out_values[i] = gpu_element_from_bits(emitter, element,
            LLVMBuildExtractElement(emitter->builder, vector, emit_i32(emitter, i), ""));
}
