/* See loops.h. The innermost loop is cut into chunks where masks can be asked about:
 *
 *     outer loops:
 *         all true within this chunk?     chunk without masks
 *         all false?                      nothing
 *         else                            chunk with masks
 */
#include "codegen/cpu/loops.h"

#include "codegen/cpu/algebra.h"

enum { CHUNK_BITS = 6 };

struct cpu_loops cpu_loops_over(const struct layout_shape *shape)
{
    struct cpu_loops loops = {.shape = *shape, .rank = shape->rank};
    for (unsigned i = 0; i < shape->rank; i++)
        loops.step[i].dimension = i;
    return loops;
}

/* ---- One way --------------------------------------------------------------------------------- */

struct work {
    struct cpu_kernel *kernel;
    const struct cpu_version *version;
    const struct cpu_loops *loops;
    cpu_leaf *leaf;
    void *user;
    unsigned innermost, chunk_bits;
    struct cpu_nest outer; /* all loops, the innermost one counting chunks */
};

static struct emitter *emitter_of(const struct work *work)
{
    return &work->kernel->lowering.emitter;
}

static LLVMValueRef scale(struct emitter *emitter, LLVMValueRef number, unsigned bits)
{
    return algebra_multiply(emitter, number, emit_i64(emitter, UINT64_C(1) << bits));
}

/* The turn of each loop at turn `within` of a chunk (NULL: 0). */
static void find_turns(const struct work *work, LLVMValueRef within, LLVMValueRef *turn)
{
    struct emitter *emitter = emitter_of(work);
    for (unsigned i = 0; i < work->loops->shape.rank; i++)
        turn[i] = work->outer.index[i];
    LLVMValueRef *last = &turn[work->innermost];
    if (work->loops->shape.rank > 0)
        *last = algebra_value(
            emitter, algebra_add(emitter, scale(emitter, *last, work->chunk_bits), within));
}

static void find_index(const struct work *work, const LLVMValueRef *turn, LLVMValueRef *index)
{
    struct emitter *emitter = emitter_of(work);
    const struct cpu_loops *loops = work->loops;
    for (unsigned i = 0; i < loops->rank; i++)
        index[i] = loops->start[i];
    for (unsigned i = 0; i < loops->shape.rank; i++) {
        LLVMValueRef *place = &index[loops->step[i].dimension];
        *place = algebra_add(emitter, *place, scale(emitter, turn[i], loops->step[i].shift));
    }
    for (unsigned i = 0; i < loops->rank; i++)
        index[i] = algebra_value(emitter, index[i]);
}

static bool emit_chunk(struct work *work, const struct cpu_version *version)
{
    struct layout_shape shape = {.rank = 1, .bits = {(uint8_t)work->chunk_bits}};
    LLVMValueRef turn[LAYOUT_MAX_RANK], index[LAYOUT_MAX_RANK];
    struct cpu_nest nest;
    struct cpu_pull pull;
    cpu_nest_begin(work->kernel, &shape, &nest);
    find_turns(work, nest.index[0], turn);
    find_index(work, turn, index);
    struct cpu_view *view =
        cpu_pull_begin_at(work->kernel, &nest, version, work->loops->rank, index, &pull);
    if (!work->leaf(&pull, view, turn, work->user))
        return false;
    cpu_nest_end(work->kernel, &nest);
    return true;
}

/* ---- Ways for chunks ------------------------------------------------------------------------- */

/* i1: all masks of the version are true in this chunk; NULL: that is not known. */
static LLVMValueRef all_true(const struct work *work, const struct cpu_range *range)
{
    const struct cpu_masks *masks = work->version->masks;
    LLVMValueRef result = NULL;
    for (size_t i = 0; i < masks->count; i++) {
        LLVMValueRef is_true = cpu_true_within(masks->session, masks->list[i], range);
        if (!is_true)
            return NULL;
        result = algebra_and(emitter_of(work), result, is_true);
    }
    return result;
}

static LLVMValueRef all_false(const struct work *work, const struct cpu_range *range)
{
    MlirValue mask = work->loops->skipped_by;
    return mlirValueIsNull(mask) ? NULL
                                 : cpu_false_within(work->version->masks->session, mask, range);
}

static bool emit_masked_chunk(
    struct work *work, const struct cpu_range *range, LLVMBasicBlockRef after)
{
    struct emitter *emitter = emitter_of(work);
    LLVMValueRef is_empty = all_false(work, range);
    if (is_empty) {
        LLVMBasicBlockRef some = emit_new_block(emitter, "");
        LLVMBuildCondBr(emitter->builder, is_empty, after, some);
        emit_at_end_of(emitter, some);
    }
    return emit_chunk(work, work->version);
}

static bool emit_chunk_ways(struct work *work)
{
    struct emitter *emitter = emitter_of(work);
    LLVMValueRef turn[LAYOUT_MAX_RANK];
    struct cpu_range range = {
        .dimension = work->loops->step[work->innermost].dimension, .bits = work->chunk_bits};
    find_turns(work, NULL, turn);
    find_index(work, turn, range.first);
    LLVMValueRef is_full = all_true(work, &range);
    if (!is_full)
        return emit_chunk(work, work->version);
    struct cpu_version unmasked = *work->version;
    unmasked.unmasked = true;
    LLVMBasicBlockRef full = emit_new_block(emitter, ""), partial = emit_new_block(emitter, "");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, is_full, full, partial);
    emit_at_end_of(emitter, full);
    if (!emit_chunk(work, &unmasked))
        return false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, partial);
    if (!emit_masked_chunk(work, &range, after))
        return false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, after);
    return true;
}

bool cpu_loops_emit(struct cpu_kernel *kernel, const struct cpu_version *version,
    const struct cpu_loops *loops, cpu_leaf *leaf, void *user)
{
    struct work work = {
        .kernel = kernel, .version = version, .loops = loops, .leaf = leaf, .user = user};
    struct layout_shape outer = loops->shape;
    for (unsigned i = 0; i < outer.rank; i++)
        if (outer.bits[i] > 0)
            work.innermost = i;
    bool has_ways = version->asks && !version->unmasked && outer.rank > 0 &&
                    loops->step[work.innermost].shift == 0;
    if (outer.rank > 0) {
        unsigned bits = outer.bits[work.innermost];
        work.chunk_bits = has_ways && bits > CHUNK_BITS ? CHUNK_BITS : bits;
        outer.bits[work.innermost] = (uint8_t)(bits - work.chunk_bits);
    }
    cpu_nest_begin(kernel, &outer, &work.outer);
    work.outer.is_ordered = true; /* the innermost loop is a nest of its own */
    if (!(has_ways ? emit_chunk_ways(&work) : emit_chunk(&work, version)))
        return false;
    cpu_nest_end(kernel, &work.outer);
    return true;
}
