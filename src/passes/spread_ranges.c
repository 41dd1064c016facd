/* spread-ranges: makes ranges in the shape in which they are used.
 *
 *     %r = tt.make_range {0, 2048}         %i = tt.make_range {0, 32}, along dimension 0
 *     %t = tt.reshape %r : 32x64     ->    %j = tt.make_range {0, 64}, along dimension 1
 *                                          %t = %i * 64 + %j : 32x64
 *
 * Elements of a reshaped tile lie in other threads than those of the tile, so a reshape is a trip
 * through shared memory; the sum is computed where it is needed, in whatever layout that has. What
 * is computed element by element from ranges, splats and constants alone is repeated likewise, if
 * it is little.
 */
#include "analysis/layout_encoding.h"
#include "base/arena.h"
#include "dialect/dialect.h"
#include "passes/op_builder.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_REPEATED = 16 };

/* A reshape, whose result is made anew right before it. */
struct spread {
    struct op_builder builder;
    MlirContext context;
    int64_t rank, shape[LAYOUT_MAX_RANK];
};

/* ---- Building -------------------------------------------------------------------------------- */

static MlirType shaped(const struct spread *spread, MlirType element)
{
    return mlirRankedTensorTypeGet(spread->rank, spread->shape, element, mlirAttributeGetNull());
}

static MlirValue constant(const struct spread *spread, MlirType type, int64_t value)
{
    MlirAttribute element = mlirIntegerAttrGet(mlirShapedTypeGetElementType(type), value);
    MlirNamedAttribute attribute =
        op_attribute(spread->context, "value", mlirDenseElementsAttrSplatGet(type, element));
    return op_build_value(&spread->builder, &(struct op_parts){.name = "arith.constant",
                                                .result_count = 1,
                                                .results = &type,
                                                .attribute_count = 1,
                                                .attributes = &attribute});
}

static MlirValue combine(
    const struct spread *spread, const char *name, MlirValue left, MlirValue right)
{
    return op_build_binary(&spread->builder, name, left, right, mlirValueGetType(left));
}

/* ---- Making anew ----------------------------------------------------------------------------- */

static MlirValue make_range(const struct spread *spread, int64_t count, MlirType element)
{
    MlirNamedAttribute attributes[] = {
        op_attribute(spread->context, "end", pass_i32_attribute(spread->context, count)),
        op_attribute(spread->context, "start", pass_i32_attribute(spread->context, 0)),
    };
    MlirType type = mlirRankedTensorTypeGet(1, &count, element, mlirAttributeGetNull());
    return op_build_value(&spread->builder, &(struct op_parts){.name = "tt.make_range",
                                                .result_count = 1,
                                                .results = &type,
                                                .attribute_count = 2,
                                                .attributes = attributes});
}

static MlirValue expand_dims(
    const struct spread *spread, MlirValue tile, int64_t axis, MlirType type)
{
    MlirNamedAttribute attribute =
        op_attribute(spread->context, "axis", pass_i32_attribute(spread->context, axis));
    return op_build_value(&spread->builder, &(struct op_parts){.name = "tt.expand_dims",
                                                .operand_count = 1,
                                                .operands = &tile,
                                                .result_count = 1,
                                                .results = &type,
                                                .attribute_count = 1,
                                                .attributes = &attribute});
}

/* 0, 1, ... along one dimension, the same along the others: dimensions of size 1 are put behind the
 * range first, and then before it. */
static MlirValue range_along(const struct spread *spread, int64_t dimension, MlirType element)
{
    int64_t shape[LAYOUT_MAX_RANK], size = spread->shape[dimension];
    int64_t behind = spread->rank - 1 - dimension;
    MlirValue range = make_range(spread, size, element);
    for (int64_t rank = 1; rank < spread->rank; rank++) {
        bool is_behind = rank <= behind;
        for (int64_t i = 0; i <= rank; i++)
            shape[i] = 1;
        shape[is_behind ? 0 : rank - behind] = size;
        MlirType type = mlirRankedTensorTypeGet(rank + 1, shape, element, mlirAttributeGetNull());
        range = expand_dims(spread, range, is_behind ? rank : 0, type);
    }
    return op_build_unary(&spread->builder, "tt.broadcast", range, shaped(spread, element));
}

static MlirValue spread_range(const struct spread *spread, MlirOperation op)
{
    MlirAttribute start =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("start"));
    MlirType element =
        mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetResult(op, 0)));
    MlirType type = shaped(spread, element);
    MlirValue sum = {NULL};
    int64_t stride = 1;
    for (int64_t d = spread->rank; d-- > 0; stride *= spread->shape[d]) {
        if (spread->shape[d] == 1)
            continue;
        MlirValue part = range_along(spread, d, element);
        if (stride > 1)
            part = combine(spread, "arith.muli", part, constant(spread, type, stride));
        sum = mlirValueIsNull(sum) ? part : combine(spread, "arith.addi", part, sum);
    }
    int64_t first = mlirIntegerAttrGetValueInt(start);
    if (mlirValueIsNull(sum))
        return constant(spread, type, first);
    return first ? combine(spread, "arith.addi", sum, constant(spread, type, first)) : sum;
}

