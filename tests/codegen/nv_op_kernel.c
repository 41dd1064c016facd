/* See nv_op_kernel.h. */
#include "nv_op_kernel.h"

#include "codegen/cpu/image.h"

#include <string.h>

static const struct {
    const char *name, *signature;
} ops[NV_OP_COUNT] = {
#define NV_OP(id, signature, ptx, constraints, emu) {#id, signature},
#include "base/nv_ops.def"
#undef NV_OP
};

static const struct device devices[] = {
    [NV_PTX] = {.global_space = 1, .shared_space = 3},
    [NV_EMU] = {0},
};

const char *nv_op_name(enum nv_op op)
{
    return ops[op].name;
}

const char *nv_op_signature(enum nv_op op)
{
    return ops[op].signature;
}

/* ---- The function ---------------------------------------------------------------------------- */

struct builder {
    struct emitter emitter;
    enum nv_column column;
    LLVMValueRef out, in; /* this thread's words */
};

static LLVMTypeRef pointer_type(const struct builder *builder)
{
    const struct emitter *emitter = &builder->emitter;
    return LLVMPointerTypeInContext(emitter->context, emitter->device->global_space);
}

/* For PTX the parameters are out and in; for emu the thread, and a struct of the two. */
static void make_function(struct builder *builder, const char *name)
{
    struct emitter *emitter = &builder->emitter;
    LLVMTypeRef types[] = {pointer_type(builder), pointer_type(builder)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(emitter->context), types, 2, false);
    emitter->function = LLVMAddFunction(emitter->module, name, type);
    enum { PTX_KERNEL_CONVENTION = 71 };
    if (builder->column == NV_PTX)
        LLVMSetFunctionCallConv(emitter->function, PTX_KERNEL_CONVENTION);
    else
        emit_function_attribute(emitter, emitter->function, IMAGE_SCRATCH_ATTRIBUTE, "0");
    emit_at_end_of(emitter, emit_new_block(emitter, "entry"));
}

static LLVMValueRef parameter(struct builder *builder, unsigned index)
{
    struct emitter *emitter = &builder->emitter;
    if (builder->column == NV_PTX)
        return LLVMGetParam(emitter->function, index);
    LLVMValueRef number = emit_i64(emitter, index), arguments = LLVMGetParam(emitter->function, 1);
    LLVMTypeRef pointer = pointer_type(builder);
    LLVMValueRef place = LLVMBuildGEP2(emitter->builder, pointer, arguments, &number, 1, "");
    return LLVMBuildLoad2(emitter->builder, pointer, place, "");
}

static LLVMValueRef words_of_thread(struct builder *builder, unsigned index, unsigned count)
{
    struct emitter *emitter = &builder->emitter;
    LLVMValueRef thread = nv_emit(emitter, builder->column, NV_THREAD_ID, NULL, NULL);
    return emit_address(emitter, parameter(builder, index), thread, count * 8);
}

static LLVMValueRef word_at(struct builder *builder, LLVMValueRef words, unsigned index)
{
    struct emitter *emitter = &builder->emitter;
    return emit_address(emitter, words, emit_i64(emitter, index), 8);
}

static LLVMValueRef read_operand(struct builder *builder, char letter, unsigned index)
{
    struct emitter *emitter = &builder->emitter;
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    LLVMValueRef place = word_at(builder, builder->in, index);
    LLVMValueRef word = LLVMBuildLoad2(emitter->builder, i64, place, "");
    static const char letters[] = "bhil";
    static const unsigned widths[] = {1, 16, 32, 64};
    const char *integer = strchr(letters, letter);
    if (letter == 'p')
        return LLVMBuildIntToPtr(emitter->builder, word, pointer_type(builder), "");
    if (letter == 's')
        return emit_address(
            emitter, nv_emit(emitter, builder->column, NV_SHARED_BASE, NULL, NULL), word, 1);
    unsigned width = integer ? widths[integer - letters] : 32;
    word = LLVMBuildTruncOrBitCast(emitter->builder, word, emit_integer_type(emitter, width), "");
    return integer ? word : LLVMBuildBitCast(emitter->builder, word, emit_float_type(emitter), "");
}

static void write_result(struct builder *builder, LLVMValueRef value, unsigned index)
{
    struct emitter *emitter = &builder->emitter;
    LLVMTypeRef type = LLVMTypeOf(value), i64 = emit_integer_type(emitter, 64);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(emitter->builder, value, i64, "");
    else if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
        value = LLVMBuildBitCast(emitter->builder, value, emit_integer_type(emitter, 32), "");
    value = LLVMBuildZExtOrBitCast(emitter->builder, value, i64, "");
    LLVMBuildStore(emitter->builder, value, word_at(builder, builder->out, index));
}

static void write_results(struct builder *builder, LLVMValueRef result)
{
    if (!result)
        return;
    if (LLVMGetTypeKind(LLVMTypeOf(result)) != LLVMStructTypeKind) {
        write_result(builder, result, 0);
        return;
    }
    unsigned count = LLVMCountStructElementTypes(LLVMTypeOf(result));
    for (unsigned i = 0; i < count; i++)
        write_result(builder, LLVMBuildExtractValue(builder->emitter.builder, result, i, ""), i);
}

/* Accesses to global memory want to know which memory they go to. */
static const char *modifiers_of(const char *operands)
{
    return strchr(operands, 'p') ? ".global" : NULL;
}

static const char *operands_of(const char *signature)
{
    const char *end = strchr(signature, '}');
    return end ? end + 1 : signature + 1;
}

void nv_op_add_kernel(arena *arena, LLVMContextRef context, LLVMModuleRef module,
    enum nv_column column, enum nv_op op)
{
    struct builder builder = {
        .emitter = {.arena = arena,
            .device = &devices[column],
            .context = context,
            .module = module,
            .builder = LLVMCreateBuilderInContext(context)},
        .column = column,
    };
    make_function(&builder, ops[op].name);
    builder.out = words_of_thread(&builder, 0, NV_MAX_RESULTS);
    builder.in = words_of_thread(&builder, 1, NV_MAX_OPERANDS);
    const char *operands = operands_of(ops[op].signature);
    LLVMValueRef values[NV_MAX_OPERANDS];
    for (unsigned i = 0; operands[i]; i++)
        values[i] = op == NV_CP_ASYNC_WAIT ? emit_i32(&builder.emitter, 0)
                                           : read_operand(&builder, operands[i], i);
    write_results(&builder, nv_emit(&builder.emitter, column, op, modifiers_of(operands), values));
    LLVMBuildRetVoid(builder.emitter.builder);
    LLVMDisposeBuilder(builder.emitter.builder);
}
