/* See nv_ops.h. */
#include "codegen/gpu/nv_ops.h"

#include <string.h>

enum { MAX_OPERANDS = 4 };

static const struct {
    const char *signature, *ptx, *constraints, *emu;
} table[NV_OP_COUNT] = {
#define NV_OP(id, signature, ptx, constraints, emu) {signature, ptx, constraints, emu},
    NV_OPS(NV_OP)
#undef NV_OP
};

static LLVMTypeRef type_of_letter(const struct emitter *emitter, char letter)
{
    static const char integers[] = "bhil";
    static const unsigned widths[] = {1, 16, 32, 64};
    const char *integer = strchr(integers, letter);
    if (integer)
        return emit_integer_type(emitter, widths[integer - integers]);
    switch (letter) {
    case 'p':
        return LLVMPointerTypeInContext(emitter->context, emitter->device->global_space);
    case 'f':
        return emit_float_type(emitter);
    default:
        return LLVMVoidTypeInContext(emitter->context);
    }
}

static LLVMTypeRef function_type(const struct emitter *emitter, const char *signature)
{
    LLVMTypeRef operands[MAX_OPERANDS];
    unsigned count = (unsigned)strlen(signature) - 1;
    for (unsigned i = 0; i < count; i++)
        operands[i] = type_of_letter(emitter, signature[i + 1]);
    return LLVMFunctionType(type_of_letter(emitter, signature[0]), operands, count, false);
}

/* The template with `modifiers` in place of %m. */
static const char *fill_in(struct emitter *emitter, const char *template, const char *modifiers)
{
    const char *place = strstr(template, "%m");
    if (!place)
        return template;
    return arena_format(emitter->arena, "%.*s%s%s", (int)(place - template), template,
        modifiers ? modifiers : "", place + 2);
}

/* Assembly that touches memory keeps its place among all others that do. */
static LLVMValueRef make_assembly(
    struct emitter *emitter, enum nv_op op, const char *modifiers, LLVMTypeRef type)
{
    const char *text = fill_in(emitter, table[op].ptx, modifiers);
    char *constraints = arena_format(emitter->arena, "%s,~{memory}", table[op].constraints);
    return LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), true, false,
        LLVMInlineAsmDialectATT, false);
}

/* The barrier's number is an operand of the intrinsic only. */
static LLVMValueRef emit_ptx_intrinsic(
    struct emitter *emitter, enum nv_op op, LLVMValueRef *operands, unsigned count)
{
    LLVMValueRef barrier = emit_i32(emitter, 0);
    if (op == NV_BARRIER)
        return emit_intrinsic(emitter, table[op].ptx, NULL, &barrier, 1);
    return emit_intrinsic(emitter, table[op].ptx, NULL, operands, count);
}

static LLVMValueRef declare_host_function(
    struct emitter *emitter, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, name);
    return function ? function : LLVMAddFunction(emitter->module, name, type);
}

LLVMValueRef nv_emit(struct emitter *emitter, enum nv_column column, enum nv_op op,
    const char *modifiers, LLVMValueRef *operands)
{
    const char *signature = table[op].signature;
    unsigned count = (unsigned)strlen(signature) - 1;
    LLVMTypeRef type = function_type(emitter, signature);
    LLVMValueRef function;
    if (column == NV_EMU)
        function = declare_host_function(emitter, table[op].emu, type);
    else if (table[op].constraints)
        function = make_assembly(emitter, op, modifiers, type);
    else
        return emit_ptx_intrinsic(emitter, op, operands, count);
    LLVMValueRef result = LLVMBuildCall2(emitter->builder, type, function, operands, count, "");
    return signature[0] == 'v' ? NULL : result;
}
