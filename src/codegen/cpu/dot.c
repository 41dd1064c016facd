/* tt.dot: the factors are widened and laid out for the loops of dot_nest.c, in buffers of their
 * own; the sums lie in the result's buffer, which is that of the third operand where nobody needs
 * that any more: a product that is summed up in a loop stays where it is.
 * All of `inputPrecision`'s choices are met by f32's own.
 */
#include "codegen/cpu/dot.h"

#include "codegen/cpu/arguments.h"
#include "codegen/cpu/loops.h"
#include "codegen/cpu/root.h"
#include "codegen/dot_types.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Copies of operands ---------------------------------------------------------------------- */

/* A tile's elements, converted, into a buffer: row by row, or panels of columns one after the
 * other, of 2^panel_bits columns each. */
struct copy {
    MlirValue tile;
    MlirType element;
    struct cpu_buffer *buffer;
    struct layout_shape shape;
    unsigned panel_bits;
    bool has_panels;
};

/* The loops over the tile: panels, rows, columns of a panel. The tile's last dimension is cut. */
static struct cpu_loops copy_loops(const struct copy *copy)
{
    struct cpu_loops loops = cpu_loops_over(&copy->shape);
    if (!copy->has_panels)
        return loops;
    unsigned last = copy->shape.rank - 1;
    loops.shape.rank++;
    loops.shape.bits[last - 1] = (uint8_t)(copy->shape.bits[last] - copy->panel_bits);
    loops.step[last - 1].dimension = last;
    loops.step[last - 1].shift = copy->panel_bits;
    loops.shape.bits[last] = copy->shape.bits[last - 1];
    loops.step[last].dimension = last - 1;
    loops.shape.bits[last + 1] = (uint8_t)copy->panel_bits;
    loops.step[last + 1].dimension = last;
    return loops;
}

static bool copy_leaf(
    struct cpu_pull *pull, struct cpu_view *view, const LLVMValueRef *turn, void *user)
{
    const struct copy *copy = user;
    struct cpu_kernel *kernel = pull->kernel;
    LLVMValueRef element = cpu_pull_element(pull, view, copy->tile);
    if (!element)
        return false;
    struct layout_shape shape = copy_loops(copy).shape;
    struct cpu_view place = {.rank = shape.rank};
    for (unsigned i = 0; i < shape.rank; i++)
        place.index[i] = turn[i];
    LLVMValueRef number = cpu_row_major(pull, &place, &shape);
    LLVMValueRef pointer = cpu_buffer_place(kernel, copy->buffer, copy->element, number);
    LLVMValueRef value = dot_convert(&kernel->lowering.emitter, element, copy->element);
    LLVMValueRef stored = LLVMBuildStore(kernel->lowering.emitter.builder, value, pointer);
    cpu_nest_mark_access(kernel, pull->nest, stored);
    return true;
}

static bool copy_body(struct cpu_kernel *kernel, const struct cpu_version *version, void *user)
{
    struct cpu_loops loops = copy_loops(user);
    return cpu_loops_emit(kernel, version, &loops, copy_leaf, user);
}

static bool emit_copy(struct cpu_kernel *kernel, struct copy *copy)
{
    struct cpu_root root;
    copy->shape = cpu_shape(mlirValueGetType(copy->tile));
    return cpu_root_begin(kernel, &copy->tile, 1, &copy->shape, &root) &&
           cpu_root_emit(&root, copy_body, copy);
}

static struct cpu_buffer *make_buffer_like(
    struct cpu_kernel *kernel, MlirValue tile, MlirType element)
{
    struct layout_shape shape = cpu_shape(mlirValueGetType(tile));
    return cpu_buffer_make(kernel, element, UINT64_C(1) << layout_shape_total_bits(&shape));
}

/* ---- The buffer of the sums ------------------------------------------------------------------ */

static bool comes_after(MlirOperation first, MlirOperation second)
{
    MlirOperation op = first;
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, second))
        op = mlirOperationGetNextInBlock(op);
    return !mlirOperationIsNull(op);
}

/* Whether nothing needs `tile` once `op` has been reached, except `op` itself: no user can be
 * reached without passing the place that makes the tile anew. */
static bool is_last_use(struct cpu_kernel *kernel, MlirOperation op, MlirValue tile)
{
    const struct cpu_graph *graph = kernel->graph;
    size_t here = cpu_graph_number(graph, mlirOperationGetBlock(op));
    MlirBlock block = mlirValueIsAOpResult(tile) ? mlirOperationGetBlock(mlirOpResultGetOwner(tile))
                                                 : mlirBlockArgumentGetOwner(tile);
    bool *reached = cpu_graph_reach(
        graph, kernel->lowering.emitter.arena, here, cpu_graph_number(graph, block));
    struct cpu_users users = cpu_users_of(kernel, tile);
    if (reached[here])
        return false;
    for (size_t i = 0; i < users.count; i++) {
        MlirOperation user = users.list[i];
        size_t number = cpu_graph_number(graph, mlirOperationGetBlock(user));
        if (reached[number] ||
            (number == here && !mlirOperationEqual(user, op) && comes_after(op, user)))
            return false;
    }
    return true;
}

/* The buffer of a tile that the third operand is computed from, element by element, if it can be
 * overwritten with the sums. */
