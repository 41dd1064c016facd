/* Reductions and tl_dot. */
#include "frontend/lower_operations.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialect/dialect.h"

/* What a reduction combines: one tile, or a tile and the indices of its elements. */
typedef struct reduction {
    value sources[2];
    size_t count;
    int32_t axis;
} reduction;

/* Builds the combination of two groups in the region: arguments left[], right[], results[]. */
typedef void combine_function(lowering *lowering, const void *context, const value *left,
    const value *right, size_t count, value *results);

static bool is_float(element_type element)
{
    return element_describe(element)->category == ELEMENT_FLOATING;
}

/* ---- The shape of a reduction ---------------------------------------------------------------- */

/* No axis: all elements, in order, as one row. */
static value flattened(lowering *lowering, value tile)
{
    int64_t dimensions[AST_MAX_RANK], count = 1;
    unsigned rank = value_shape(tile, dimensions);
    for (unsigned i = 0; i < rank; i++)
        count *= dimensions[i];
    if (rank == 1)
        return tile;
    MlirType type =
        mlirRankedTensorTypeGet(1, &count, build_element_of(value_type(tile)), (MlirAttribute){0});
    tile.ssa = build_value(&lowering->builder, "tt.reshape", type, tile.ssa);
    return tile;
}

/* Whether the dimensions that the call says are left are those that are. */
static bool leaves_dimensions(
    lowering *lowering, const ast_node *call, size_t first, value tile, int64_t axis)
{
    int64_t dimensions[AST_MAX_RANK], said[AST_MAX_RANK];
    unsigned rank = value_shape(tile, dimensions), left = 0;
    unsigned num_said = operation_dimensions(call, first, said);
    for (unsigned i = 0; i < rank; i++)
        if (i != axis)
            dimensions[left++] = dimensions[i];
    if (num_said == left && memcmp(said, dimensions, left * sizeof *said) == 0)
        return true;
    lower_error(lowering, call->place, DIMENSIONS_LEFT, value_describe(lowering, tile),
        (long long)axis, operation_describe_dimensions(lowering, left, dimensions),
        operation_describe_dimensions(lowering, num_said, said));
    return false;
}

/* Reads the tile, and the axis behind argument `first`. False after an error. */
static bool read_reduction(
    lowering *lowering, const ast_node *call, size_t first, reduction *out_reduction)
{
    value tile = operation_value(lowering, call, 1);
    if (!value_is_valid(tile))
        return false;
    if (!value_is_tile(tile) || value_is_pointer(tile)) {
        lower_error(lowering, call->place, TILE_WANTED, value_describe(lowering, tile));
        return false;
    }
    *out_reduction = (reduction){.count = 1};
    if (call->num_children <= first) {
        out_reduction->sources[0] = flattened(lowering, tile);
        return true;
    }
    if (!operation_has_constants(lowering, call, first))
        return false;
    int64_t dimensions[AST_MAX_RANK];
    unsigned rank = value_shape(tile, dimensions);
    int64_t axis = operation_constant(call, first, 0);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank) {
        lower_error(lowering, call->place, NO_SUCH_AXIS, value_describe(lowering, tile),
            (long long)operation_constant(call, first, 0));
        return false;
    }
    out_reduction->sources[0] = tile;
    out_reduction->axis = (int32_t)axis;
    return leaves_dimensions(lowering, call, first + 1, tile, axis);
}

static MlirType reduced_type(value source, int32_t axis)
{
    int64_t dimensions[AST_MAX_RANK], left[AST_MAX_RANK];
    unsigned rank = value_shape(source, dimensions), count = 0;
    MlirType element = build_element_of(value_type(source));
    for (unsigned i = 0; i < rank; i++)
        if (i != (unsigned)axis)
            left[count++] = dimensions[i];
    return count ? mlirRankedTensorTypeGet(count, left, element, (MlirAttribute){0}) : element;
}

/* ---- tt.reduce ------------------------------------------------------------------------------- */

static MlirBlock combine_block(
    lowering *lowering, const reduction *reduction, combine_function *combine, const void *context)
{
    MlirType types[4];
    MlirLocation locations[4];
    size_t count = reduction->count;
    for (size_t i = 0; i < 2 * count; i++) {
        types[i] = build_element_of(value_type(reduction->sources[i % count]));
        locations[i] = lowering->builder.location;
    }
    MlirBlock outer = lowering->builder.block;
    MlirBlock block = mlirBlockCreate((intptr_t)(2 * count), types, locations);
    value groups[4] = {0}, results[2] = {0};
    for (size_t i = 0; i < 2 * count; i++) {
        groups[i] = reduction->sources[i % count];
        groups[i].ssa = mlirBlockGetArgument(block, (intptr_t)i);
    }
    lowering->builder.block = block;
    combine(lowering, context, groups, groups + count, count, results);
    build_parts parts = {0};
    for (size_t i = 0; i < count; i++)
        parts.operands[i] = results[i].ssa;
    build_operation(&lowering->builder, "tt.reduce.return", &parts);
    lowering->builder.block = outer;
    return block;
}

