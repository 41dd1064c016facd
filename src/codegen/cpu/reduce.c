/* Reductions along one dimension.
 *
 * Elements are combined into an array of accumulators that stays in the first cache, so that the
 * innermost loop has no turn that waits for another, whatever the combination is, and the order of
 * combinations does not depend on the machine. With a dimension behind the reduced one, the result
 * is that array. A few columns at a time fit into registers:
 *
 *     for each group g of LANES columns: for each row i: for each column j of g:
 *                                          result[j] = combine(result[j], x[i][j])
 *
 * Along the last dimension the accumulators are lanes, which a tree combines in the end:
 *
 *     for each k: for each lane l:         lane[l] = combine(lane[l], x[k * LANES + l])
 *     for half = LANES / 2, ..., 2, 1: for each l < half:
 *                                          lane[l] = combine(lane[l], lane[l + half])
 */
#include "codegen/cpu/combine.h"
#include "codegen/cpu/loops.h"
#include "codegen/cpu/root.h"

enum { LANE_BITS = 6 };

struct reduction {
    struct cpu_kernel *kernel;
    MlirOperation op;
    size_t count; /* of tiles that are reduced together */
    MlirValue *sources;
    MlirType *elements;
    struct cpu_buffer **accumulators, **results; /* results: NULL for scalars */
    struct layout_shape shape;                   /* of the sources */
    unsigned axis;
    LLVMValueRef identity; /* NULL: none is known */
};

static struct emitter *emitter_of(const struct reduction *reduction)
{
    return &reduction->kernel->lowering.emitter;
}

/* ---- Accumulators ---------------------------------------------------------------------------- */

static LLVMValueRef *new_values(const struct reduction *reduction)
{
    return arena_array(emitter_of(reduction)->arena, LLVMValueRef, reduction->count);
}

static LLVMValueRef load_element(const struct reduction *reduction, const struct cpu_nest *nest,
    struct cpu_buffer *const *buffers, size_t i, LLVMValueRef number)
{
    struct emitter *emitter = emitter_of(reduction);
    MlirType element = reduction->elements[i];
    LLVMValueRef place = cpu_buffer_place(reduction->kernel, buffers[i], element, number);
    LLVMTypeRef type = emit_memory_type(emitter, element);
    LLVMValueRef loaded = LLVMBuildLoad2(emitter->builder, type, place, "");
    if (nest)
        cpu_nest_mark_access(reduction->kernel, nest, loaded);
    return emit_from_memory(emitter, element, loaded);
}

static void store_element(const struct reduction *reduction, const struct cpu_nest *nest,
    struct cpu_buffer *const *buffers, size_t i, LLVMValueRef number, LLVMValueRef value)
{
    struct emitter *emitter = emitter_of(reduction);
    MlirType element = reduction->elements[i];
    LLVMValueRef place = cpu_buffer_place(reduction->kernel, buffers[i], element, number);
    LLVMValueRef stored =
        LLVMBuildStore(emitter->builder, emit_to_memory(emitter, element, value), place);
    if (nest)
        cpu_nest_mark_access(reduction->kernel, nest, stored);
}

/* The identity into every accumulator, so that the first turn is like the others. */
static void clear(const struct reduction *reduction, unsigned bits)
{
    struct layout_shape flat = {.rank = 1, .bits = {(uint8_t)bits}};
    struct cpu_nest nest;
    if (!reduction->identity)
        return;
    cpu_nest_begin(reduction->kernel, &flat, &nest);
    store_element(reduction, &nest, reduction->accumulators, 0, nest.index[0], reduction->identity);
    cpu_nest_end(reduction->kernel, &nest);
}

/* Combines what the view sees into accumulator `number`. Without an identity the accumulators hold
 * nothing before the first `turn`. */
static bool accumulate(const struct reduction *reduction, struct cpu_pull *pull,
    struct cpu_view *view, LLVMValueRef number, LLVMValueRef turn)
{
    struct emitter *emitter = emitter_of(reduction);
    LLVMValueRef *old = new_values(reduction), *fresh = new_values(reduction);
    LLVMValueRef *combined = new_values(reduction);
    for (size_t i = 0; i < reduction->count; i++) {
        fresh[i] = cpu_pull_element(pull, view, reduction->sources[i]);
        if (!fresh[i])
            return false;
        old[i] = load_element(reduction, pull->nest, reduction->accumulators, i, number);
    }
    if (!cpu_combine(reduction->kernel, reduction->op, old, fresh, combined))
        return false;
    LLVMValueRef is_first =
        LLVMBuildICmp(emitter->builder, LLVMIntEQ, turn, emit_i64(emitter, 0), "");
    for (size_t i = 0; i < reduction->count; i++) {
        if (!reduction->identity)
            combined[i] = LLVMBuildSelect(emitter->builder, is_first, fresh[i], combined[i], "");
        store_element(reduction, pull->nest, reduction->accumulators, i, number, combined[i]);
    }
    return true;
}

