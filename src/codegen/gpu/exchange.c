/* Rearranging tiles: any operation that only says where each element comes from, within a thread,
 * between the lanes of a warp, or through shared memory. */
#include "codegen/gpu/gpu.h"

#include "analysis/bit_span.h"
#include "analysis/layout_exchange.h"
#include "analysis/rearrangement.h"
#include "codegen/gpu/bits.h"
#include "codegen/gpu/shared.h"

enum { LANE_BITS = 5, WARP_BITS = 5 };

/* ---- Shuffles -------------------------------------------------------------------------------- */

static LLVMValueRef shuffle_word(
    struct gpu_kernel *kernel, enum nv_op op, LLVMValueRef word, LLVMValueRef lane)
{
    LLVMValueRef operands[] = {word, lane};
    return nv_emit(&kernel->lowering.emitter, kernel->options.column, op, NULL, operands);
}

LLVMValueRef gpu_shuffle(struct gpu_kernel *kernel, enum nv_op op, MlirType element,
    LLVMValueRef value, LLVMValueRef lane)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef word = emit_integer_type(emitter, 32);
    LLVMValueRef bits = gpu_element_to_bits(emitter, element, value);
    LLVMTypeRef type = LLVMTypeOf(bits);
    if (LLVMGetIntTypeWidth(type) <= 32) {
        bits = shuffle_word(kernel, op, LLVMBuildZExtOrBitCast(builder, bits, word, ""), lane);
        bits = LLVMBuildTruncOrBitCast(builder, bits, type, "");
        return gpu_element_from_bits(emitter, element, bits);
    }
    LLVMTypeRef words = LLVMVectorType(word, 2);
    LLVMValueRef halves = LLVMBuildBitCast(builder, bits, words, "");
    for (uint32_t i = 0; i < 2; i++) {
        LLVMValueRef index = emit_i32(emitter, i);
        LLVMValueRef half = LLVMBuildExtractElement(builder, halves, index, "");
        half = shuffle_word(kernel, op, half, lane);
        halves = LLVMBuildInsertElement(builder, halves, half, index, "");
    }
    return gpu_element_from_bits(emitter, element, LLVMBuildBitCast(builder, halves, type, ""));
}

/* What a thread makes of its own lane and warp: which source register, and which lane. */
struct shuffle {
    struct gpu_kernel *kernel;
    const struct exchange_source *source;
    MlirType element;
    LLVMValueRef registers, lane;
    bool lanes_stay;                   /* the source's lane is this one but for a constant */
    uint32_t choices[1u << LANE_BITS]; /* exclusive-ored to the register */
    unsigned choice_count;
};

static LLVMValueRef thread_map(
    struct gpu_kernel *kernel, const uint32_t columns[LAYOUT_DIMENSION_COUNT][LAYOUT_MAX_BITS])
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef lane = gpu_apply_columns(emitter, columns[LAYOUT_LANE], LANE_BITS, kernel->lane);
    LLVMValueRef warp = gpu_apply_columns(emitter, columns[LAYOUT_WARP], WARP_BITS, kernel->warp);
    return LLVMBuildXor(emitter->builder, lane, warp, "");
}

static bool lanes_stay(const struct exchange_source *source)
{
    for (unsigned i = 0; i < LANE_BITS; i++)
        if (source->lane_of[LAYOUT_LANE][i] != 1u << i)
            return false;
    for (unsigned i = 0; i < WARP_BITS; i++)
        if (source->lane_of[LAYOUT_WARP][i] != 0)
            return false;
    return true;
}

/* All registers that the lanes of all warps may ask for in place of register 0. */
static void list_choices(struct shuffle *shuffle)
{
    struct bit_span span = {0};
    shuffle->choices[0] = 0;
    shuffle->choice_count = 1;
    for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++) {
        for (unsigned i = 0; i < LANE_BITS; i++) {
            uint32_t column = shuffle->source->register_of[in][i];
            if (!bit_span_add(&span, column, 0))
                continue;
            for (unsigned c = 0; c < shuffle->choice_count; c++)
                shuffle->choices[shuffle->choice_count + c] = shuffle->choices[c] ^ column;
            shuffle->choice_count *= 2;
        }
    }
}

