/* tt.reduce: each thread's registers first, then the lanes of each warp, by shuffles; then, where
 * elements of one result lie in several warps, one trip through shared memory (reduction.h).
 *
 * The order of combining is the same in every thread that gets a result, so all of them get the
 * same bits, whatever the combination is. */
#include "codegen/gpu/gpu.h"

#include "analysis/bit_span.h"
#include "analysis/layout_encoding.h"
#include "analysis/reduction.h"
#include "codegen/gpu/bits.h"
#include "codegen/gpu/shared.h"

enum { MOST_TILES = 8, LANE_BITS = 5 };

struct reduce {
    struct gpu_kernel *kernel;
    MlirOperation op;
    struct reduction plan;
    bool is_symmetric;
    unsigned tile_count, result_count; /* tiles reduced at once; registers of each result */
    MlirType element[MOST_TILES];
    struct lowered *partial[MOST_TILES]; /* result_count values each */
};

static struct emitter *emitter_of(const struct reduce *reduce)
{
    return &reduce->kernel->lowering.emitter;
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Spreads the bits of `number` over the bits that are set in `mask`. */
static uint32_t spread(uint32_t number, uint32_t mask)
{
    uint32_t result = 0;
    for (; mask; mask &= mask - 1, number >>= 1)
        if (number & 1)
            result |= mask & -mask;
    return result;
}

/* values[0] = the combination of all `count`, a power of two; pairs first, so that chains of
 * operations stay short. values[i] has one value a tile. */
static bool combine_all(struct reduce *reduce, LLVMValueRef (*values)[MOST_TILES], unsigned count)
{
    for (unsigned step = 1; step < count; step *= 2)
        for (unsigned i = 0; i < count; i += 2 * step)
            if (!gpu_combine(reduce->kernel, reduce->op, values[i], values[i + step], values[i]))
                return false;
    return true;
}

/* The registers that the result's layout keeps: all but those along the axis, and those that only
 * repeat others. */
static uint32_t kept_registers(const struct reduction *plan)
{
    const struct layout_axis *registers = &plan->source.in[LAYOUT_REGISTER];
    uint32_t kept = 0;
    for (unsigned i = 0; i < registers->count; i++)
        if (registers->basis[i] != 0 && !(plan->along[LAYOUT_REGISTER] >> i & 1))
            kept |= 1u << i;
    return kept;
}

static bool reduce_registers(struct reduce *reduce)
{
    struct lowering *lowering = &reduce->kernel->lowering;
    uint32_t along = reduce->plan.along[LAYOUT_REGISTER], kept = kept_registers(&reduce->plan);
    unsigned count = 1u << __builtin_popcount(along);
    LLVMValueRef(*values)[MOST_TILES] =
        arena_allocate(lowering->emitter.arena, count * sizeof *values);
    for (unsigned r = 0; r < reduce->result_count; r++) {
        for (unsigned i = 0; i < count; i++)
            for (unsigned t = 0; t < reduce->tile_count; t++)
                values[i][t] = lowering_get(lowering, mlirOperationGetOperand(reduce->op, t))
                                   ->elements[spread(r, kept) | spread(i, along)];
        if (!combine_all(reduce, values, count))
            return false;
        for (unsigned t = 0; t < reduce->tile_count; t++)
            reduce->partial[t]->elements[r] = values[0][t];
    }
    return true;
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

/* Combines with the lane whose number differs in one bit. Where the order of the two matters, the
 * lane with the lower number comes first in both. */
static bool combine_lanes(struct reduce *reduce, unsigned bit, LLVMValueRef *values)
{
    struct emitter *emitter = emitter_of(reduce);
    LLVMValueRef change = emit_i32(emitter, 1u << bit);
    LLVMValueRef others[MOST_TILES], first[MOST_TILES], second[MOST_TILES];
    LLVMValueRef is_second = NULL;
    if (!reduce->is_symmetric) {
        LLVMValueRef own = LLVMBuildAnd(emitter->builder, reduce->kernel->lane, change, "");
        is_second = LLVMBuildICmp(emitter->builder, LLVMIntNE, own, emit_i32(emitter, 0), "");
    }
    for (unsigned t = 0; t < reduce->tile_count; t++) {
        others[t] =
            gpu_shuffle(reduce->kernel, NV_SHUFFLE_XOR, reduce->element[t], values[t], change);
        first[t] = values[t];
        second[t] = others[t];
        if (!is_second)
            continue;
        first[t] = LLVMBuildSelect(emitter->builder, is_second, others[t], values[t], "");
        second[t] = LLVMBuildSelect(emitter->builder, is_second, values[t], others[t], "");
    }
    return gpu_combine(reduce->kernel, reduce->op, first, second, values);
}

static bool combine_lane_set(struct reduce *reduce, uint32_t lanes, LLVMValueRef *values)
{
    for (unsigned bit = 0; bit < LANE_BITS; bit++)
        if ((lanes >> bit & 1) && !combine_lanes(reduce, bit, values))
            return false;
    return true;
}

static void get_partials(const struct reduce *reduce, unsigned r, LLVMValueRef *values)
{
    for (unsigned t = 0; t < reduce->tile_count; t++)
        values[t] = reduce->partial[t]->elements[r];
}

static void set_partials(struct reduce *reduce, unsigned r, const LLVMValueRef *values)
{
    for (unsigned t = 0; t < reduce->tile_count; t++)
        reduce->partial[t]->elements[r] = values[t];
}

static bool reduce_lanes(struct reduce *reduce)
{
    for (unsigned r = 0; r < reduce->result_count; r++) {
        LLVMValueRef values[MOST_TILES];
        get_partials(reduce, r, values);
        if (!combine_lane_set(reduce, reduce->plan.along[LAYOUT_LANE], values))
            return false;
        set_partials(reduce, r, values);
    }
    return true;
}

/* ---- Warps ----------------------------------------------------------------------------------- */

/* How threads share the reading: with few partials each thread reads all of an element's; with
 * more, lanes that hold the same elements read some each, and combine by shuffles. */
struct reading {
    uint32_t lanes;         /* bits of the lane that choose among the partials */
    unsigned lane_bits;     /* how many */
    unsigned register_bits; /* log2 of the partials that each thread reads */
};

static struct reading choose_reading(const struct reduction *plan)
{
    enum { FEW_BITS = 2 };
    struct reading reading = {0, 0, plan->warp_bits};
    uint32_t lanes = plan->along[LAYOUT_LANE];
    for (; reading.register_bits > 0 && plan->warp_bits > FEW_BITS && lanes; lanes &= lanes - 1) {
        reading.lanes |= lanes & -lanes;
        reading.lane_bits++;
        reading.register_bits--;
    }
    return reading;
}

/* The number of this thread's partial among those of an element, from the bits of its warp. */
static LLVMValueRef gather_bits(
    struct emitter *emitter, LLVMValueRef index, uint32_t mask, unsigned first_bit)
{
    uint32_t columns[LAYOUT_MAX_BITS] = {0};
    unsigned next = first_bit;
    for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++)
        if (mask >> i & 1)
            columns[i] = 1u << next++;
    return gpu_apply_columns(emitter, columns, LAYOUT_MAX_BITS, index);
}

/* Byte offsets of the partials of the element that register r of the result holds. */
static struct linear_layout partial_layout(const struct reduce *reduce, unsigned element_bytes)
{
    uint32_t columns[LAYOUT_MAX_BITS];
    reduction_offsets(&reduce->plan, columns);
    for (unsigned i = 0; i < reduce->plan.result_bits; i++)
        columns[i] *= element_bytes;
    struct layout_shape bytes = {.rank = 1, .bits = {LAYOUT_MAX_BITS}};
    return layout_map_elements(&reduce->plan.result, columns, &bytes);
}

/* In each warp the first of the threads that hold a result writes it. */
static LLVMValueRef is_writer(const struct reduce *reduce)
{
    const struct emitter *emitter = emitter_of(reduce);
    struct layout_place free_bits = layout_free_bits(&reduce->plan.result);
    uint32_t along = reduce->plan.along[LAYOUT_WARP];
    uint32_t unknown = ~((1u << reduce->plan.result.in[LAYOUT_WARP].count) - 1);
    uint32_t warps = (free_bits.index[LAYOUT_WARP] | unknown) & ~along;
    uint32_t threads = free_bits.index[LAYOUT_LANE] | (warps & (reduce->kernel->num_warps - 1))
                                                          << 5;
    if (threads == 0)
        return NULL;
    LLVMValueRef bits =
        LLVMBuildAnd(emitter->builder, reduce->kernel->thread, emit_i32(emitter, threads), "");
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, bits, emit_i32(emitter, 0), "");
}