static MlirOperation build_reduce(
    lowering *lowering, const reduction *reduction, combine_function *combine, const void *context)
{
    builder *builder = &lowering->builder;
    MlirOperationState state =
        mlirOperationStateGet(mlirStringRefCreateFromCString("tt.reduce"), builder->location);
    for (size_t i = 0; i < reduction->count; i++) {
        MlirType result = reduced_type(reduction->sources[i], reduction->axis);
        mlirOperationStateAddOperands(&state, 1, &reduction->sources[i].ssa);
        mlirOperationStateAddResults(&state, 1, &result);
    }
    MlirNamedAttribute axis = mlirNamedAttributeGet(
        mlirIdentifierGet(builder->context, mlirStringRefCreateFromCString("axis")),
        build_i32_attribute(builder, reduction->axis));
    mlirOperationStateAddAttributes(&state, 1, &axis);
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, combine_block(lowering, reduction, combine, context));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
    MlirOperation made = mlirOperationCreate(&state);
    mlirBlockAppendOwnedOperation(builder->block, made);
    return made;
}

static value result_of(MlirOperation operation, size_t index, value like)
{
    like.ssa = mlirOperationGetResult(operation, (intptr_t)index);
    return like;
}

/* ---- Sums, products, extremes ---------------------------------------------------------------- */

/* An arith operation for each class of element. */
typedef struct by_class {
    const char *for_float, *for_signed, *for_unsigned;
} by_class;

static const char *name_for(by_class names, element_type element)
{
    if (is_float(element))
        return names.for_float;
    return element_describe(element)->is_signed ? names.for_signed : names.for_unsigned;
}

static void combine_by_name(lowering *lowering, const void *context, const value *left,
    const value *right, size_t count, value *results)
{
    (void)count;
    const by_class *names = context;
    results[0] = left[0];
    results[0].ssa = build_value(&lowering->builder, name_for(*names, left[0].element),
        value_type(left[0]), left[0].ssa, right[0].ssa);
}

/* The element that sums and products of narrow ones are computed in, and what they are given as:
 * narrow integers widen for good, f16 and bf16 are rounded once at the end. */
static element_type accumulator_of(element_type element)
{
    const element_info *info = element_describe(element);
    if (info->category == ELEMENT_FLOATING)
        return info->bits < 32 ? ELEMENT_f32 : element;
    if (info->bits < 32)
        return info->is_signed ? ELEMENT_i32 : ELEMENT_u32;
    return element;
}

static value reduce_by_name(lowering *lowering, const ast_node *call, by_class names, bool widens)
{
    reduction reduction;
    if (!read_reduction(lowering, call, 2, &reduction))
        return (value){0};
    value *source = &reduction.sources[0];
    if (source->is_mask)
        return lower_error(lowering, call->place, SUM_OF_MASK, value_describe(lowering, *source));
    element_type element = source->element;
    if (widens || (is_float(element) && element_describe(element)->bits < 32))
        *source = lower_convert(lowering, *source, accumulator_of(element));
    MlirOperation made = build_reduce(lowering, &reduction, combine_by_name, &names);
    value result = result_of(made, 0, *source);
    return is_float(element) ? lower_convert(lowering, result, element) : result;
}

value operation_sum(lowering *lowering, const ast_node *call)
{
    return reduce_by_name(
        lowering, call, (by_class){"arith.addf", "arith.addi", "arith.addi"}, true);
}

value operation_prod(lowering *lowering, const ast_node *call)
{
    return reduce_by_name(
        lowering, call, (by_class){"arith.mulf", "arith.muli", "arith.muli"}, true);
}

value operation_max(lowering *lowering, const ast_node *call)
{
    return reduce_by_name(
        lowering, call, (by_class){"arith.maxnumf", "arith.maxsi", "arith.maxui"}, false);
}

value operation_min(lowering *lowering, const ast_node *call)
{
    return reduce_by_name(
        lowering, call, (by_class){"arith.minnumf", "arith.minsi", "arith.minui"}, false);
}

value operation_count(lowering *lowering, const ast_node *call)
{
    reduction reduction;
    if (!read_reduction(lowering, call, 2, &reduction))
        return (value){0};
    value *source = &reduction.sources[0];
    if (!operation_is_mask(lowering, call, *source))
        return (value){0};
    value mask = lower_truth(lowering, *source);
    MlirType type = build_with_element(value_type(mask), lower_element_type(lowering, ELEMENT_i32));
    *source = (value){.ssa = build_value(&lowering->builder, "arith.extui", type, mask.ssa),
        .element = ELEMENT_i32};
    const by_class add = {NULL, "arith.addi", "arith.addi"};
    return result_of(build_reduce(lowering, &reduction, combine_by_name, &add), 0, *source);
}

