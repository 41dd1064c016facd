/* See access.h. */
#include "codegen/gpu/access.h"

#include "analysis/access_width.h"
#include "analysis/layout_encoding.h"

/* ---- Modifiers ------------------------------------------------------------------------------- */

/* Eviction hints came with PTX 7.4, and do not go with a cache operator. They change no result. */
static const char *modifiers_of(const struct gpu_kernel *kernel, const struct memory_access *access)
{
    static const char *const cache[] = {[TT_CACHE_CA] = ".global.ca",
        [TT_CACHE_CG] = ".global.cg",
        [TT_CACHE_WB] = ".global.wb",
        [TT_CACHE_CS] = ".global.cs",
        [TT_CACHE_WT] = ".global.wt",
        [TT_CACHE_CV] = ".global.cv"};
    if (access->is_volatile)
        return ".volatile.global";
    if (access->cache > TT_CACHE_NONE && access->cache <= TT_CACHE_CV)
        return cache[access->cache];
    if (kernel->options.ptx_version >= 74 && access->evict == TT_EVICT_FIRST)
        return ".global.L1::evict_first";
    if (kernel->options.ptx_version >= 74 && access->evict == TT_EVICT_LAST)
        return ".global.L1::evict_last";
    return ".global";
}

/* ld knows ca, cg, cs, cv; st knows wb, cg, cs, wt. */
static bool cache_fits(int64_t cache, bool is_load)
{
    if (cache == TT_CACHE_CA || cache == TT_CACHE_CV)
        return is_load;
    if (cache == TT_CACHE_WB || cache == TT_CACHE_WT)
        return !is_load;
    return true;
}

/* ---- Width ----------------------------------------------------------------------------------- */

/* A scalar is one element. */
static unsigned run_of(
    const struct gpu_kernel *kernel, MlirOperation op, const struct memory_access *ir)
{
    struct linear_layout layout;
    MlirType type = mlirValueGetType(ir->pointer);
    if (!ir_is_tile(type) || !gpu_layout(op, type, &layout))
        return 0;
    struct axis_facts pointers = axis_info_get(kernel->axes, ir->pointer), mask;
    bool is_masked = !mlirValueIsNull(ir->mask);
    if (is_masked)
        mask = axis_info_get(kernel->axes, ir->mask);
    return access_width_of(&pointers, is_masked ? &mask : NULL, &layout).run;
}

/* Up to 4 bytes are one word, and so are 8 that are one element; more are words of 4 bytes. */
static void choose_words(const struct emitter *emitter, struct access *access)
{
    enum { TWO_WORDS = 4, FOUR_WORDS = 5 };
    unsigned bytes = emit_memory_size(access->ir.element) << access->run;
    bool is_one = bytes <= 4 || access->run == 0;
    access->word_count = is_one ? 1 : bytes / 4;
    access->word = emit_integer_type(emitter, is_one ? (bytes < 2 ? 16 : bytes * 8) : 32);
    access->size_index = (unsigned)__builtin_ctz(bytes);
    if (!is_one)
        access->size_index = access->word_count == 2 ? TWO_WORDS : FOUR_WORDS;
}

bool access_describe(struct gpu_kernel *kernel, MlirOperation op, struct access *out_access)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    bool is_load = op_id_of(op) == OP_TT_LOAD;
    struct memory_access ir = ir_memory_access(op);
    if (!emit_memory_type(emitter, ir.element))
        return ir_error_not_built(op, "of this element type");
    if (!cache_fits(ir.cache, is_load))
        return ir_error(
            op, "this cache modifier does not go with a %s", is_load ? "load" : "store");
    *out_access = (struct access){
        .ir = ir, .modifiers = modifiers_of(kernel, &ir), .run = run_of(kernel, op, &ir)};
    choose_words(emitter, out_access);
    return true;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* An element as the integer that lies in memory, and back. */
static LLVMValueRef to_integer(
    struct emitter *emitter, const struct access *access, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    value = emit_to_memory(emitter, access->ir.element, value);
    LLVMTypeRef integer = emit_integer_type(emitter, emit_memory_size(access->ir.element) * 8);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(builder, value, integer, "");
    return LLVMBuildBitCast(builder, value, integer, "");
}

static LLVMValueRef from_integer(
    struct emitter *emitter, const struct access *access, LLVMValueRef bits)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = emit_memory_type(emitter, access->ir.element);
    LLVMValueRef value = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                             ? LLVMBuildIntToPtr(builder, bits, type, "")
                             : LLVMBuildBitCast(builder, bits, type, "");
    return emit_from_memory(emitter, access->ir.element, value);
}

/* `count` values in the lowest bits first, as one vector; a single one as it is. */
static LLVMValueRef gather(struct emitter *emitter, const LLVMValueRef *values, unsigned count)
{
    if (count == 1)
        return values[0];
    LLVMValueRef vector = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(values[0]), count));
    for (unsigned i = 0; i < count; i++)
        vector =
            LLVMBuildInsertElement(emitter->builder, vector, values[i], emit_i32(emitter, i), "");
    return vector;
}

static void scatter(
    struct emitter *emitter, LLVMValueRef vector, unsigned count, LLVMValueRef *values)
{
    if (count == 1)
        values[0] = vector;
    for (unsigned i = 0; count > 1 && i < count; i++)
        values[i] = LLVMBuildExtractElement(emitter->builder, vector, emit_i32(emitter, i), "");
}

/* `from_count` integers as `to_count` integers of type `to`, the same bits in all. */
static void repack(struct emitter *emitter, const LLVMValueRef *from, unsigned from_count,
    LLVMTypeRef to, LLVMValueRef *values, unsigned to_count)
{
    bool joins = from_count > to_count;
    unsigned inputs = joins ? from_count / to_count : 1;
    unsigned outputs = joins ? 1 : to_count / from_count;
    LLVMTypeRef type = outputs > 1 ? LLVMVectorType(to, outputs) : to;
    for (; from_count >= inputs; from_count -= inputs, from += inputs, values += outputs) {
        LLVMValueRef bits = gather(emitter, from, inputs);
        bits = LLVMBuildBitCast(emitter->builder, bits, type, "");
        scatter(emitter, bits, outputs, values);
    }
}

/* One byte travels in a register of two. */
static bool is_lone_byte(const struct access *access)
{
    return access->run == 0 && emit_memory_size(access->ir.element) == 1;
}

void access_to_words(struct emitter *emitter, const struct access *access,
    const LLVMValueRef *elements, LLVMValueRef *words)
{
    LLVMValueRef integers[ACCESS_MOST_ELEMENTS] = {0};
    for (unsigned i = 0; i < 1U << access->run; i++)
        integers[i] = to_integer(emitter, access, elements[i]);
    if (is_lone_byte(access))
        words[0] = LLVMBuildZExt(emitter->builder, integers[0], access->word, "");
    else
        repack(emitter, integers, 1U << access->run, access->word, words, access->word_count);
}

void access_from_words(struct emitter *emitter, const struct access *access,
    const LLVMValueRef *words, LLVMValueRef *elements)
{
    LLVMValueRef integers[ACCESS_MOST_ELEMENTS] = {0};
    LLVMTypeRef type = emit_integer_type(emitter, emit_memory_size(access->ir.element) * 8);
    if (is_lone_byte(access))
        integers[0] = LLVMBuildTrunc(emitter->builder, words[0], type, "");
    else
        repack(emitter, words, access->word_count, type, integers, 1U << access->run);
    for (unsigned i = 0; i < 1U << access->run; i++)
        elements[i] = from_integer(emitter, access, integers[i]);
}