/* One tile's partials in shared memory, as this thread sees them. */
struct partials {
    LLVMValueRef base; /* this thread's part of the address */
    unsigned element_bytes;
    struct linear_layout layout; /* of the result's elements, in bytes */
};

static struct partials find_partials(
    const struct reduce *reduce, unsigned tile, unsigned offset, LLVMValueRef number)
{
    struct emitter *emitter = emitter_of(reduce);
    struct partials partials = {.element_bytes = emit_memory_size(reduce->element[tile])};
    partials.layout = partial_layout(reduce, partials.element_bytes);
    LLVMValueRef pointer = gpu_shared_pointer(reduce->kernel, offset);
    pointer = emit_address(emitter, pointer, gpu_thread_part(reduce->kernel, &partials.layout), 1);
    partials.base = emit_address(emitter, pointer, number, partials.element_bytes);
    return partials;
}

/* Columns of the result's layout are independent, so offsets add up. */
static LLVMValueRef partial_place(
    const struct reduce *reduce, const struct partials *partials, unsigned r)
{
    struct layout_place place = {{r, 0, 0, 0}};
    struct emitter *emitter = emitter_of(reduce);
    LLVMValueRef offset = emit_i32(emitter, layout_apply(&partials->layout, place));
    return emit_address(emitter, partials->base, offset, 1);
}

