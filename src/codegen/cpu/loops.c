/* See loops.h. The innermost loop is cut into chunks where masks can be asked about. The loop
 * around the chunks begins with those that are full, which are all but the last one in most
 * programs, and goes on with what is left:
 *
 *     outer loops:
 *         chunks, while all masks are true:   without masks
 *         chunks, from there on:
 *             all masks false?                nothing, or what becomes of it without loads
 *             else                            with masks
 *
 * So the first loop has one way through it, and keeps in registers what it sums up. A chunk without
 * loads has the same element everywhere more often than not, which LLVM then computes once.
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
    unsigned around;       /* with ways: the innermost loop of those, which is none of the nest */
    uint64_t turns;        /* of it */
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

typedef LLVMValueRef question(
    struct cpu_affine_session *session, MlirValue mask, const struct cpu_range *range);

/* i1: the answer is yes for all masks of the version in this chunk; NULL: that is not known. */
static LLVMValueRef ask_all(
    const struct work *work, const struct cpu_range *range, question *question)
{
    const struct cpu_masks *masks = work->version->masks;
    LLVMValueRef result = NULL;
    for (size_t i = 0; i < masks->count; i++) {
        LLVMValueRef answer = question(masks->session, masks->list[i], range);
        if (!answer)
            return NULL;
        result = algebra_and(emitter_of(work), result, answer);
    }
    return result;
}

static bool emit_chunk_where(struct work *work, enum cpu_masks_state state)
{
    struct cpu_version version = *work->version;
    version.state = state;
    return emit_chunk(work, &version);
}

/* do body(index) while (the condition of end_count), the index being the turn of the loop around
 * the chunks. */
struct count {
    LLVMBasicBlockRef head;
    LLVMValueRef index;
};

static struct count begin_count(struct work *work, LLVMValueRef first)
{
    struct emitter *emitter = emitter_of(work);
    LLVMBasicBlockRef before = emit_current_block(emitter);
    struct count count = {.head = emit_new_block(emitter, "chunks")};
    LLVMBuildBr(emitter->builder, count.head);
    emit_at_end_of(emitter, count.head);
    count.index = LLVMBuildPhi(emitter->builder, emit_integer_type(emitter, 64), "");
    LLVMAddIncoming(count.index, &first, &before, 1);
    work->outer.index[work->around] = count.index;
    return count;
}

/* The turn after this one becomes the loop's. */
static LLVMValueRef advance(struct work *work, const struct count *count)
{
    struct emitter *emitter = emitter_of(work);
    LLVMValueRef one = emit_i64(emitter, 1);
    LLVMValueRef next = LLVMBuildNUWAdd(emitter->builder, count->index, one, "");
    work->outer.index[work->around] = next;
    return next;
}

static LLVMValueRef is_within(struct work *work, LLVMValueRef turn)
{
    struct emitter *emitter = emitter_of(work);
    LLVMValueRef turns = emit_i64(emitter, work->turns);
    return LLVMBuildICmp(emitter->builder, LLVMIntNE, turn, turns, "");
}

static void end_count(struct work *work, const struct count *count, LLVMValueRef next,
    LLVMValueRef goes_on, LLVMBasicBlockRef after)
{
    struct emitter *emitter = emitter_of(work);
    LLVMBasicBlockRef last = emit_current_block(emitter);
    LLVMAddIncoming(count->index, &next, &last, 1);
    LLVMValueRef branch = LLVMBuildCondBr(emitter->builder, goes_on, count->head, after);
    cpu_loop_keep(work->kernel, branch);
}

static struct cpu_range range_of_chunk(const struct work *work)
{
    struct cpu_range range = {
        .dimension = work->loops->step[work->innermost].dimension, .bits = work->chunk_bits};
    LLVMValueRef turn[LAYOUT_MAX_RANK];
    find_turns(work, NULL, turn);
    find_index(work, turn, range.first);
    return range;
}

/* i1: the chunk has no lane that is masked off, as far as can be told. */
static LLVMValueRef is_full(const struct work *work)
{
    struct cpu_range range = range_of_chunk(work);
    LLVMValueRef answer = ask_all(work, &range, cpu_true_within);
    return answer ? answer : emit_bool(emitter_of(work), false);
}

/* The full chunks at the beginning; hands back the turn of the first that is none, or the number of
 * turns. The loop tests at its end, so that LLVM sees its stores happen before each way out. */