/* ---- Index of an extreme --------------------------------------------------------------------- */

/* The predicates that say a value beats another one. */
typedef struct beats {
    int for_float, for_signed, for_unsigned;
} beats;

static MlirValue both(lowering *lowering, const char *name, MlirValue a, MlirValue b)
{
    return build_value(&lowering->builder, name, mlirValueGetType(a), a, b);
}

/* What a float's comparison leaves open: its bits tell the zeros apart, of which -0 is the less,
 * and a NaN loses against every number; of two NaN none is better. */
static void compare_floats(lowering *lowering, const beats *beats, MlirValue left, MlirValue right,
    MlirValue *is_better, MlirValue *is_equal)
{
    builder *builder = &lowering->builder;
    const bool is_wide = mlirTypeIsAF64(mlirValueGetType(left));
    const bool is_single = mlirTypeIsAF32(mlirValueGetType(left));
    MlirType type = mlirIntegerTypeGet(builder->context, is_wide ? 64 : is_single ? 32 : 16);
    MlirValue left_bits = build_value(builder, "arith.bitcast", type, left);
    MlirValue right_bits = build_value(builder, "arith.bitcast", type, right);
    MlirValue bits_win =
        build_compare(builder, "arith.cmpi", beats->for_signed, left_bits, right_bits);
    MlirValue left_nan = build_compare(builder, "arith.cmpf", CMPF_UNO, left, left);
    MlirValue right_nan = build_compare(builder, "arith.cmpf", CMPF_UNO, right, right);
    MlirValue left_number =
        both(lowering, "arith.xori", left_nan, lower_boolean(lowering, true).ssa);
    MlirValue zero_wins = both(lowering, "arith.andi", *is_equal, bits_win);
    *is_better = both(lowering, "arith.ori", *is_better, zero_wins);
    *is_better = both(
        lowering, "arith.ori", *is_better, both(lowering, "arith.andi", left_number, right_nan));
    *is_equal = both(lowering, "arith.ori",
        build_compare(builder, "arith.cmpi", CMPI_EQ, left_bits, right_bits),
        both(lowering, "arith.andi", left_nan, right_nan));
}

/* The left group stays where it beats the right, or where they are equal and its index is lower. */
static void combine_indexed(lowering *lowering, const void *context, const value *left,
    const value *right, size_t count, value *results)
{
    const beats *beats = context;
    builder *builder = &lowering->builder;
    element_type element = left[0].element;
    const char *compare = is_float(element) ? "arith.cmpf" : "arith.cmpi";
    int wins = is_float(element)                      ? beats->for_float
               : element_describe(element)->is_signed ? beats->for_signed
                                                      : beats->for_unsigned;
    int equal = is_float(element) ? CMPF_OEQ : CMPI_EQ;
    MlirValue is_better = build_compare(builder, compare, wins, left[0].ssa, right[0].ssa);
    MlirValue is_equal = build_compare(builder, compare, equal, left[0].ssa, right[0].ssa);
    MlirValue is_before = build_compare(builder, "arith.cmpi", CMPI_SLT, left[1].ssa, right[1].ssa);
    if (is_float(element))
        compare_floats(lowering, beats, left[0].ssa, right[0].ssa, &is_better, &is_equal);
    MlirValue ties = both(lowering, "arith.andi", is_equal, is_before);
    MlirValue stays = both(lowering, "arith.ori", is_better, ties);
    for (size_t i = 0; i < count; i++) {
        results[i] = left[i];
        results[i].ssa = build_value(
            builder, "arith.select", value_type(left[i]), stays, left[i].ssa, right[i].ssa);
    }
}

/* The index of each element along the axis, as a tile of the source's shape. */
static value indices_along(lowering *lowering, const ast_node *call, value source, int32_t axis)
{
    builder *builder = &lowering->builder;
    int64_t dimensions[AST_MAX_RANK], ones[AST_MAX_RANK] = {1, 1, 1, 1, 1};
    unsigned rank = value_shape(source, dimensions);
    MlirType row = lower_tile_type(lowering, ELEMENT_i32, 1, &dimensions[axis]);
    value range = {.element = ELEMENT_i32};
    range.ssa = build_single(builder, "tt.make_range",
        &(build_parts){.result = row,
            .attributes = {{"start", build_i32_attribute(builder, 0)},
                {"end", build_i32_attribute(builder, (int32_t)dimensions[axis])}}});
    ones[axis] = dimensions[axis];
    MlirType shaped = lower_tile_type(lowering, ELEMENT_i32, rank, ones);
    if (rank > 1)
        range.ssa = build_value(builder, "tt.reshape", shaped, range.ssa);
    return lower_broadcast(lowering, call->place, range, rank, dimensions);
}

