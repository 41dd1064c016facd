/* tl_tensor: its members, and loads and stores of blocks as masked accesses.
 *
 * Element (i, j) of a block lies at base + (at_i + i) stride_0 + (at_j + j) stride_1, in 64 bits,
 * and is inside of the tensor where 0 <= at_i + i < shape_0, and so on. Both are computed along
 * each dimension alone, and only then spread over the block.
 */
#include "frontend/access_flags.h"
#include "frontend/lower_operations.h"

#include <string.h>

#include <math.h>

#include <mlir-c/BuiltinTypes.h>

/* ---- Members --------------------------------------------------------------------------------- */

static bool is_member(const ast_node *node, const char *name)
{
    return node->kind == AST_MEMBER && strcmp(node->name, name) == 0;
}

static value tensor_behind(lowering *lowering, const ast_node *member)
{
    value tensor = lower_expression(lowering, member->children[0]);
    if (!value_is_valid(tensor) || value_is_tensor(tensor))
        return tensor;
    return lower_refuse(lowering, member);
}

value lower_member(lowering *lowering, const ast_node *node)
{
    value tensor = tensor_behind(lowering, node);
    if (!value_is_valid(tensor))
        return tensor;
    if (is_member(node, "base"))
        return tensor.tensor->base;
    return lower_error(lowering, node->place, TENSOR_MEMBER, node->name);
}

