/* See pull.h. Loads and buffers are in pull_memory.c. */
#include "codegen/cpu/pull.h"

#include "codegen/cpu/arguments.h"
#include "codegen/scalar_ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/* ---- Views ----------------------------------------------------------------------------------- */

/* Operations that see the same index share what they compute. */
static struct cpu_view *find_view(struct cpu_pull *pull, unsigned rank, const LLVMValueRef *index)
{
    for (struct cpu_view *view = pull->views; view; view = view->next)
        if (view->rank == rank && memcmp(view->index, index, rank * sizeof *index) == 0)
            return view;
    arena *arena = pull->kernel->lowering.emitter.arena;
    struct cpu_view *view = arena_new(arena, struct cpu_view);
    view->rank = rank;
    memcpy(view->index, index, rank * sizeof *index);
    pointer_map_init(&view->elements, arena);
    view->next = pull->views;
    pull->views = view;
    return view;
}

struct cpu_view *cpu_pull_begin_at(struct cpu_kernel *kernel, const struct cpu_nest *nest,
    const struct cpu_version *version, unsigned rank, const LLVMValueRef *index,
    struct cpu_pull *out_pull)
{
    *out_pull = (struct cpu_pull){.kernel = kernel, .nest = nest};
    if (version)
        out_pull->version = *version;
    out_pull->root = find_view(out_pull, rank, index);
    return out_pull->root;
}