static value index_of_extreme(lowering *lowering, const ast_node *call, beats beats)
{
    reduction reduction;
    if (!read_reduction(lowering, call, 2, &reduction))
        return (value){0};
    reduction.sources[0] = lower_lanes(lowering, reduction.sources[0]);
    reduction.sources[1] = indices_along(lowering, call, reduction.sources[0], reduction.axis);
    reduction.count = 2;
    MlirOperation made = build_reduce(lowering, &reduction, combine_indexed, &beats);
    return result_of(made, 1, (value){.element = ELEMENT_i32});
}

value operation_argmax(lowering *lowering, const ast_node *call)
{
    return index_of_extreme(lowering, call, (beats){CMPF_OGT, CMPI_SGT, CMPI_UGT});
}

value operation_argmin(lowering *lowering, const ast_node *call)
{
    return index_of_extreme(lowering, call, (beats){CMPF_OLT, CMPI_SLT, CMPI_ULT});
}

/* ---- tl_reduce: by a function of the user's -------------------------------------------------- */

typedef struct user_combine {
    const ast_function *function;
    ast_place place;
} user_combine;

static void combine_by_function(lowering *lowering, const void *context, const value *left,
    const value *right, size_t count, value *results)
{
    (void)count;
    const user_combine *combine = context;
    const value arguments[] = {left[0], right[0]};
    results[0] = lower_inlined(lowering, combine->place, combine->function, arguments, 2);
    if (!value_is_valid(results[0]))
        results[0] = left[0]; /* an error was reported: any value will do */
    results[0] = lower_convert(lowering, results[0], left[0].element);
}

value operation_reduce(lowering *lowering, const ast_node *call)
{
    reduction reduction;
    const ast_node *name = call->children[2];
    if (!read_reduction(lowering, call, 3, &reduction))
        return (value){0};
    const ast_function *function =
        name->kind == AST_FUNCTION ? lower_find_helper(lowering, name->name) : NULL;
    if (!function || function->num_parameters != 2)
        return lower_error(lowering, name->place, COMBINE);
    reduction.sources[0] = lower_lanes(lowering, reduction.sources[0]);
    user_combine combine = {function, call->place};
    MlirOperation made = build_reduce(lowering, &reduction, combine_by_function, &combine);
    return result_of(made, 0, reduction.sources[0]);
}

/* ---- tl_dot ---------------------------------------------------------------------------------- */

static bool multiplies(value a, value b, value acc)
{
    int64_t x[AST_MAX_RANK], y[AST_MAX_RANK], z[AST_MAX_RANK];
    unsigned rank = value_shape(a, x);
    if ((rank != 2 && rank != 3) || value_shape(b, y) != rank || value_shape(acc, z) != rank)
        return false;
    unsigned m = rank - 2, n = rank - 1;
    bool same_batch = rank == 2 || (x[0] == y[0] && x[0] == z[0]);
    return same_batch && x[n] == y[m] && x[m] == z[m] && y[n] == z[n];
}

/* The accumulator that products of an element go into. tt.dot reads 8 bits as signed. */
static bool accumulates(element_type factor, element_type sum)
{
    const element_info *info = element_describe(factor);
    if (info->category != ELEMENT_FLOATING)
        return factor == ELEMENT_i8 && sum == ELEMENT_i32;
    return sum == (factor == ELEMENT_f64 ? ELEMENT_f64 : ELEMENT_f32) ||
           (factor == ELEMENT_f16 && sum == ELEMENT_f16);
}

value operation_dot(lowering *lowering, const ast_node *call)
{
    value a = operation_value(lowering, call, 1), b = operation_value(lowering, call, 2);
    value acc = operation_value(lowering, call, 3);
    a = lower_lanes(lowering, a);
    b = lower_lanes(lowering, b);
    acc = lower_lanes(lowering, acc);
    if (!value_is_valid(a) || !value_is_valid(b) || !value_is_valid(acc))
        return (value){0};
    if (!multiplies(a, b, acc) || a.element != b.element || !accumulates(a.element, acc.element))
        return lower_error(lowering, call->place, DOT, value_describe(lowering, a),
            value_describe(lowering, b), value_describe(lowering, acc));
    builder *builder = &lowering->builder;
    acc.ssa = build_single(builder, "tt.dot",
        &(build_parts){.result = value_type(acc),
            .operands = {a.ssa, b.ssa, acc.ssa},
            .attributes = {{"inputPrecision", build_i32_attribute(builder, TT_PRECISION_IEEE)},
                {"maxNumImpreciseAcc", build_i32_attribute(builder, 0)}}});
    return acc;
}