value lower_member_element(lowering *lowering, const ast_node *node)
{
    const ast_node *member = node->children[0], *index = node->children[1];
    value tensor = tensor_behind(lowering, member);
    if (!value_is_valid(tensor))
        return tensor;
    if (index->kind != AST_INTEGER || index->integer >= tensor.tensor->rank)
        return lower_error(lowering, node->place, TENSOR_DIMENSION,
            value_describe(lowering, tensor), tensor.tensor->rank - 1);
    const value *values = is_member(member, "shape") ? tensor.tensor->shape : tensor.tensor->stride;
    return values[index->integer];
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* One dimension of a block: where its elements are, and which are inside. */
typedef struct row {
    value offset, is_inside;
} row;

static value with_ssa(value like, MlirValue ssa)
{
    like.ssa = ssa;
    return like;
}

static value splat_row(lowering *lowering, value scalar, MlirType type)
{
    return with_ssa(scalar, build_splat(&lowering->builder, scalar.ssa, type));
}

static row build_row(lowering *lowering, value at, value shape, value stride, int64_t count)
{
    builder *builder = &lowering->builder;
    MlirType narrow = lower_tile_type(lowering, ELEMENT_i32, 1, &count);
    MlirType wide = lower_tile_type(lowering, ELEMENT_i64, 1, &count);
    MlirType truth = lower_tile_type(lowering, ELEMENT_bool, 1, &count);
    MlirValue range = build_single(builder, "tt.make_range",
        &(build_parts){.result = narrow,
            .attributes = {{"start", build_i32_attribute(builder, 0)},
                {"end", build_i32_attribute(builder, (int32_t)count)}}});
    value first = splat_row(lowering, lower_convert(lowering, at, ELEMENT_i64), wide);
    MlirValue index = build_value(
        builder, "arith.addi", wide, build_value(builder, "arith.extsi", wide, range), first.ssa);
    MlirValue low =
        build_compare(builder, "arith.cmpi", CMPI_SGE, index, build_integer(builder, wide, 0));
    MlirValue high =
        build_compare(builder, "arith.cmpi", CMPI_SLT, index, splat_row(lowering, shape, wide).ssa);
    value steps = splat_row(lowering, stride, wide);
    return (row){
        .offset = with_ssa(steps, build_value(builder, "arith.muli", wide, index, steps.ssa)),
        .is_inside = {.ssa = build_value(builder, "arith.andi", truth, low, high),
            .element = ELEMENT_bool,
            .is_mask = true},
    };
}

/* A row along one dimension, over the whole block. */
static value over_block(lowering *lowering, ast_place place, value row, unsigned axis,
    unsigned rank, const int64_t *dimensions)
{
    int64_t ones[AST_MAX_RANK] = {1, 1, 1, 1, 1};
    ones[axis] = dimensions[axis];
    MlirType type =
        mlirRankedTensorTypeGet(rank, ones, build_element_of(value_type(row)), (MlirAttribute){0});
    if (rank > 1)
        row.ssa = build_value(&lowering->builder, "tt.reshape", type, row.ssa);
    return lower_broadcast(lowering, place, row, rank, dimensions);
}

/* The pointers of a block, and the mask of what is inside of the tensor. */
typedef struct block {
    value pointers, mask;
} block;

static block build_block(lowering *lowering, ast_place place, const tensor *tensor, const value *at,
    const int64_t *dimensions)
{
    block block = {0};
    value offsets = {0};
    for (unsigned i = 0; i < tensor->rank; i++) {
        row row = build_row(lowering, at[i], tensor->shape[i], tensor->stride[i], dimensions[i]);
        value offset = over_block(lowering, place, row.offset, i, tensor->rank, dimensions);
        value inside = over_block(lowering, place, row.is_inside, i, tensor->rank, dimensions);
        offsets = i ? lower_binary(lowering, place, AST_OP_ADD, offsets, offset) : offset;
        block.mask = i ? lower_binary(lowering, place, AST_OP_AND, block.mask, inside) : inside;
    }
    block.pointers = lower_add_pointer(lowering, place, tensor->base, offsets);
    return block;
}

/* A call is (flags, tensor, number of coordinates, coordinates..., dimensions... or value). */
enum { FIRST_COORDINATE = 3 };

/* The tensor and the coordinates of a call; false after an error. */
static bool read_block(
    lowering *lowering, const ast_node *call, const tensor **out_tensor, value *at)
{
    value tensor = operation_value(lowering, call, 1);
    if (!value_is_valid(tensor))
        return false;
    if (!tensor.tensor) {
        lower_error(lowering, call->place, TENSOR_WANTED, value_describe(lowering, tensor));
        return false;
    }
    int64_t count = operation_constant(call, 2, 0);
    if (count != tensor.tensor->rank) {
        lower_error(lowering, call->place, TENSOR_COORDINATES, value_describe(lowering, tensor),
            tensor.tensor->rank, (long long)count);
        return false;
    }
    *out_tensor = tensor.tensor;
    for (unsigned i = 0; i < tensor.tensor->rank; i++) {
        at[i] = operation_value(lowering, call, FIRST_COORDINATE + i);
        if (!value_is_valid(at[i]))
            return false;
        bool is_index = !value_is_tile(at[i]) && !value_is_pointer(at[i]) &&
                        element_describe(at[i].element)->category == ELEMENT_INTEGER;
        if (is_index)
            continue;
        lower_error(lowering, call->place, COORDINATE, value_describe(lowering, at[i]));
        return false;
    }
    return true;
}

static value padding(lowering *lowering, const ast_node *call, element_type element, bool is_nan)
{
    if (is_nan && element_describe(element)->category != ELEMENT_FLOATING)
        return lower_error(lowering, call->place, NAN_PADDING, element_describe(element)->name);
    MlirType type = lower_element_type(lowering, element);
    return (value){.ssa = lower_number(lowering, element, type, is_nan ? (double)NAN : 0.0),
        .element = element};
}

value operation_load_block(lowering *lowering, const ast_node *call)
{
    const tensor *tensor;
    value at[AST_MAX_RANK];
    int64_t dimensions[AST_MAX_RANK];
    access_flags flags;
    if (!access_flags_read(lowering, call, ACCESS_LOAD_BLOCK, &flags) ||
        !read_block(lowering, call, &tensor, at))
        return (value){0};
    unsigned rank = operation_dimensions(call, FIRST_COORDINATE + tensor->rank, dimensions);
    if (rank != tensor->rank)
        return lower_error(lowering, call->place, BLOCK_RANK, rank, tensor->rank);
    if (!lower_is_tile_size(lowering, call->place, rank, dimensions))
        return (value){0};
    value other = padding(lowering, call, tensor->base.pointee->element, flags.pads_nan);
    if (!value_is_valid(other))
        return other;
    block block = build_block(lowering, call->place, tensor, at, dimensions);
    return lower_load(lowering, block.pointers, block.mask, other, &flags);
}

value operation_store_block(lowering *lowering, const ast_node *call)
{
    const tensor *tensor;
    value at[AST_MAX_RANK];
    int64_t dimensions[AST_MAX_RANK];
    access_flags flags;
    if (!access_flags_read(lowering, call, ACCESS_STORE, &flags) ||
        !read_block(lowering, call, &tensor, at))
        return (value){0};
    value stored = operation_value(lowering, call, FIRST_COORDINATE + tensor->rank);
    if (!value_is_valid(stored))
        return stored;
    if (tensor->is_const)
        return lower_error(lowering, call->place, CONST_TENSOR);
    element_type element = tensor->base.pointee->element;
    bool fits = value_is_tile(stored) && value_shape(stored, dimensions) == tensor->rank &&
                (element == ELEMENT_bool || lower_lanes(lowering, stored).element == element);
    if (!fits)
        return lower_error(lowering, call->place, STORED_BLOCK, value_describe(lowering, stored),
            value_describe(lowering, (value){.tensor = tensor}));
    block block = build_block(lowering, call->place, tensor, at, dimensions);
    lower_store(lowering, block.pointers, stored, block.mask, &flags);
    return (value){0};
}
