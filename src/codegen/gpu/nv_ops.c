/* See nv_ops.h. */
#include "codegen/gpu/nv_ops.h"

#include <string.h>

static const struct {
    const char *signature, *ptx, *constraints;
} table[NV_OP_COUNT] = {
#define NV_OP(id, signature, ptx, constraints, emu) {signature, ptx, constraints},
#include "base/nv_ops.def"
#undef NV_OP
};

/* ---- Signatures ------------------------------------------------------------------------------ */

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
    case 's':
        return LLVMPointerTypeInContext(emitter->context, emitter->device->shared_space);
    default:
        return emit_float_type(emitter);
    }
}

struct signature {
    const char *results, *operands; /* letters */
    unsigned result_count, operand_count;
};

static struct signature signature_of(enum nv_op op)
{
    const char *text = table[op].signature;
    struct signature signature = {.results = text, .operands = text + 1, .result_count = 1};
    if (text[0] == 'v') {
        signature.result_count = 0;
    } else if (text[0] == '{') {
        const char *end = strchr(text, '}');
        signature.results = text + 1;
        signature.result_count = (unsigned)(end - text - 1);
        signature.operands = end + 1;
    }
    signature.operand_count = (unsigned)strlen(signature.operands);
    return signature;
}

static LLVMTypeRef result_type(const struct emitter *emitter, const struct signature *signature)
{
    LLVMTypeRef types[NV_MAX_RESULTS];
    for (unsigned i = 0; i < signature->result_count; i++)
        types[i] = type_of_letter(emitter, signature->results[i]);
    switch (signature->result_count) {
    case 0:
        return LLVMVoidTypeInContext(emitter->context);
    case 1:
        return types[0];
    default:
        return LLVMStructTypeInContext(emitter->context, types, signature->result_count, false);
    }
}

/* ---- PTX: assembly --------------------------------------------------------------------------- */

/* The template with `modifiers` in place of %m. */
static const char *fill_in(struct emitter *emitter, const char *template, const char *modifiers)
{
    const char *place = strstr(template, "%m");
    if (!place)
        return template;
    return arena_format(emitter->arena, "%.*s%s%s", (int)(place - template), template,
        modifiers ? modifiers : "", place + 2);
}

/* What a template says beyond its operands. One without results is there for its effects; one with
 * a pointer keeps its place among all others that touch memory. */
static bool touches_memory(const struct signature *signature)
{
    return signature->result_count == 0 || strpbrk(signature->operands, "ps");
}

static bool is_collective(enum nv_op op)
{
    return strstr(table[op].ptx, ".sync") != NULL;
}

/* A shared pointer is a 32-bit register in every instruction that takes one. */
static void to_registers(
    struct emitter *emitter, const struct signature *signature, LLVMValueRef *operands)
{
    LLVMTypeRef i32 = emit_integer_type(emitter, 32);
    for (unsigned i = 0; i < signature->operand_count; i++)
        if (signature->operands[i] == 's')
            operands[i] = LLVMBuildPtrToInt(emitter->builder, operands[i], i32, "");
}

static LLVMValueRef emit_assembly(struct emitter *emitter, enum nv_op op, const char *modifiers,
    const struct signature *signature, const LLVMValueRef *operands)
{
    unsigned count = signature->operand_count;
    LLVMValueRef registers[NV_MAX_OPERANDS];
    LLVMTypeRef types[NV_MAX_OPERANDS];
    memcpy(registers, operands, count * sizeof *operands);
    to_registers(emitter, signature, registers);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(registers[i]);

    const char *text = fill_in(emitter, table[op].ptx, modifiers);
    const char *constraints = table[op].constraints;
    bool has_effects = touches_memory(signature);
    if (has_effects)
        constraints =
            arena_format(emitter->arena, "%s%s~{memory}", constraints, constraints[0] ? "," : "");
    LLVMTypeRef type = LLVMFunctionType(result_type(emitter, signature), types, count, false);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, text, strlen(text), constraints,
        strlen(constraints), has_effects, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(emitter->builder, type, assembly, registers, count, "");
    if (is_collective(op))
        emit_call_attribute(emitter, call, "convergent");
    return call;
}

/* ---- PTX: the rest --------------------------------------------------------------------------- */

/* Declared without a size: the launch says how much there is. */
static LLVMValueRef shared_variable(struct emitter *emitter, const char *name)
{
    enum { ALIGNMENT = 128 };
    LLVMValueRef variable = LLVMGetNamedGlobal(emitter->module, name);
    if (variable)
        return variable;
    LLVMTypeRef type = LLVMArrayType2(emit_integer_type(emitter, 8), 0);
    variable =
        LLVMAddGlobalInAddressSpace(emitter->module, type, name, emitter->device->shared_space);
    LLVMSetAlignment(variable, ALIGNMENT);
    return variable;
}

static bool is_intrinsic(enum nv_op op)
{
    return strncmp(table[op].ptx, "llvm.", 5) == 0;
}