static LLVMValueRef emit_full_chunks(struct work *work)
{
    struct emitter *emitter = emitter_of(work);
    LLVMBasicBlockRef full = emit_new_block(emitter, ""), rest = emit_new_block(emitter, "");
    LLVMValueRef none = emit_i64(emitter, 0);
    work->outer.index[work->around] = none;
    LLVMValueRef begins_full = is_full(work);
    LLVMBasicBlockRef before = emit_current_block(emitter);
    LLVMBuildCondBr(emitter->builder, begins_full, full, rest);
    emit_at_end_of(emitter, full);
    struct count count = begin_count(work, none);
    if (!emit_chunk_where(work, CPU_MASKS_TRUE))
        return NULL;
    LLVMValueRef next = advance(work, &count);
    LLVMValueRef goes_on = LLVMBuildAnd(emitter->builder, is_within(work, next), is_full(work), "");
    LLVMBasicBlockRef last = emit_current_block(emitter);
    end_count(work, &count, next, goes_on, rest);
    emit_at_end_of(emitter, rest);
    LLVMValueRef reached = LLVMBuildPhi(emitter->builder, LLVMTypeOf(none), "");
    LLVMAddIncoming(reached, &none, &before, 1);
    LLVMAddIncoming(reached, &next, &last, 1);
    return reached;
}

/* A chunk of which every mask is false, if it is one, and on to `after`. */
static bool emit_empty_chunk(struct work *work, LLVMBasicBlockRef after)
{
    struct emitter *emitter = emitter_of(work);
    struct cpu_range range = range_of_chunk(work);
    MlirValue mask = work->loops->skipped_by;
    bool is_skipped = !mlirValueIsNull(mask);
    LLVMValueRef is_empty = is_skipped
                                ? cpu_false_within(work->version->masks->session, mask, &range)
                                : ask_all(work, &range, cpu_false_within);
    if (!is_empty)
        return true;
    LLVMBasicBlockRef some = emit_new_block(emitter, "");
    LLVMBasicBlockRef none = is_skipped ? after : emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, is_empty, none, some);
    if (!is_skipped) {
        emit_at_end_of(emitter, none);
        if (!emit_chunk_where(work, CPU_MASKS_FALSE))
            return false;
        LLVMBuildBr(emitter->builder, after);
    }
    emit_at_end_of(emitter, some);
    return true;
}

static bool emit_ways(struct work *work)
{
    struct emitter *emitter = emitter_of(work);
    LLVMValueRef first = emit_full_chunks(work);
    if (!first)
        return false;
    LLVMBasicBlockRef some = emit_new_block(emitter, ""), turned = emit_new_block(emitter, "");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, is_within(work, first), some, after);
    emit_at_end_of(emitter, some);
    struct count count = begin_count(work, first);
    if (!emit_empty_chunk(work, turned) || !emit_chunk(work, work->version))
        return false;
    LLVMBuildBr(emitter->builder, turned);
    emit_at_end_of(emitter, turned);
    LLVMValueRef next = advance(work, &count);
    end_count(work, &count, next, is_within(work, next), after);
    emit_at_end_of(emitter, after);
    return true;
}

/* The innermost loop of those with more than one turn. */
static unsigned innermost_loop(const struct layout_shape *shape)
{
    unsigned last = 0;
    for (unsigned i = 0; i < shape->rank; i++)
        if (shape->bits[i] > 0)
            last = i;
    return last;
}

bool cpu_loops_emit(struct cpu_kernel *kernel, const struct cpu_version *version,
    const struct cpu_loops *loops, cpu_leaf *leaf, void *user)
{
    struct work work = {
        .kernel = kernel, .version = version, .loops = loops, .leaf = leaf, .user = user};
    struct layout_shape outer = loops->shape;
    work.innermost = innermost_loop(&outer);
    bool has_ways = version->asks && version->state == CPU_MASKS_UNKNOWN && outer.rank > 0 &&
                    loops->step[work.innermost].shift == 0;
    if (outer.rank > 0) {
        unsigned bits = outer.bits[work.innermost];
        work.chunk_bits = has_ways && bits > CHUNK_BITS ? CHUNK_BITS : bits;
        outer.bits[work.innermost] = (uint8_t)(bits - work.chunk_bits);
    }
    if (has_ways) {
        work.around = innermost_loop(&outer);
        work.turns = UINT64_C(1) << outer.bits[work.around];
        outer.bits[work.around] = 0;
    }
    cpu_nest_begin(kernel, &outer, &work.outer);
    work.outer.is_ordered = true; /* the innermost loop is a nest of its own */
    if (!(has_ways ? emit_ways(&work) : emit_chunk(&work, version)))
        return false;
    cpu_nest_end(kernel, &work.outer);
    return true;
}