/* ---- With a dimension behind ----------------------------------------------------------------- */

static bool row_leaf(
    struct cpu_pull *pull, struct cpu_view *view, const LLVMValueRef *turn, void *user)
{
    const struct reduction *reduction = user;
    struct layout_shape shape = {0};
    struct cpu_view left = {0};
    (void)turn;
    for (unsigned i = 0; i < reduction->shape.rank; i++) {
        if (i == reduction->axis)
            continue;
        shape.bits[shape.rank++] = reduction->shape.bits[i];
        left.index[left.rank++] = view->index[i];
    }
    LLVMValueRef number = cpu_row_major(pull, &left, &shape);
    return accumulate(reduction, pull, view, number, view->index[reduction->axis]);
}

static void add_loop(struct cpu_loops *loops, unsigned dimension, unsigned bits, unsigned shift)
{
    loops->step[loops->shape.rank].dimension = dimension;
    loops->step[loops->shape.rank].shift = shift;
    loops->shape.bits[loops->shape.rank++] = (uint8_t)bits;
}

/* The reduced dimension next to the innermost loop, which has a group of columns. There are loops
 * for one dimension more than the tile has, so one of rank LAYOUT_MAX_RANK has no groups. */
static struct cpu_loops row_loops(const struct reduction *reduction)
{
    const struct layout_shape *shape = &reduction->shape;
    struct cpu_loops loops = {.rank = shape->rank};
    unsigned last = shape->rank - 1;
    if (shape->rank == LAYOUT_MAX_RANK)
        return cpu_loops_over(shape);
    while (shape->bits[last] == 0) /* the last with columns: it is behind the reduced one */
        last--;
    unsigned columns = shape->bits[last], lanes = columns < LANE_BITS ? columns : LANE_BITS;
    for (unsigned i = 0; i < last; i++)
        if (i != reduction->axis)
            add_loop(&loops, i, shape->bits[i], 0);
    add_loop(&loops, last, columns - lanes, lanes);
    add_loop(&loops, reduction->axis, shape->bits[reduction->axis], 0);
    add_loop(&loops, last, lanes, 0);
    return loops;
}

static bool reduce_rows(struct cpu_kernel *kernel, const struct cpu_version *version, void *user)
{
    const struct reduction *reduction = user;
    unsigned axis = reduction->axis;
    struct cpu_loops loops = row_loops(reduction);
    clear(reduction, layout_shape_total_bits(&reduction->shape) - reduction->shape.bits[axis]);
    return cpu_loops_emit(kernel, version, &loops, row_leaf, user);
}

/* ---- Along the last dimension ---------------------------------------------------------------- */

static unsigned lane_bits(const struct reduction *reduction)
{
    if (reduction->axis >= reduction->shape.rank)
        return 0; /* tt's verifier refuses it */
    unsigned bits = reduction->shape.bits[reduction->axis];
    return bits < LANE_BITS ? bits : LANE_BITS;
}

/* The dimensions in front of the reduced one; those behind it have size 1. */
static struct layout_shape outer_shape(const struct reduction *reduction)
{
    struct layout_shape shape = reduction->shape;
    shape.rank = reduction->axis;
    return shape;
}

static bool lane_leaf(
    struct cpu_pull *pull, struct cpu_view *view, const LLVMValueRef *turn, void *user)
{
    return accumulate(user, pull, view, turn[1], turn[0]);
}

static bool fill_lanes(
    struct reduction *reduction, const struct cpu_nest *outer, const struct cpu_version *version)
{
    unsigned axis = reduction->axis, lanes = lane_bits(reduction);
    struct cpu_loops loops = {
        .shape = {.rank = 2,
            .bits = {(uint8_t)(reduction->shape.bits[axis] - lanes), (uint8_t)lanes}},
        .step = {{axis, lanes}, {axis, 0}},
        .rank = reduction->shape.rank,
    };
    for (unsigned i = 0; i < axis; i++)
        loops.start[i] = outer->index[i];
    clear(reduction, lanes);
    return cpu_loops_emit(reduction->kernel, version, &loops, lane_leaf, reduction);
}