static LLVMValueRef emit_ptx(struct emitter *emitter, enum nv_op op, const char *modifiers,
    const struct signature *signature, LLVMValueRef *operands)
{
    if (table[op].constraints)
        return emit_assembly(emitter, op, modifiers, signature, operands);
    if (is_intrinsic(op))
        return emit_intrinsic(emitter, table[op].ptx, NULL, operands, signature->operand_count);
    return shared_variable(emitter, table[op].ptx);
}

/* ---- emu: calls of libteeny ------------------------------------------------------------------ */

static LLVMValueRef word_at(struct emitter *emitter, unsigned index)
{
    LLVMValueRef number = emit_i64(emitter, index);
    LLVMTypeRef word = emit_integer_type(emitter, 64);
    return LLVMBuildGEP2(emitter->builder, word, emitter->emu_words, &number, 1, "");
}

/* One array a function, at its start: it is not made again in a loop. */
static void make_words(struct emitter *emitter)
{
    if (emitter->emu_words)
        return;
    LLVMBasicBlockRef here = emit_current_block(emitter);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(emitter->function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(emitter->builder, first);
    else
        LLVMPositionBuilderAtEnd(emitter->builder, entry);
    LLVMTypeRef type = LLVMArrayType2(emit_integer_type(emitter, 64), NV_MAX_OPERANDS);
    emitter->emu_words = LLVMBuildAlloca(emitter->builder, type, "words");
    LLVMPositionBuilderAtEnd(emitter->builder, here);
}

static LLVMValueRef to_word(struct emitter *emitter, LLVMValueRef value)
{
    LLVMTypeRef word = emit_integer_type(emitter, 64);
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(emitter->builder, value, word, "");
    case LLVMFloatTypeKind:
        value = LLVMBuildBitCast(emitter->builder, value, emit_integer_type(emitter, 32), "");
        break;
    default:
        break;
    }
    return LLVMBuildZExtOrBitCast(emitter->builder, value, word, "");
}

static LLVMValueRef from_word(struct emitter *emitter, LLVMValueRef word, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return LLVMBuildIntToPtr(emitter->builder, word, type, "");
    case LLVMFloatTypeKind:
        word = LLVMBuildTrunc(emitter->builder, word, emit_integer_type(emitter, 32), "");
        return LLVMBuildBitCast(emitter->builder, word, type, "");
    default:
        return LLVMBuildTruncOrBitCast(emitter->builder, word, type, "");
    }
}

static LLVMValueRef read_results(struct emitter *emitter, const struct signature *signature)
{
    LLVMTypeRef word = emit_integer_type(emitter, 64);
    LLVMValueRef result = NULL;
    if (signature->result_count > 1)
        result = LLVMGetPoison(result_type(emitter, signature));
    for (unsigned i = 0; i < signature->result_count; i++) {
        LLVMValueRef bits = LLVMBuildLoad2(emitter->builder, word, word_at(emitter, i), "");
        LLVMTypeRef type = type_of_letter(emitter, signature->results[i]);
        LLVMValueRef value = from_word(emitter, bits, type);
        result = result ? LLVMBuildInsertValue(emitter->builder, result, value, i, "") : value;
    }
    return result;
}

/* thread->functions[op] */
static LLVMValueRef read_function(struct emitter *emitter, LLVMValueRef thread, enum nv_op op)
{
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    LLVMValueRef functions = LLVMBuildLoad2(emitter->builder, pointer, thread, "");
    LLVMValueRef number = emit_i64(emitter, op);
    LLVMValueRef slot = LLVMBuildGEP2(emitter->builder, pointer, functions, &number, 1, "");
    return LLVMBuildLoad2(emitter->builder, pointer, slot, "");
}

static LLVMValueRef emit_emu(struct emitter *emitter, enum nv_op op,
    const struct signature *signature, const LLVMValueRef *operands)
{
    make_words(emitter);
    for (unsigned i = 0; i < signature->operand_count; i++)
        LLVMBuildStore(emitter->builder, to_word(emitter, operands[i]), word_at(emitter, i));
    LLVMValueRef thread = LLVMGetParam(emitter->function, 0);
    LLVMValueRef arguments[] = {thread, emit_place(emitter), emitter->emu_words};
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    LLVMTypeRef types[] = {pointer, pointer, pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), types, 3, false);
    LLVMValueRef call = LLVMBuildCall2(
        emitter->builder, type, read_function(emitter, thread, op), arguments, 3, "");
    emit_call_attribute(emitter, call, "convergent");
    emit_call_attribute(emitter, call, "nounwind");
    return read_results(emitter, signature);
}

LLVMValueRef nv_emit(struct emitter *emitter, enum nv_column column, enum nv_op op,
    const char *modifiers, LLVMValueRef *operands)
{
    struct signature signature = signature_of(op);
    LLVMValueRef result = column == NV_EMU ? emit_emu(emitter, op, &signature, operands)
                                           : emit_ptx(emitter, op, modifiers, &signature, operands);
    return signature.result_count ? result : NULL;
}