static unsigned tile_offset(const struct reduce *reduce, unsigned tile)
{
    unsigned offset = shared_memory_of(reduce->kernel->shared, reduce->op)->offset;
    for (unsigned t = 0; t < tile; t++)
        offset += reduction_bytes(&reduce->plan, emit_memory_size(reduce->element[t]));
    return offset;
}

static void write_partials(struct reduce *reduce)
{
    struct emitter *emitter = emitter_of(reduce);
    LLVMValueRef number =
        gather_bits(emitter, reduce->kernel->warp, reduce->plan.along[LAYOUT_WARP], 0);
    struct gpu_if begun = gpu_begin_if(reduce->kernel, is_writer(reduce));
    for (unsigned t = 0; t < reduce->tile_count; t++) {
        struct partials partials = find_partials(reduce, t, tile_offset(reduce, t), number);
        for (unsigned r = 0; r < reduce->result_count; r++)
            gpu_shared_store(reduce->kernel, partial_place(reduce, &partials, r),
                gpu_element_to_bits(emitter, reduce->element[t], reduce->partial[t]->elements[r]));
    }
    gpu_end_if(reduce->kernel, begun);
}

/* Reads the 2^register_bits partials of register r, in vectors of up to 16 bytes. */
static void read_partials(struct reduce *reduce, unsigned tile, const struct partials *partials,
    unsigned r, unsigned count, LLVMValueRef *out_values)
{
    enum { WIDEST = 16 };
    struct emitter *emitter = emitter_of(reduce);
    unsigned size = partials->element_bytes;
    unsigned vector = count * size <= WIDEST ? count : WIDEST / size;
    LLVMValueRef place = partial_place(reduce, partials, r);
    for (unsigned i = 0; i < count; i += vector) {
        LLVMValueRef from = emit_address(emitter, place, emit_i32(emitter, i * size), 1);
        LLVMValueRef packed =
            gpu_shared_load(reduce->kernel, from, gpu_packed_type(emitter, vector * size));
        gpu_unpack(emitter, reduce->element[tile], packed, &out_values[i], vector);
    }
}