struct cpu_view *cpu_pull_begin(struct cpu_kernel *kernel, const struct cpu_nest *nest,
    const struct cpu_version *version, struct cpu_pull *out_pull)
{
    return cpu_pull_begin_at(kernel, nest, version, nest->shape.rank, nest->index, out_pull);
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

typedef LLVMValueRef element_function(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op);

static struct emitter *emitter_of(struct cpu_pull *pull)
{
    return &pull->kernel->lowering.emitter;
}

static MlirType element_type_of_result(MlirOperation op)
{
    return ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* An index is below 2^31, as tiles are. */
static LLVMValueRef element_of_range(struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    struct emitter *emitter = emitter_of(pull);
    LLVMTypeRef i32 = emit_integer_type(emitter, 32);
    LLVMValueRef index = LLVMBuildTrunc(emitter->builder, view->index[0], i32, "");
    LLVMValueRef start = emit_i32(emitter, (uint32_t)ir_integer_attribute(op, "start", 0));
    return LLVMBuildAdd(emitter->builder, index, start, "");
}

static LLVMValueRef element_of_poison(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    (void)view;
    LLVMTypeRef type = emit_type(emitter_of(pull), element_type_of_result(op));
    if (type)
        return LLVMGetPoison(type);
    ir_error_not_built(op, "of this element type");
    return NULL;
}

/* A read-only array in the image for a constant tile of unlike elements. */
static LLVMValueRef make_constant_array(struct cpu_pull *pull, MlirOperation op)
{
    struct emitter *emitter = emitter_of(pull);
    MlirAttribute value = ir_attribute(op, "value");
    MlirType element = element_type_of_result(op);
    uint64_t count = (uint64_t)mlirElementsAttrGetNumElements(value);
    LLVMValueRef *elements = arena_array(emitter->arena, LLVMValueRef, count);
    for (uint64_t i = 0; i < count; i++)
        elements[i] =
            emit_to_memory(emitter, element, emit_dense_element(emitter, value, element, i));
    LLVMValueRef array = LLVMConstArray2(emit_memory_type(emitter, element), elements, count);
    LLVMValueRef global = LLVMAddGlobal(emitter->module, LLVMTypeOf(array), "constant");
    LLVMSetInitializer(global, array);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static LLVMValueRef constant_array(struct cpu_pull *pull, MlirOperation op)
{
    struct pointer_map *constants = &pull->kernel->constants;
    LLVMValueRef array = pointer_map_get(constants, op.ptr);
    if (!array) {
        array = make_constant_array(pull, op);
        pointer_map_set(constants, op.ptr, array);
    }
    return array;
}

LLVMValueRef cpu_row_major(
    struct cpu_pull *pull, const struct cpu_view *view, const struct layout_shape *shape)
{
    struct emitter *emitter = emitter_of(pull);
    LLVMValueRef number = emit_i64(emitter, 0);
    for (unsigned i = 0; i < view->rank; i++) {
        LLVMValueRef size = emit_i64(emitter, UINT64_C(1) << shape->bits[i]);
        number = LLVMBuildMul(emitter->builder, number, size, "");
        number = LLVMBuildAdd(emitter->builder, number, view->index[i], "");
    }
    return number;
}

static LLVMValueRef element_of_constant(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    struct emitter *emitter = emitter_of(pull);
    MlirAttribute value = ir_attribute(op, "value");
    MlirType tile = mlirValueGetType(mlirOperationGetResult(op, 0));
    MlirType element = ir_element_type(tile);
    LLVMTypeRef type = emit_memory_type(emitter, element);
    if (!type || !mlirAttributeIsADenseElements(value)) {
        ir_error_not_built(op, "of this kind");
        return NULL;
    }
    if (mlirDenseElementsAttrIsSplat(value))
        return emit_dense_element(emitter, value, element, 0);
    struct layout_shape shape = cpu_shape(tile);
    LLVMValueRef number = cpu_row_major(pull, view, &shape);
    LLVMValueRef pointer =
        LLVMBuildGEP2(emitter->builder, type, constant_array(pull, op), &number, 1, "");
    LLVMValueRef loaded = LLVMBuildLoad2(emitter->builder, type, pointer, "");
    cpu_nest_mark_access(pull->kernel, pull->nest, loaded);
    return emit_from_memory(emitter, element, loaded);
}

/* ---- Rearranging ----------------------------------------------------------------------------- */

static LLVMValueRef element_of_splat(struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    return cpu_pull_element(pull, view, mlirOperationGetOperand(op, 0));
}

static LLVMValueRef element_of_broadcast(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    MlirValue source = mlirOperationGetOperand(op, 0);
    struct layout_shape shape = cpu_shape(mlirValueGetType(source));
    LLVMValueRef index[LAYOUT_MAX_RANK];
    for (unsigned i = 0; i < view->rank; i++)
        index[i] = shape.bits[i] ? view->index[i] : emit_i64(emitter_of(pull), 0);
    return cpu_pull_element(pull, find_view(pull, view->rank, index), source);
}

static LLVMValueRef element_of_expand_dims(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    unsigned axis = (unsigned)ir_integer_attribute(op, "axis", 0);
    LLVMValueRef index[LAYOUT_MAX_RANK];
    for (unsigned i = 0; i + 1 < view->rank; i++)
        index[i] = view->index[i < axis ? i : i + 1];
    struct cpu_view *source = find_view(pull, view->rank - 1, index);
    return cpu_pull_element(pull, source, mlirOperationGetOperand(op, 0));
}

/* Dimension i of the result is dimension order[i] of the source. */
static LLVMValueRef element_of_trans(struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    MlirAttribute order = ir_attribute(op, "order");
    LLVMValueRef index[LAYOUT_MAX_RANK];
    for (unsigned i = 0; i < view->rank; i++)
        index[mlirDenseI32ArrayGetElement(order, i)] = view->index[i];
    struct cpu_view *source = find_view(pull, view->rank, index);
    return cpu_pull_element(pull, source, mlirOperationGetOperand(op, 0));
}

/* The element's number stays; the source's coordinates are fields of its bits. */
static void index_of_number(struct cpu_pull *pull, LLVMValueRef number,
    const struct layout_shape *shape, LLVMValueRef *out_index)
{
    struct emitter *emitter = emitter_of(pull);
    for (unsigned i = 0; i < shape->rank; i++) {
        LLVMValueRef shift = emit_i64(emitter, layout_shape_shift(shape, i));
        LLVMValueRef mask = emit_i64(emitter, (UINT64_C(1) << shape->bits[i]) - 1);
        LLVMValueRef shifted = LLVMBuildLShr(emitter->builder, number, shift, "");
        out_index[i] = LLVMBuildAnd(emitter->builder, shifted, mask, "");
    }
}

static LLVMValueRef element_of_reshape(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    MlirValue source = mlirOperationGetOperand(op, 0);
    struct layout_shape from = cpu_shape(mlirValueGetType(source));
    struct layout_shape to = cpu_shape(mlirValueGetType(mlirOperationGetResult(op, 0)));
    unsigned dimension[LAYOUT_MAX_RANK];
    LLVMValueRef index[LAYOUT_MAX_RANK];
    if (layout_shape_same_but_ones(&to, &from, dimension)) {
        for (unsigned i = 0; i < from.rank; i++)
            index[i] = dimension[i] < LAYOUT_MAX_RANK ? view->index[dimension[i]]
                                                      : emit_i64(emitter_of(pull), 0);
    } else {
        index_of_number(pull, cpu_row_major(pull, view, &to), &from, index);
    }
    return cpu_pull_element(pull, find_view(pull, from.rank, index), source);
}

static LLVMValueRef element_of_addptr(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    LLVMValueRef pointer = cpu_pull_element(pull, view, mlirOperationGetOperand(op, 0));
    LLVMValueRef offset = cpu_pull_element(pull, view, mlirOperationGetOperand(op, 1));
    if (!pointer || !offset)
        return NULL;
    unsigned size = emit_memory_size(tt_pointer_pointee(element_type_of_result(op)));
    return emit_address(emitter_of(pull), pointer, offset, size);
}

/* A block argument without a buffer: its start, and a scalar that changes. */
static LLVMValueRef element_of_argument(
    struct cpu_pull *pull, struct cpu_view *view, const struct cpu_argument *argument)
{
    struct emitter *emitter = emitter_of(pull);
    LLVMValueRef base = cpu_pull_element(pull, view, argument->base);
    if (!base || !argument->moves)
        return base;
    MlirType type = ir_element_type(mlirValueGetType(argument->base));
    if (tt_type_is_pointer(type))
        return emit_address(
            emitter, base, argument->offset, emit_memory_size(tt_pointer_pointee(type)));
    LLVMValueRef offset =
        LLVMBuildTruncOrBitCast(emitter->builder, argument->offset, LLVMTypeOf(base), "");
    return LLVMBuildAdd(emitter->builder, base, offset, "");
}

/* All results at once; the one asked for is handed back. */
static LLVMValueRef pull_elementwise(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op, intptr_t wanted)
{
    LLVMValueRef operands[SCALAR_MAX_OPERANDS], results[SCALAR_MAX_RESULTS];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        operands[i] = cpu_pull_element(pull, view, mlirOperationGetOperand(op, i));
        if (!operands[i])
            return NULL;
    }
    if (!scalar_op_emit(emitter_of(pull), op, operands, results))
        return NULL;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        pointer_map_set(&view->elements, mlirOperationGetResult(op, i).ptr, results[i]);
    return results[wanted];
}

/* Of a known mask one side is all that is needed: the other may have loads. */
static LLVMValueRef element_of_select(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op)
{
    LLVMValueRef condition = cpu_pull_element(pull, view, mlirOperationGetOperand(op, 0));
    if (!condition || !LLVMIsAConstantInt(condition))
        return condition ? pull_elementwise(pull, view, op, 0) : NULL;
    return cpu_pull_element(
        pull, view, mlirOperationGetOperand(op, emit_is_false(condition) ? 2 : 1));
}

/* ---- The table ------------------------------------------------------------------------------- */

static element_function *const table[OP_ID_COUNT] = {
    [OP_ARITH_CONSTANT] = element_of_constant,
    [OP_ARITH_SELECT] = element_of_select,
    [OP_UB_POISON] = element_of_poison,
    [OP_TT_ADDPTR] = element_of_addptr,
    [OP_TT_BROADCAST] = element_of_broadcast,
    [OP_TT_EXPAND_DIMS] = element_of_expand_dims,
    [OP_TT_LOAD] = cpu_pull_load,
    [OP_TT_MAKE_RANGE] = element_of_range,
    [OP_TT_RESHAPE] = element_of_reshape,
    [OP_TT_SPLAT] = element_of_splat,
    [OP_TT_TRANS] = element_of_trans,
};

bool cpu_is_pulled(MlirOperation op)
{
    enum op_id id = op_id_of(op);
    return mlirOperationGetNumResults(op) > 0 &&
           ir_is_tile(mlirValueGetType(mlirOperationGetResult(op, 0))) && id != OP_TT_LOAD &&
           (table[id] || scalar_op_known(id));
}

/* A mask of the nest's, used as a value as well, where it is known; else NULL. */
static LLVMValueRef known_mask(struct cpu_pull *pull, const struct cpu_view *view, MlirValue value)
{
    const struct cpu_version *version = &pull->version;
    if (!version->masks || version->state == CPU_MASKS_UNKNOWN || view != pull->root)
        return NULL;
    for (size_t i = 0; i < version->masks->count; i++)
        if (mlirValueEqual(version->masks->list[i], value))
            return emit_bool(emitter_of(pull), version->state == CPU_MASKS_TRUE);
    return NULL;
}

static LLVMValueRef element_of_operation(
    struct cpu_pull *pull, struct cpu_view *view, MlirValue value)
{
    MlirOperation op = mlirOpResultGetOwner(value);
    enum op_id id = op_id_of(op);
    if (table[id])
        return table[id](pull, view, op);
    if (scalar_op_known(id))
        return pull_elementwise(pull, view, op, mlirOpResultGetResultNumber(value));
    ir_error_not_built(op, NULL);
    return NULL;
}

static LLVMValueRef compute_element(struct cpu_pull *pull, struct cpu_view *view, MlirValue value)
{
    LLVMValueRef mask = known_mask(pull, view, value);
    if (mask)
        return mask;
    const struct cpu_buffer *buffer = cpu_buffer_of(pull->kernel, value);
    if (buffer)
        return cpu_pull_buffered(pull, view, buffer, value);
    const struct cpu_argument *argument = cpu_argument_of(pull->kernel, value);
    if (argument)
        return element_of_argument(pull, view, argument);
    MlirLocation before = emit_at_location(emitter_of(pull), mlirValueGetLocation(value));
    LLVMValueRef element = element_of_operation(pull, view, value);
    emit_at_location(emitter_of(pull), before);
    return element;
}

static void keep_element(
    struct cpu_pull *pull, struct cpu_view *view, MlirValue value, LLVMValueRef element)
{
    const struct pointer_map *fills = pull->version.fills;
    const struct cpu_buffer *buffer =
        fills && view == pull->root ? pointer_map_get(fills, value.ptr) : NULL;
    if (buffer)
        cpu_buffer_store(pull, view, buffer, mlirValueGetType(value), element);
}

LLVMValueRef cpu_pull_element(struct cpu_pull *pull, struct cpu_view *view, MlirValue value)
{
    if (!ir_is_tile(mlirValueGetType(value)))
        return lowering_get_scalar(&pull->kernel->lowering, value);
    LLVMValueRef known = pointer_map_get(&view->elements, value.ptr);
    if (known)
        return known;
    LLVMValueRef element = compute_element(pull, view, value);
    if (!element)
        return NULL;
    pointer_map_set(&view->elements, value.ptr, element);
    keep_element(pull, view, value, element);
    return element;
}
