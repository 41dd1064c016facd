/* See bits.h. */
#include "codegen/gpu/bits.h"

#include "mlir-c/BuiltinTypes.h"

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

/* The 32-bit word of that number, or all of what has no more bits. */
static LLVMValueRef word_of(struct emitter *emitter, LLVMValueRef packed, unsigned number)
{
    LLVMTypeRef type = LLVMTypeOf(packed);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return LLVMBuildExtractElement(emitter->builder, packed, emit_i32(emitter, number), "");
    if (LLVMGetIntTypeWidth(type) <= 32)
        return packed;
    LLVMValueRef shift = LLVMConstInt(type, 32 * (uint64_t)number, false);
    LLVMValueRef shifted = LLVMBuildLShr(emitter->builder, packed, shift, "");
    return LLVMBuildTrunc(emitter->builder, shifted, emit_integer_type(emitter, 32), "");
}

/* One of several elements of a word, by a shift: a wider number that is made of it next LLVM then
 * makes of the word itself. */
static LLVMValueRef bits_in_word(
    struct emitter *emitter, LLVMValueRef packed, unsigned width, unsigned index)
{
    unsigned bit = index * width;
    LLVMValueRef word = word_of(emitter, packed, bit / 32);
    LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(word), bit % 32, false);
    LLVMValueRef shifted = LLVMBuildLShr(emitter->builder, word, shift, "");
    return LLVMBuildTrunc(emitter->builder, shifted, emit_integer_type(emitter, width), "");
}

void gpu_unpack(struct emitter *emitter, MlirType element, LLVMValueRef packed,
    LLVMValueRef *out_values, unsigned count)
{
    if (count == 1) {
        out_values[0] = gpu_element_from_bits(emitter, element, packed);
        return;
    }
    unsigned width = 8 * emit_memory_size(element);
    LLVMTypeRef type = LLVMVectorType(bits_type(emitter, element), count);
    /* An instruction that widens f16 takes either half of a register. */
    bool by_shift = width < 32 && !mlirTypeIsAF16(element);
    LLVMValueRef vector = by_shift ? NULL : LLVMBuildBitCast(emitter->builder, packed, type, "");
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef bits =
            vector ? LLVMBuildExtractElement(emitter->builder, vector, emit_i32(emitter, i), "")
                   : bits_in_word(emitter, packed, width, i);
        out_values[i] = gpu_element_from_bits(emitter, element, bits);
    }
}
