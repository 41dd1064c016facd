/* The operations on shapes. A host compiler counts lanes; shapes are checked here. */
#include "frontend/lower_operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirType with_shape(value from, unsigned rank, const int64_t *dimensions)
{
    return mlirRankedTensorTypeGet(
        rank, dimensions, build_element_of(value_type(from)), (MlirAttribute){0});
}

/* An axis counts from 0, or from the end where it is negative. -1 after an error. */
static int64_t checked_axis(
    lowering *lowering, const ast_node *call, size_t index, unsigned num_axes)
{
    if (!operation_has_constants(lowering, call, index))
        return -1;
    int64_t axis = operation_constant(call, index, 0);
    int64_t counted = axis < 0 ? axis + num_axes : axis;
    if (counted >= 0 && counted < num_axes)
        return counted;
    lower_error(lowering, call->place, AXIS_OUT_OF_RANGE, (long long)axis, num_axes);
    return -1;
}

static bool is_tile_argument(lowering *lowering, const ast_node *call, value argument)
{
    if (!value_is_valid(argument))
        return false;
    if (value_is_tile(argument) && !value_is_pointer(argument))
        return true;
    lower_error(lowering, call->place, TILE_WANTED, value_describe(lowering, argument));
    return false;
}

static value insert_axis(lowering *lowering, value tile, int64_t axis)
{
    builder *builder = &lowering->builder;
    int64_t old[AST_MAX_RANK], dimensions[AST_MAX_RANK + 1];
    unsigned rank = value_shape(tile, old);
    for (unsigned i = 0, from = 0; i <= rank; i++)
        dimensions[i] = i == axis ? 1 : old[from++];
    tile.ssa = build_single(builder, "tt.expand_dims",
        &(build_parts){.result = with_shape(tile, rank + 1, dimensions),
            .operands = {tile.ssa},
            .attributes = {{"axis", build_i32_attribute(builder, (int32_t)axis)}}});
    return tile;
}

static bool has_room(lowering *lowering, const ast_node *call, value tile)
{
    int64_t dimensions[AST_MAX_RANK];
    if (value_shape(tile, dimensions) < AST_MAX_RANK)
        return true;
    lower_error(lowering, call->place, TOO_MANY_DIMENSIONS, AST_MAX_RANK);
    return false;
}

value operation_expand_dims(lowering *lowering, const ast_node *call)
{
    value tile = operation_value(lowering, call, 1);
    int64_t dimensions[AST_MAX_RANK];
    if (!is_tile_argument(lowering, call, tile) || !has_room(lowering, call, tile))
        return (value){0};
    int64_t axis = checked_axis(lowering, call, 2, value_shape(tile, dimensions) + 1);
    return axis < 0 ? (value){0} : insert_axis(lowering, tile, axis);
}

value lower_broadcast(
    lowering *lowering, ast_place place, value from, unsigned rank, const int64_t *dimensions)
{
    builder *builder = &lowering->builder;
    int64_t old[AST_MAX_RANK];
    unsigned old_rank = value_shape(from, old);
    MlirType type = with_shape(from, rank, dimensions);
    if (old_rank == 0) {
        from.ssa = build_splat(builder, from.ssa, type);
        from.is_mask = from.element == ELEMENT_bool;
        return from;
    }
    bool fits = old_rank == rank;
    for (unsigned i = 0; fits && i < rank; i++)
        fits = old[i] == dimensions[i] || old[i] == 1;
    if (!fits)
        return lower_error(lowering, place, NO_REPETITION, value_describe(lowering, from),
            operation_describe_dimensions(lowering, rank, dimensions));
    if (!mlirTypeEqual(type, value_type(from)))
        from.ssa = build_value(builder, "tt.broadcast", type, from.ssa);
    return from;
}

value operation_expand(lowering *lowering, const ast_node *call)
{
    value tile = operation_expand_dims(lowering, call);
    int64_t dimensions[AST_MAX_RANK];
    if (!value_is_valid(tile))
        return tile;
    unsigned rank = value_shape(tile, dimensions);
    int64_t axis = operation_constant(call, 2, 0);
    dimensions[axis < 0 ? axis + rank : axis] = operation_constant(call, 3, 1);
    return lower_broadcast(lowering, call->place, tile, rank, dimensions);
}