static LLVMValueRef shuffled(struct shuffle *shuffle, LLVMValueRef value, uint32_t lane_change)
{
    struct emitter *emitter = &shuffle->kernel->lowering.emitter;
    LLVMValueRef change = emit_i32(emitter, lane_change);
    if (!shuffle->lanes_stay) {
        LLVMValueRef lane = LLVMBuildXor(emitter->builder, shuffle->lane, change, "");
        return gpu_shuffle(shuffle->kernel, NV_SHUFFLE_IDX, shuffle->element, value, lane);
    }
    if (lane_change == 0)
        return value;
    return gpu_shuffle(shuffle->kernel, NV_SHUFFLE_XOR, shuffle->element, value, change);
}

static LLVMValueRef shuffle_register(
    struct shuffle *shuffle, const struct lowered *elements, uint32_t register_index)
{
    struct emitter *emitter = &shuffle->kernel->lowering.emitter;
    const struct exchange_source *source = shuffle->source;
    uint32_t from = bit_combine(source->register_of[LAYOUT_REGISTER], register_index);
    uint32_t change = bit_combine(source->lane_of[LAYOUT_REGISTER], register_index);
    LLVMValueRef result = NULL;
    for (unsigned i = 0; i < shuffle->choice_count; i++) {
        uint32_t choice = shuffle->choices[i];
        LLVMValueRef value = shuffled(shuffle, elements->elements[from ^ choice], change);
        if (!result) {
            result = value;
            continue;
        }
        LLVMValueRef is_it = LLVMBuildICmp(
            emitter->builder, LLVMIntEQ, shuffle->registers, emit_i32(emitter, choice), "");
        result = LLVMBuildSelect(emitter->builder, is_it, value, result, "");
    }
    return result;
}

static struct lowered *exchange_by_shuffles(struct gpu_kernel *kernel, MlirType element,
    const struct exchange_source *source, const struct lowered *elements, unsigned count)
{
    struct shuffle shuffle = {
        .kernel = kernel,
        .source = source,
        .element = element,
        .registers = thread_map(kernel, source->register_of),
        .lane = thread_map(kernel, source->lane_of),
        .lanes_stay = lanes_stay(source),
    };
    list_choices(&shuffle);
    struct lowered *result = lowering_allocate(&kernel->lowering, count);
    for (uint32_t i = 0; i < count; i++)
        result->elements[i] = shuffle_register(&shuffle, elements, i);
    return result;
}

/* ---- Through shared memory ------------------------------------------------------------------- */

LLVMValueRef gpu_shared_pointer(struct gpu_kernel *kernel, unsigned offset)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    return emit_address(emitter, kernel->shared_base, emit_i32(emitter, offset), 1);
}

/* In each round but the first, all must have read what the round before has left. */
static struct lowered *exchange_by_memory(struct gpu_kernel *kernel,
    const struct shared_buffer *buffer, MlirType element, const struct exchange *plan,
    const struct rearrangement *rearrangement, const struct lowered *elements)
{
    LLVMValueRef base = gpu_shared_pointer(kernel, buffer->offset);
    struct gpu_shared_view from =
        gpu_shared_view(kernel, &plan->memory, &rearrangement->from, element, base);
    struct gpu_shared_view to =
        gpu_shared_view(kernel, &plan->memory, &rearrangement->to, element, base);
    struct lowered *result =
        lowering_allocate(&kernel->lowering, layout_register_count(&rearrangement->to));
    for (uint32_t i = 0; i < 1u << plan->memory.round_bits; i++) {
        uint32_t round = i * plan->bytes;
        if (round > 0)
            gpu_barrier(kernel);
        gpu_shared_write(kernel, &from, round, elements);
        gpu_barrier(kernel);
        gpu_shared_read(kernel, &to, round, result);
    }
    return result;
}

/* ---- Rearrangements -------------------------------------------------------------------------- */

bool gpu_lower_rearrange(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    struct rearrangement rearrangement;
    if (!rearrangement_of(op, &rearrangement))
        return ir_error_not_built(op, "on a tile of this layout");
    MlirType element = ir_element_type(mlirValueGetType(result));
    if (!emit_memory_type(&lowering->emitter, element))
        return ir_error_not_built(op, "of this element type");
    const struct shared_buffer *buffer = shared_memory_of(kernel->shared, op);
    struct exchange plan = exchange_plan(&rearrangement.from, &rearrangement.to,
        emit_memory_size(element), buffer ? buffer->bytes : 0);
    const struct lowered *elements = lowering_get(lowering, mlirOperationGetOperand(op, 0));
    lowering_set(lowering, result,
        buffer ? exchange_by_memory(kernel, buffer, element, &plan, &rearrangement, elements)
               : exchange_by_shuffles(kernel, element, &plan.source, elements,
                     layout_register_count(&rearrangement.to)));
    return true;
}