static MlirValue respread(const struct spread *spread, MlirValue value);

/* A copy whose operands and results have the new shape. */
static MlirValue repeat(const struct spread *spread, MlirOperation op)
{
    MlirOperation copy = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        mlirOperationSetOperand(copy, i, respread(spread, mlirOperationGetOperand(op, i)));
    MlirValue result = mlirOperationGetResult(copy, 0);
    MlirType type = shaped(spread, mlirShapedTypeGetElementType(mlirValueGetType(result)));
    if (op_id_of(op) == OP_ARITH_CONSTANT)
        pass_constant_set_type(copy, type);
    else
        mlirValueSetType(result, type);
    op_insert(&spread->builder, copy);
    return result;
}

static MlirValue respread(const struct spread *spread, MlirValue value)
{
    if (!mlirTypeIsARankedTensor(mlirValueGetType(value)))
        return value;
    MlirOperation op = mlirOpResultGetOwner(value);
    return op_id_of(op) == OP_TT_MAKE_RANGE ? spread_range(spread, op) : repeat(spread, op);
}

/* ---- Which reshapes -------------------------------------------------------------------------- */

static bool is_splat_constant(MlirOperation op)
{
    MlirAttribute value =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("value"));
    return mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value);
}

/* Whether the tile is computed from ranges, splats and constants, by few operations. Counts them,
 * and ranges, without which nothing is gained that a splat's own folding would not bring. */
static bool is_made_of_ranges(MlirValue value, unsigned *operations, unsigned *ranges)
{
    if (!mlirTypeIsARankedTensor(mlirValueGetType(value)))
        return true;
    if (!mlirValueIsAOpResult(value) || ++*operations > MOST_REPEATED)
        return false;
    MlirOperation op = mlirOpResultGetOwner(value);
    switch (op_id_of(op)) {
    case OP_TT_MAKE_RANGE:
        ++*ranges;
        return true;
    case OP_TT_SPLAT:
        return true;
    case OP_ARITH_CONSTANT:
        return is_splat_constant(op);
    default:
        break;
    }
    if (!ir_is_elementwise(op) || !ir_is_pure(op) || mlirOperationGetNumResults(op) != 1)
        return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (!is_made_of_ranges(mlirOperationGetOperand(op, i), operations, ranges))
            return false;
    return true;
}

/* One that only inserts or drops dimensions of size 1 moves nothing in slices (layout_ties.h). */
static bool is_wanted(MlirOperation reshape)
{
    unsigned operations = 0, ranges = 0, dimensions[LAYOUT_MAX_RANK];
    MlirValue operand = mlirOperationGetOperand(reshape, 0);
    MlirType type = mlirValueGetType(mlirOperationGetResult(reshape, 0));
    struct layout_shape from, to;
    return mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)) &&
           layout_shape_of_type(mlirValueGetType(operand), &from) &&
           layout_shape_of_type(type, &to) && !layout_shape_same_but_ones(&from, &to, dimensions) &&
           is_made_of_ranges(operand, &operations, &ranges) && ranges > 0;
}

static void replace(MlirOperation reshape)
{
    MlirValue result = mlirOperationGetResult(reshape, 0);
    MlirType type = mlirValueGetType(result);
    struct spread spread = {.builder = op_builder_before(reshape),
        .context = mlirOperationGetContext(reshape),
        .rank = mlirShapedTypeGetRank(type)};
    for (int64_t i = 0; i < spread.rank; i++)
        spread.shape[i] = mlirShapedTypeGetDimSize(type, i);
    mlirValueReplaceAllUsesOfWith(result, respread(&spread, mlirOperationGetOperand(reshape, 0)));
    mlirOperationDestroy(reshape);
}

/* ---- The module ------------------------------------------------------------------------------ */

struct found {
    struct found *next;
    MlirOperation reshape;
};

struct search {
    arena *arena;
    struct found *first, **end;
};

static MlirWalkResult collect(MlirOperation op, void *user)
{
    struct search *search = user;
    if (op_id_of(op) != OP_TT_RESHAPE || !is_wanted(op))
        return MlirWalkResultAdvance;
    struct found *found = arena_new(search->arena, struct found);
    *found = (struct found){.reshape = op};
    *search->end = found;
    search->end = &found->next;
    return MlirWalkResultAdvance;
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    (void)options;
    struct search search = {.arena = arena_create()};
    search.end = &search.first;
    mlirOperationWalk(module, collect, &search, MlirWalkPreOrder);
    for (const struct found *each = search.first; each; each = each->next)
        replace(each->reshape);
    arena_destroy(search.arena);
    return true;
}

MlirPass pass_create_spread_ranges(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "spread-ranges",
        "makes ranges in the shape in which they are used", run, options);
}
