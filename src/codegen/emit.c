/* Types, instructions and attributes: see emit.h. */
#include "codegen/emit.h"

#include "analysis/element_size.h"
#include "codegen/debug_info.h"

#include "mlir-c/BuiltinTypes.h"

#include <llvm-c/DebugInfo.h>

#include <string.h>

/* ---- Places ---------------------------------------------------------------------------------- */

MlirLocation emit_at_location(struct emitter *emitter, MlirLocation location)
{
    MlirLocation before = emitter->location;
    emitter->location = location;
    if (emitter->debug && ir_user_place(location).line)
        LLVMSetCurrentDebugLocation2(emitter->builder, debug_info_place(emitter->debug, location));
    return before;
}

void emit_debug_parameter(
    struct emitter *emitter, MlirValue argument, unsigned number, LLVMValueRef value)
{
    MlirLocation location = mlirValueGetLocation(argument);
    if (!debug_info_has_variables(emitter->debug) || !mlirLocationIsAName(location))
        return;
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    MlirType type = mlirValueGetType(argument);
    struct debug_variable variable = {
        .name = arena_copy(emitter->arena, name.data, name.length),
        .location = location,
        .type = type,
        .parameter = number,
        .storage = LLVMBuildAlloca(emitter->builder, emit_memory_type(emitter, type), ""),
    };
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL); /* a breakpoint is behind it */
    LLVMBuildStore(emitter->builder, emit_to_memory(emitter, type, value), variable.storage);
    emit_at_location(emitter, emitter->location);
    debug_info_declare(emitter->debug, &variable, emit_current_block(emitter));
}

void emit_debug_make_stops(struct emitter *emitter)
{
    if (debug_info_has_variables(emitter->debug))
        emitter->stop = LLVMBuildAlloca(emitter->builder, emit_integer_type(emitter, 8), "stop");
}

void emit_debug_stop(struct emitter *emitter)
{
    if (!emitter->stop)
        return;
    LLVMValueRef zero = LLVMConstNull(emit_integer_type(emitter, 8));
    LLVMSetVolatile(LLVMBuildStore(emitter->builder, zero, emitter->stop), true);
}

/* ---- Types ----------------------------------------------------------------------------------- */

LLVMTypeRef emit_integer_type(const struct emitter *emitter, unsigned width)
{
    return LLVMIntTypeInContext(emitter->context, width);
}

LLVMTypeRef emit_float_type(const struct emitter *emitter)
{
    return LLVMFloatTypeInContext(emitter->context);
}

static const struct {
    bool (*is)(MlirType type);
    LLVMTypeRef (*type)(LLVMContextRef context);
} float_types[] = {
    {mlirTypeIsAF16, LLVMHalfTypeInContext},
    {mlirTypeIsABF16, LLVMBFloatTypeInContext},
    {mlirTypeIsAF32, LLVMFloatTypeInContext},
    {mlirTypeIsAF64, LLVMDoubleTypeInContext},
};

/* Types that are only moved, so that bits of their size will do in a register. */
static bool (*const opaque_types[])(MlirType type) = {
    mlirTypeIsAFloat8E4M3FN,
    mlirTypeIsAFloat8E5M2,
};

bool emit_is_opaque(MlirType element)
{
    for (unsigned i = 0; i < sizeof opaque_types / sizeof *opaque_types; i++)
        if (opaque_types[i](element))
            return true;
    return false;
}

static bool is_known_width(unsigned width)
{
    return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}

LLVMTypeRef emit_type(const struct emitter *emitter, MlirType element)
{
    if (mlirTypeIsABF16(element) && !emitter->device->has_bfloat)
        return emit_integer_type(emitter, 16);
    for (unsigned i = 0; i < sizeof float_types / sizeof *float_types; i++)
        if (float_types[i].is(element))
            return float_types[i].type(emitter->context);
    if (ir_is_integer(element) && is_known_width(ir_integer_width(element)))
        return emit_integer_type(emitter, ir_integer_width(element));
    if (tt_type_is_pointer(element))
        return LLVMPointerTypeInContext(emitter->context, emitter->device->global_space);
    if (ttg_type_is_token(element))
        return emit_integer_type(emitter, 1);
    return emit_is_opaque(element) ? emit_integer_type(emitter, 8) : NULL;
}