/* The upper half of the first 2^(bits + 1) lanes into the lower. */
static bool halve(const struct reduction *reduction, unsigned bits)
{
    struct cpu_kernel *kernel = reduction->kernel;
    struct emitter *emitter = emitter_of(reduction);
    struct layout_shape flat = {.rank = 1, .bits = {(uint8_t)bits}};
    LLVMValueRef *low = new_values(reduction), *high = new_values(reduction);
    LLVMValueRef *combined = new_values(reduction);
    struct cpu_nest nest;
    cpu_nest_begin(kernel, &flat, &nest);
    LLVMValueRef half = emit_i64(emitter, UINT64_C(1) << bits);
    LLVMValueRef other = LLVMBuildAdd(emitter->builder, nest.index[0], half, "");
    for (size_t i = 0; i < reduction->count; i++) {
        low[i] = load_element(reduction, &nest, reduction->accumulators, i, nest.index[0]);
        high[i] = load_element(reduction, &nest, reduction->accumulators, i, other);
    }
    if (!cpu_combine(kernel, reduction->op, low, high, combined))
        return false;
    for (size_t i = 0; i < reduction->count; i++)
        store_element(reduction, &nest, reduction->accumulators, i, nest.index[0], combined[i]);
    cpu_nest_end(kernel, &nest);
    return true;
}

/* Elements that combine as vectors do: of one operation, on a type that is computed in as it is. */
static bool has_vectors(const struct reduction *reduction)
{
    MlirType element = reduction->elements[0];
    unsigned size = emit_memory_size(element);
    return reduction->identity &&
           (ir_is_float(element) ? size >= 4 : ir_integer_width(element) > 1);
}

/* `count` lanes of a vector, from lane `first` on. */
static LLVMValueRef take_lanes(
    const struct reduction *reduction, LLVMValueRef vector, unsigned first, unsigned count)
{
    enum { LANES = 1 << LANE_BITS };
    struct emitter *emitter = emitter_of(reduction);
    LLVMValueRef lanes[LANES];
    for (unsigned i = 0; i < count; i++)
        lanes[i] = emit_i32(emitter, first + i);
    return LLVMBuildShuffleVector(emitter->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
        LLVMConstVector(lanes, count), "");
}

/* The tree in registers. */
static bool combine_vector(const struct reduction *reduction)
{
    struct emitter *emitter = emitter_of(reduction);
    LLVMTypeRef scalar = emit_memory_type(emitter, reduction->elements[0]);
    unsigned count = 1u << lane_bits(reduction);
    LLVMValueRef zero = emit_i64(emitter, 0);
    LLVMValueRef place = cpu_buffer_place(
        reduction->kernel, reduction->accumulators[0], reduction->elements[0], zero);
    LLVMValueRef vector =
        LLVMBuildLoad2(emitter->builder, LLVMVectorType(scalar, count), place, "");
    LLVMSetAlignment(vector, emit_memory_size(reduction->elements[0]));
    for (; count > 1; count /= 2) {
        LLVMValueRef low = take_lanes(reduction, vector, 0, count / 2);
        LLVMValueRef high = take_lanes(reduction, vector, count / 2, count / 2);
        if (!cpu_combine(reduction->kernel, reduction->op, &low, &high, &vector))
            return false;
    }
    LLVMValueRef result =
        LLVMBuildExtractElement(emitter->builder, vector, emit_i32(emitter, 0), "");
    store_element(reduction, NULL, reduction->accumulators, 0, zero, result);
    return true;
}

/* All lanes into the first. */
static bool combine_lanes(const struct reduction *reduction)
{
    if (has_vectors(reduction))
        return combine_vector(reduction);
    for (unsigned bits = lane_bits(reduction); bits-- > 0;)
        if (!halve(reduction, bits))
            return false;
    return true;
}