static bool combine_partials(struct reduce *reduce, const struct reading *reading,
    const struct partials *partials, unsigned r)
{
    enum { MOST_PARTIALS = 32 };
    LLVMValueRef values[MOST_PARTIALS][MOST_TILES];
    unsigned count = 1u << reading->register_bits;
    for (unsigned t = 0; t < reduce->tile_count; t++) {
        LLVMValueRef list[MOST_PARTIALS];
        read_partials(reduce, t, &partials[t], r, count, list);
        for (unsigned i = 0; i < count; i++)
            values[i][t] = list[i];
    }
    if (!combine_all(reduce, values, count) || !combine_lane_set(reduce, reading->lanes, values[0]))
        return false;
    set_partials(reduce, r, values[0]);
    return true;
}

static bool reduce_warps(struct reduce *reduce)
{
    if (reduce->plan.warp_bits == 0)
        return true;
    struct emitter *emitter = emitter_of(reduce);
    write_partials(reduce);
    gpu_barrier(reduce->kernel);
    struct reading reading = choose_reading(&reduce->plan);
    LLVMValueRef number =
        gather_bits(emitter, reduce->kernel->lane, reading.lanes, reading.register_bits);
    struct partials partials[MOST_TILES];
    for (unsigned t = 0; t < reduce->tile_count; t++)
        partials[t] = find_partials(reduce, t, tile_offset(reduce, t), number);
    for (unsigned r = 0; r < reduce->result_count; r++)
        if (!combine_partials(reduce, &reading, partials, r))
            return false;
    return true;
}

/* ---- The operation --------------------------------------------------------------------------- */

static bool describe(struct gpu_kernel *kernel, MlirOperation op, struct reduce *reduce)
{
    *reduce = (struct reduce){.kernel = kernel, .op = op};
    intptr_t count = mlirOperationGetNumOperands(op);
    struct linear_layout layout;
    if (!gpu_layout(op, mlirValueGetType(mlirOperationGetOperand(op, 0)), &layout))
        return false;
    if (count > MOST_TILES)
        return ir_error_not_built(op, "of more than 8 tiles at once");
    if (!reduction_plan(&layout, (unsigned)ir_integer_attribute(op, "axis", 0), &reduce->plan))
        return ir_error_not_built(op, "on a tile of this layout");
    reduce->is_symmetric = gpu_combine_is_symmetric(op);
    reduce->tile_count = (unsigned)count;
    reduce->result_count = layout_register_count(&reduce->plan.result);
    for (unsigned t = 0; t < reduce->tile_count; t++) {
        MlirType type = mlirValueGetType(mlirOperationGetOperand(op, t));
        reduce->element[t] = ir_element_type(type);
        if (!emit_memory_type(&kernel->lowering.emitter, reduce->element[t]))
            return ir_error_not_built(op, "of this element type");
        reduce->partial[t] = lowering_allocate(&kernel->lowering, reduce->result_count);
    }
    return true;
}

bool gpu_lower_reduce(struct gpu_kernel *kernel, MlirOperation op)
{
    struct reduce reduce;
    if (!describe(kernel, op, &reduce) || !reduce_registers(&reduce) || !reduce_lanes(&reduce) ||
        !reduce_warps(&reduce))
        return false;
    for (unsigned t = 0; t < reduce.tile_count; t++)
        lowering_set(&kernel->lowering, mlirOperationGetResult(op, t), reduce.partial[t]);
    return true;
}
