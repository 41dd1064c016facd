/* Attributes of MLIR as LLVM constants: see emit.h. Floating-point constants go through their bits,
 * so that no NaN and no subnormal is lost. */
#include "codegen/emit.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

LLVMValueRef emit_float_constant(LLVMTypeRef type, double number)
{
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return LLVMConstReal(type, number);
    float single = (float)number;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return LLVMConstInt(type, bits >> 16, false);
}

/* The bits of a float of a type that LLVM does not know, which a splat of one element holds. */
static LLVMValueRef opaque_constant(
    LLVMTypeRef llvm_type, MlirAttribute attribute, MlirType element)
{
    const int64_t one = 1;
    MlirType tensor = mlirRankedTensorTypeGet(1, &one, element, mlirAttributeGetNull());
    MlirAttribute splat = mlirDenseElementsAttrSplatGet(tensor, attribute);
    const unsigned char *bits = mlirDenseElementsAttrGetRawData(splat);
    return LLVMConstInt(llvm_type, *bits, false);
}

/* An f16 or bf16 attribute is only readable as a double, which holds its value exactly, but rounds
 * nothing of a NaN's payload that matters: quiet stays quiet. */
LLVMValueRef emit_scalar_attribute(
    const struct emitter *emitter, MlirAttribute attribute, MlirType type)
{
    LLVMTypeRef llvm_type = emit_type(emitter, type);
    if (!llvm_type)
        return NULL;
    if (emit_is_opaque(type))
        return opaque_constant(llvm_type, attribute, type);
    if (mlirAttributeIsAFloat(attribute))
        return emit_float_constant(llvm_type, mlirFloatAttrGetValueDouble(attribute));
    if (!mlirAttributeIsAInteger(attribute))
        return NULL;
    if (ir_integer_width(type) == 1)
        return LLVMConstInt(llvm_type, mlirIntegerAttrGetValueInt(attribute) != 0, false);
    return LLVMConstInt(llvm_type, (uint64_t)mlirIntegerAttrGetValueInt(attribute), true);
}

/* The bits of a number of `width` (8 to 64) at `index` of raw little-endian data. */
static uint64_t raw_bits(const void *data, unsigned width, uint64_t index)
{
    uint64_t bits = 0;
    unsigned size = width / 8;
    memcpy(&bits, (const char *)data + index * size, size);
    return bits;
}

LLVMValueRef emit_dense_element(
    const struct emitter *emitter, MlirAttribute attribute, MlirType element, uint64_t index)
{
    LLVMTypeRef type = emit_type(emitter, element);
    if (!type || !mlirAttributeIsADenseElements(attribute))
        return NULL;
    bool is_splat = mlirDenseElementsAttrIsSplat(attribute);
    if (ir_is_integer(element) && ir_integer_width(element) == 1) {
        bool bit = is_splat ? mlirDenseElementsAttrGetBoolSplatValue(attribute)
                            : mlirDenseElementsAttrGetBoolValue(attribute, (intptr_t)index);
        return LLVMConstInt(type, bit, false);
    }
    const void *data = mlirDenseElementsAttrGetRawData(attribute);
    unsigned width = emit_memory_size(element) * 8;
    uint64_t bits = raw_bits(data, width, is_splat ? 0 : index);
    LLVMValueRef integer = LLVMConstInt(emit_integer_type(emitter, width), bits, false);
    return ir_is_float(element) ? LLVMConstBitCast(integer, type) : integer;
}

LLVMValueRef emit_place(struct emitter *emitter)
{
    const char *text = ir_place(emitter->arena, emitter->location);
    const char *name = arena_format(emitter->arena, "place.%s", text);
    LLVMValueRef variable = LLVMGetNamedGlobal(emitter->module, name);
    if (variable)
        return variable;
    LLVMValueRef value = LLVMConstStringInContext2(emitter->context, text, strlen(text), false);
    variable = LLVMAddGlobal(emitter->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(variable, value);
    LLVMSetLinkage(variable, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(variable, true);
    return variable;
}