static void store_result(const struct reduction *reduction, const struct cpu_nest *outer)
{
    struct emitter *emitter = emitter_of(reduction);
    struct cpu_pull pull;
    struct cpu_view *view = cpu_pull_begin(reduction->kernel, outer, NULL, &pull);
    LLVMValueRef number = cpu_row_major(&pull, view, &outer->shape);
    for (size_t i = 0; i < reduction->count; i++) {
        LLVMValueRef value =
            load_element(reduction, NULL, reduction->accumulators, i, emit_i64(emitter, 0));
        store_element(reduction, NULL, reduction->results, i, number, value);
    }
}

static bool reduce_lanes(struct cpu_kernel *kernel, const struct cpu_version *version, void *user)
{
    struct reduction *reduction = user;
    struct layout_shape shape = outer_shape(reduction);
    struct cpu_nest outer;
    cpu_nest_begin(kernel, &shape, &outer);
    outer.is_ordered = true; /* all turns use the same lanes */
    if (!fill_lanes(reduction, &outer, version))
        return false;
    if (!combine_lanes(reduction))
        return false;
    if (reduction->results)
        store_result(reduction, &outer);
    cpu_nest_end(kernel, &outer);
    return true;
}

/* ---- tt.reduce ------------------------------------------------------------------------------- */

static bool read_operation(struct cpu_kernel *kernel, MlirOperation op, struct reduction *reduction)
{
    arena *arena = kernel->lowering.emitter.arena;
    size_t count = (size_t)mlirOperationGetNumOperands(op);
    *reduction = (struct reduction){
        .kernel = kernel,
        .op = op,
        .count = count,
        .sources = arena_array(arena, MlirValue, count),
        .elements = arena_array(arena, MlirType, count),
        .accumulators = arena_array(arena, struct cpu_buffer *, count),
        .shape = cpu_shape(mlirValueGetType(mlirOperationGetOperand(op, 0))),
        .axis = (unsigned)ir_integer_attribute(op, "axis", 0),
        .identity = cpu_combine_identity(kernel, op),
    };
    for (size_t i = 0; i < count; i++) {
        reduction->sources[i] = mlirOperationGetOperand(op, (intptr_t)i);
        reduction->elements[i] = ir_element_type(mlirValueGetType(reduction->sources[i]));
        if (!emit_type(&kernel->lowering.emitter, reduction->elements[i]))
            return ir_error_not_built(op, "of this element type");
    }
    return true;
}

static bool is_along_last(const struct reduction *reduction)
{
    for (unsigned i = reduction->axis + 1; i < reduction->shape.rank; i++)
        if (reduction->shape.bits[i] > 0)
            return false;
    return true;
}

/* A reduction to a scalar has no result but its first lane. */
static void make_buffers(struct reduction *reduction, bool is_scalar, bool has_lanes)
{
    struct cpu_kernel *kernel = reduction->kernel;
    uint64_t lanes = UINT64_C(1) << lane_bits(reduction);
    if (!is_scalar)
        reduction->results =
            arena_array(kernel->lowering.emitter.arena, struct cpu_buffer *, reduction->count);
    for (size_t i = 0; i < reduction->count; i++) {
        struct cpu_buffer *result = NULL;
        if (reduction->results)
            result = reduction->results[i] =
                cpu_buffer_reserve(kernel, mlirOperationGetResult(reduction->op, (intptr_t)i));
        reduction->accumulators[i] =
            has_lanes ? cpu_buffer_make(kernel, reduction->elements[i], lanes) : result;
    }
}

static void read_scalars(const struct reduction *reduction)
{
    struct emitter *emitter = emitter_of(reduction);
    for (size_t i = 0; i < reduction->count; i++) {
        LLVMValueRef value =
            load_element(reduction, NULL, reduction->accumulators, i, emit_i64(emitter, 0));
        MlirValue result = mlirOperationGetResult(reduction->op, (intptr_t)i);
        lowering_set_scalar(&reduction->kernel->lowering, result, value);
    }
}

bool cpu_lower_reduce(struct cpu_kernel *kernel, MlirOperation op)
{
    struct reduction reduction;
    struct cpu_root root;
    if (!read_operation(kernel, op, &reduction))
        return false;
    bool is_scalar = reduction.shape.rank == 1, has_lanes = is_along_last(&reduction);
    if (!cpu_root_begin(kernel, reduction.sources, reduction.count, &reduction.shape, &root))
        return false;
    make_buffers(&reduction, is_scalar, has_lanes);
    if (!cpu_root_emit(&root, has_lanes ? reduce_lanes : reduce_rows, &reduction))
        return false;
    if (is_scalar)
        read_scalars(&reduction);
    return true;
}