value operation_broadcast_to(lowering *lowering, const ast_node *call)
{
    value from = operation_value(lowering, call, 1);
    int64_t dimensions[AST_MAX_RANK];
    unsigned rank = operation_dimensions(call, 2, dimensions);
    return value_is_valid(from) ? lower_broadcast(lowering, call->place, from, rank, dimensions)
                                : from;
}

static int64_t product(unsigned rank, const int64_t *dimensions)
{
    int64_t count = 1;
    for (unsigned i = 0; i < rank; i++)
        count *= dimensions[i];
    return count;
}

value operation_reshape(lowering *lowering, const ast_node *call)
{
    value tile = operation_value(lowering, call, 1);
    int64_t old[AST_MAX_RANK], dimensions[AST_MAX_RANK];
    if (!is_tile_argument(lowering, call, tile) || !operation_has_constants(lowering, call, 2))
        return (value){0};
    unsigned rank = operation_dimensions(call, 2, dimensions);
    if (product(value_shape(tile, old), old) != product(rank, dimensions))
        return lower_error(lowering, call->place, COUNTS_DIFFER, value_describe(lowering, tile),
            operation_describe_dimensions(lowering, rank, dimensions));
    MlirType type = with_shape(tile, rank, dimensions);
    if (!mlirTypeEqual(type, value_type(tile)))
        tile.ssa = build_value(&lowering->builder, "tt.reshape", type, tile.ssa);
    return tile;
}

/* Dimension i of the result is dimension order[i] of the tile. */
static value permute(lowering *lowering, value tile, unsigned rank, const int32_t *order)
{
    builder *builder = &lowering->builder;
    int64_t old[AST_MAX_RANK], dimensions[AST_MAX_RANK];
    value_shape(tile, old);
    for (unsigned i = 0; i < rank; i++)
        dimensions[i] = old[order[i]];
    MlirAttribute attribute = mlirDenseI32ArrayGet(builder->context, rank, order);
    tile.ssa = build_single(builder, "tt.trans",
        &(build_parts){.result = with_shape(tile, rank, dimensions),
            .operands = {tile.ssa},
            .attributes = {{"order", attribute}}});
    return tile;
}

value operation_trans(lowering *lowering, const ast_node *call)
{
    value tile = operation_value(lowering, call, 1);
    int64_t dimensions[AST_MAX_RANK];
    if (!is_tile_argument(lowering, call, tile))
        return (value){0};
    unsigned rank = value_shape(tile, dimensions);
    if (rank < 2)
        return lower_error(lowering, call->place, NO_TRANSPOSE, value_describe(lowering, tile));
    int32_t order[AST_MAX_RANK] = {0, 1, 2, 3, 4};
    order[rank - 1] = (int32_t)rank - 2;
    order[rank - 2] = (int32_t)rank - 1;
    return permute(lowering, tile, rank, order);
}

value operation_permute(lowering *lowering, const ast_node *call)
{
    value tile = operation_value(lowering, call, 1);
    int64_t dimensions[AST_MAX_RANK], given[AST_MAX_RANK];
    if (!is_tile_argument(lowering, call, tile) || !operation_has_constants(lowering, call, 2))
        return (value){0};
    unsigned rank = value_shape(tile, dimensions), seen = 0;
    unsigned count = operation_dimensions(call, 2, given);
    int32_t order[AST_MAX_RANK];
    for (unsigned i = 0; i < count; i++) {
        bool is_dimension = given[i] >= 0 && given[i] < rank;
        order[i] = is_dimension ? (int32_t)given[i] : 0;
        seen |= is_dimension ? 1U << given[i] : 0;
    }
    if (count != rank || seen != (1U << rank) - 1)
        return lower_error(lowering, call->place, NO_PERMUTATION,
            operation_describe_dimensions(lowering, count, given), value_describe(lowering, tile));
    return permute(lowering, tile, rank, order);
}
