/* See access.h. */
#include "codegen/gpu/access.h"

#include "analysis/access_width.h"
#include "analysis/layout_encoding.h"
#include "codegen/gpu/bits.h"

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

void access_shorten(const struct emitter *emitter, struct access *access, unsigned run)
{
    if (run >= access->run)
        return;
    access->run = run;
    choose_words(emitter, access);
}

bool access_describe(struct gpu_kernel *kernel, MlirOperation op, struct access *out_access)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    bool is_load = op_id_of(op) != OP_TT_STORE;
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

/* Several words are the elements of a vector; one is an integer, and a lone byte travels in two. */
void access_to_words(struct emitter *emitter, const struct access *access,
    const LLVMValueRef *elements, LLVMValueRef *words)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef packed = gpu_pack(emitter, access->ir.element, elements, 1U << access->run);
    if (access->word_count == 1) {
        words[0] = LLVMBuildZExtOrBitCast(builder, packed, access->word, "");
        return;
    }
    LLVMTypeRef vector = LLVMVectorType(access->word, access->word_count);
    packed = LLVMBuildBitCast(builder, packed, vector, "");
    for (unsigned i = 0; i < access->word_count; i++)
        words[i] = LLVMBuildExtractElement(builder, packed, emit_i32(emitter, i), "");
}

void access_from_words(struct emitter *emitter, const struct access *access,
    const LLVMValueRef *words, LLVMValueRef *elements)
{
    LLVMBuilderRef builder = emitter->builder;
    unsigned bytes = emit_memory_size(access->ir.element) << access->run;
    LLVMTypeRef type = gpu_packed_type(emitter, bytes);
    LLVMValueRef packed;
    if (access->word_count == 1) {
        packed = LLVMBuildTruncOrBitCast(builder, words[0], type, "");
    } else {
        packed = LLVMGetPoison(LLVMVectorType(access->word, access->word_count));
        for (unsigned i = 0; i < access->word_count; i++)
            packed = LLVMBuildInsertElement(builder, packed, words[i], emit_i32(emitter, i), "");
        packed = LLVMBuildBitCast(builder, packed, type, "");
    }
    gpu_unpack(emitter, access->ir.element, packed, elements, 1U << access->run);
}
