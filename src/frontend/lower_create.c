/* The operations that make tiles: the grid's numbers, ranges and constants. */
#include "frontend/lower_operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static value lower_grid(lowering *lowering, const ast_node *call, const char *name)
{
    builder *builder = &lowering->builder;
    MlirAttribute axis = build_i32_attribute(builder, (int32_t)call->children[0]->integer);
    MlirType type = mlirIntegerTypeGet(builder->context, 32);
    return (value){
        .ssa = build_single(
            builder, name, &(build_parts){.result = type, .attributes = {{"axis", axis}}}),
        .element = ELEMENT_i32,
    };
}

value operation_program_id(lowering *lowering, const ast_node *call)
{
    return lower_grid(lowering, call, "tt.get_program_id");
}

value operation_num_programs(lowering *lowering, const ast_node *call)
{
    return lower_grid(lowering, call, "tt.get_num_programs");
}

/* tt.make_range counts from its start, which is not negative: other ranges are one from 0, moved.
 */
value operation_arange(lowering *lowering, const ast_node *call)
{
    builder *builder = &lowering->builder;
    int64_t begin = (int64_t)call->children[0]->integer;
    int64_t count = (int64_t)call->children[1]->integer - begin;
    int64_t start = begin > 0 && begin + count <= INT32_MAX ? begin : 0;
    if (!lower_is_tile_size(lowering, call->place, 1, &count))
        return (value){0};
    MlirType type = lower_tile_type(lowering, ELEMENT_i32, 1, &count);
    value range = {.element = ELEMENT_i32};
    range.ssa = build_single(builder, "tt.make_range",
        &(build_parts){
            .result = type,
            .attributes = {{"start", build_i32_attribute(builder, (int32_t)start)},
                {"end", build_i32_attribute(builder, (int32_t)(start + count))}},
        });
    if (start != begin)
        range.ssa = build_value(
            builder, "arith.addi", type, range.ssa, build_integer(builder, type, begin));
    return range;
}

/* The type of tl_zeros and tl_full: the element stands behind (T *)0, the dimensions at the end.
 * Null after an error. */
static MlirType created_type(
    lowering *lowering, const ast_node *call, size_t first_dimension, element_type *out_element)
{
    int64_t dimensions[AST_MAX_RANK];
    unsigned rank = operation_dimensions(call, first_dimension, dimensions);
    *out_element = operation_element(lowering, call, 1);
    if (*out_element == ELEMENT_NONE ||
        !lower_is_tile_size(lowering, call->place, rank, dimensions))
        return (MlirType){0};
    return lower_tile_type(lowering, *out_element, rank, dimensions);
}

value operation_zeros(lowering *lowering, const ast_node *call)
{
    value zeros = {0};
    MlirType type = created_type(lowering, call, 2, &zeros.element);
    if (mlirTypeIsNull(type))
        return (value){0};
    zeros.is_mask = zeros.element == ELEMENT_bool;
    zeros.ssa = lower_number(lowering, zeros.element, type, 0);
    return zeros;
}

value operation_full(lowering *lowering, const ast_node *call)
{
    value filled = operation_value(lowering, call, 2);
    if (!value_is_valid(filled) || !operation_is_number(lowering, call, filled, "value"))
        return (value){0};
    element_type element;
    MlirType type = created_type(lowering, call, 3, &element);
    if (mlirTypeIsNull(type))
        return (value){0};
    filled = lower_convert(lowering, filled, element);
    filled.ssa = build_splat(&lowering->builder, filled.ssa, type);
    filled.is_mask = element == ELEMENT_bool;
    return filled;
}