static bool is_i1(MlirType type)
{
    return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

LLVMTypeRef emit_memory_type(const struct emitter *emitter, MlirType element)
{
    return is_i1(element) ? emit_integer_type(emitter, 8) : emit_type(emitter, element);
}

unsigned emit_memory_size(MlirType element)
{
    return element_size(element);
}

LLVMValueRef emit_from_memory(struct emitter *emitter, MlirType element, LLVMValueRef loaded)
{
    if (!is_i1(element))
        return loaded;
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(loaded));
    return LLVMBuildICmp(emitter->builder, LLVMIntNE, loaded, zero, "");
}

LLVMValueRef emit_to_memory(struct emitter *emitter, MlirType element, LLVMValueRef value)
{
    if (!is_i1(element))
        return value;
    return LLVMBuildZExt(emitter->builder, value, emit_integer_type(emitter, 8), "");
}

/* ---- Instructions ---------------------------------------------------------------------------- */

LLVMValueRef emit_i32(const struct emitter *emitter, uint32_t value)
{
    return LLVMConstInt(emit_integer_type(emitter, 32), value, false);
}

LLVMValueRef emit_i64(const struct emitter *emitter, uint64_t value)
{
    return LLVMConstInt(emit_integer_type(emitter, 64), value, false);
}

LLVMValueRef emit_bool(const struct emitter *emitter, bool value)
{
    return LLVMConstInt(emit_integer_type(emitter, 1), value, false);
}

bool emit_is_false(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

static LLVMValueRef call_intrinsic(struct emitter *emitter, const char *name,
    LLVMTypeRef *overloads, unsigned overload_count, LLVMValueRef *arguments, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function =
        LLVMGetIntrinsicDeclaration(emitter->module, id, overloads, overload_count);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return LLVMBuildCall2(emitter->builder, type, function, arguments, count, "");
}

LLVMValueRef emit_intrinsic(struct emitter *emitter, const char *name, LLVMTypeRef overload,
    LLVMValueRef *arguments, unsigned count)
{
    return call_intrinsic(emitter, name, &overload, overload != NULL, arguments, count);
}

LLVMValueRef emit_intrinsic2(struct emitter *emitter, const char *name, LLVMTypeRef *overloads,
    LLVMValueRef *arguments, unsigned count)
{
    return call_intrinsic(emitter, name, overloads, 2, arguments, count);
}

LLVMValueRef emit_address(
    struct emitter *emitter, LLVMValueRef pointer, LLVMValueRef offset, unsigned size)
{
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    LLVMValueRef wide = LLVMBuildSExtOrBitCast(emitter->builder, offset, i64, "");
    LLVMValueRef bytes = LLVMBuildMul(emitter->builder, wide, emit_i64(emitter, size), "");
    LLVMTypeRef byte = emit_integer_type(emitter, 8);
    return LLVMBuildGEP2(emitter->builder, byte, pointer, &bytes, 1, "");
}

LLVMBasicBlockRef emit_new_block(struct emitter *emitter, const char *name)
{
    return LLVMAppendBasicBlockInContext(emitter->context, emitter->function, name);
}

LLVMBasicBlockRef emit_current_block(const struct emitter *emitter)
{
    return LLVMGetInsertBlock(emitter->builder);
}

void emit_at_end_of(struct emitter *emitter, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(emitter->builder, block);
}

/* ---- Attributes ------------------------------------------------------------------------------ */

void emit_function_attribute(
    const struct emitter *emitter, LLVMValueRef function, const char *name, const char *value)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(
        emitter->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

void emit_enum_attribute(
    const struct emitter *emitter, LLVMValueRef function, unsigned index, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(emitter->context, kind, 0));
}

void emit_call_attribute(const struct emitter *emitter, LLVMValueRef call, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(emitter->context, kind, 0);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}