static struct cpu_buffer *find_old_buffer(struct cpu_kernel *kernel, MlirOperation op)
{
    MlirValue sum = mlirOperationGetOperand(op, 2);
    MlirType type = mlirValueGetType(sum);
    struct cpu_needs needs = cpu_buffered_behind(kernel, sum);
    for (size_t i = 0; i < needs.count; i++) {
        MlirValue tile = needs.list[i].value;
        if (needs.list[i].same_index && mlirTypeEqual(mlirValueGetType(tile), type) &&
            is_last_use(kernel, op, tile))
            return cpu_buffer_of(kernel, tile);
    }
    return NULL;
}

static bool is_zero(MlirValue tile)
{
    if (!mlirValueIsAOpResult(tile))
        return false;
    MlirOperation op = mlirOpResultGetOwner(tile);
    MlirAttribute value =
        op_id_of(op) == OP_ARITH_CONSTANT ? ir_attribute(op, "value") : (MlirAttribute){NULL};
    if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value) ||
        !mlirDenseElementsAttrIsSplat(value))
        return false;
    const unsigned char *bytes = mlirDenseElementsAttrGetRawData(value);
    unsigned size = emit_memory_size(ir_element_type(mlirValueGetType(tile)));
    for (unsigned i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Brings the third operand to where the sums go. */
static bool start_sums(struct cpu_kernel *kernel, MlirOperation op, struct cpu_dot *dot)
{
    MlirValue sum = cpu_resolve(kernel, mlirOperationGetOperand(op, 2));
    bool is_same_type = mlirTypeEqual(dot_element_of(op, 2), dot->element);
    struct cpu_buffer *old = is_same_type ? find_old_buffer(kernel, op) : NULL;
    dot->d = old ? old : make_buffer_like(kernel, sum, dot->element);
    dot->accumulates = !is_zero(sum);
    if (!dot->accumulates || cpu_buffer_of(kernel, sum) == dot->d)
        return true;
    struct copy copy = {.tile = sum, .element = dot->element, .buffer = dot->d};
    return emit_copy(kernel, &copy);
}

/* ---- tt.dot ---------------------------------------------------------------------------------- */

static void read_sizes(struct cpu_kernel *kernel, MlirOperation op, struct cpu_dot *dot)
{
    struct layout_shape a = cpu_shape(mlirValueGetType(mlirOperationGetOperand(op, 0)));
    struct layout_shape d = cpu_shape(mlirValueGetType(mlirOperationGetOperand(op, 2)));
    dot->batch_bits = d.rank == 3 ? d.bits[0] : 0;
    dot->row_bits = d.bits[d.rank - 2];
    dot->column_bits = d.bits[d.rank - 1];
    dot->inner_bits = a.bits[a.rank - 1];
    dot->block = cpu_dot_choose_block(kernel, dot);
}

/* What a factor is computed from may lie in the buffer of the sums, but is copied before them. */
static bool copy_factors(struct cpu_kernel *kernel, MlirOperation op, struct cpu_dot *dot)
{
    MlirValue a = cpu_resolve(kernel, mlirOperationGetOperand(op, 0));
    MlirValue b = mlirOperationGetOperand(op, 1);
    struct copy copy_b = {
        .tile = b,
        .element = dot->element,
        .buffer = dot->b = make_buffer_like(kernel, b, dot->element),
        .panel_bits = dot->block.vector_bits + dot->block.lane_bits,
        .has_panels = true,
    };
    struct copy copy_a = {
        .tile = a,
        .element = dot->element,
        .buffer = dot->a = make_buffer_like(kernel, a, dot->element),
    };
    return emit_copy(kernel, &copy_a) && emit_copy(kernel, &copy_b);
}

/* Sums of another type than the operation's are rounded once. */
static bool finish_sums(struct cpu_kernel *kernel, MlirOperation op, const struct cpu_dot *dot)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType element = dot_element_of(op, 2), type = mlirValueGetType(result);
    struct emitter *emitter = &kernel->lowering.emitter;
    if (mlirTypeEqual(element, dot->element)) {
        cpu_buffer_set(kernel, result, dot->d);
        return true;
    }
    struct cpu_buffer *buffer = cpu_buffer_reserve(kernel, result);
    struct layout_shape flat = {.rank = 1}, shape = cpu_shape(type);
    flat.bits[0] = (uint8_t)layout_shape_total_bits(&shape);
    struct cpu_nest nest;
    cpu_nest_begin(kernel, &flat, &nest);
    LLVMValueRef from = cpu_buffer_place(kernel, dot->d, dot->element, nest.index[0]);
    LLVMValueRef sum = LLVMBuildLoad2(emitter->builder, emit_type(emitter, dot->element), from, "");
    cpu_nest_mark_access(kernel, &nest, sum);
    LLVMValueRef to = cpu_buffer_place(kernel, buffer, element, nest.index[0]);
    LLVMValueRef stored =
        LLVMBuildStore(emitter->builder, dot_convert(&kernel->lowering.emitter, sum, element), to);
    cpu_nest_mark_access(kernel, &nest, stored);
    cpu_nest_end(kernel, &nest);
    return true;
}

bool cpu_lower_dot(struct cpu_kernel *kernel, MlirOperation op)
{
    struct cpu_dot dot = {.element = dot_computing_type(op)};
    if (mlirTypeIsNull(dot.element))
        return ir_error_not_built(op, "of these element types");
    read_sizes(kernel, op, &dot);
    if (!copy_factors(kernel, op, &dot) || !start_sums(kernel, op, &dot))
        return false;
    cpu_dot_multiply(kernel, &dot);
    return finish_sums(kernel, op, &dot);
}
