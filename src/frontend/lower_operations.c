/* What each operation of the language means in the tt dialect. */
#include "frontend/lowering.h"
#include "frontend/operations.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef value operation_lowering(lowering *lowering, const ast_node *call);

/* C promotes what it passes through `...`; the operations want what the user wrote. */
static const ast_node *argument(const ast_node *call, size_t index)
{
    const ast_node *node = call->children[index];
    while (node->kind == AST_CAST && !node->is_explicit && node->cast == AST_CAST_ARITHMETIC)
        node = node->children[0];
    return node;
}

static value lower_argument(lowering *lowering, const ast_node *call, size_t index)
{
    return index < call->num_children ? lower_expression(lowering, argument(call, index))
                                      : (value){0};
}

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

static value operation_program_id(lowering *lowering, const ast_node *call)
{
    return lower_grid(lowering, call, "tt.get_program_id");
}

static value operation_num_programs(lowering *lowering, const ast_node *call)
{
    return lower_grid(lowering, call, "tt.get_num_programs");
}

/* tt.make_range counts from its start, which is not negative: other ranges are one from 0, moved.
 */
static value operation_arange(lowering *lowering, const ast_node *call)
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
    unsigned rank = 0;
    for (size_t i = first_dimension; i < call->num_children && rank < AST_MAX_RANK; i++)
        dimensions[rank++] = (int64_t)call->children[i]->integer;
    *out_element = call->children[1]->type->target->element;
    if (!lower_is_tile_size(lowering, call->place, rank, dimensions))
        return (MlirType){0};
    return lower_tile_type(lowering, *out_element, rank, dimensions);
}

static MlirValue build_zero(lowering *lowering, element_type element, MlirType type)
{
    return element_describe(element)->category == ELEMENT_FLOATING
               ? build_float(&lowering->builder, type, 0.0)
               : build_integer(&lowering->builder, type, 0);
}

static value operation_zeros(lowering *lowering, const ast_node *call)
{
    value zeros = {0};
    MlirType type = created_type(lowering, call, 2, &zeros.element);
    if (mlirTypeIsNull(type))
        return (value){0};
    zeros.is_mask = zeros.element == ELEMENT_bool;
    zeros.ssa = build_zero(lowering, zeros.element, type);
    return zeros;
}

/* The element that tl_full, and the `other` of tl_load, give to lanes. */
static bool is_number(lowering *lowering, const ast_node *call, value given, const char *what)
{
    if (!value_is_tile(given) && !value_is_pointer(given))
        return true;
    lower_error(lowering, call->place, "the %s is %s: it takes a number", what,
        value_describe(lowering, given));
    return false;
}

static value operation_full(lowering *lowering, const ast_node *call)
{
    value filled = lower_argument(lowering, call, 2);
    if (!value_is_valid(filled) || !is_number(lowering, call, filled, "value"))
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

/* Memory holds a bool as a byte, 0 or not. */
static value from_memory(lowering *lowering, value loaded)
{
    if (loaded.element != ELEMENT_bool)
        return loaded;
    loaded.element = ELEMENT_u8;
    value truth = lower_truth(lowering, loaded);
    truth.element = ELEMENT_bool;
    return truth;
}

static value to_memory(lowering *lowering, value stored, element_type element)
{
    if (element != ELEMENT_bool)
        return lower_lanes(lowering, stored);
    value truth = lower_truth(lowering, stored);
    MlirType bytes =
        build_with_element(value_type(truth), lower_memory_type(lowering, ELEMENT_bool));
    truth.ssa = build_value(&lowering->builder, "arith.extui", bytes, truth.ssa);
    truth.is_mask = false;
    return truth;
}

static MlirAttribute segments(lowering *lowering, int count, const int32_t *sizes)
{
    return mlirDenseI32ArrayGet(lowering->builder.context, count, sizes);
}

value lower_load(lowering *lowering, value pointer, value mask, value other)
{
    builder *builder = &lowering->builder;
    element_type element = pointer.pointee->element;
    MlirType type = build_with_element(value_type(pointer), lower_memory_type(lowering, element));
    value loaded = {.element = element};
    build_parts parts = {.result = type, .operands = {pointer.ssa}};
    int32_t sizes[] = {1, value_is_valid(mask), value_is_valid(other)};
    if (value_is_valid(mask))
        parts.operands[1] = lower_spread(lowering, lower_truth(lowering, mask), pointer).ssa;
    if (value_is_valid(other))
        parts.operands[2] =
            lower_spread(lowering, to_memory(lowering, other, element), pointer).ssa;
    parts.attributes[0] = (build_attribute){"operandSegmentSizes", segments(lowering, 3, sizes)};
    loaded.ssa = build_single(builder, "tt.load", &parts);
    return from_memory(lowering, loaded);
}

void lower_store(lowering *lowering, value pointer, value stored, value mask)
{
    element_type element = pointer.pointee->element;
    stored = lower_spread(lowering, to_memory(lowering, stored, element), pointer);
    build_parts parts = {.operands = {pointer.ssa, stored.ssa}};
    if (value_is_valid(mask))
        parts.operands[2] = lower_spread(lowering, lower_truth(lowering, mask), pointer).ssa;
    build_operation(&lowering->builder, "tt.store", &parts);
}

/* The pointers of tl_load and tl_store, argument 1 and 2. */
static value lower_addresses(lowering *lowering, const ast_node *call)
{
    value pointer = lower_argument(lowering, call, 1);
    value offsets = lower_argument(lowering, call, 2);
    if (!value_is_valid(pointer) || !value_is_valid(offsets))
        return (value){0};
    if (!value_is_pointer(pointer))
        return lower_error(lowering, call->place, "the first argument is %s, no pointer",
            value_describe(lowering, pointer));
    return lower_add_pointer(lowering, call->place, pointer, offsets);
}

/* The element counts agree, or the host's check had failed: here it is the exact shape. */
static bool has_shape_of_addresses(
    lowering *lowering, const ast_node *call, value operand, value addresses, const char *what)
{
    if (!value_is_valid(operand) || value_has_shape_of(operand, addresses))
        return true;
    lower_error(lowering, call->place, "the %s is %s, the offsets make %s", what,
        value_describe(lowering, operand), value_describe(lowering, addresses));
    return false;
}

/* A scalar, a comparison or a tile of integers, one for each address. */
static bool is_mask_of(lowering *lowering, const ast_node *call, value mask, value addresses)
{
    if (!value_is_valid(mask))
        return true;
    bool is_float = element_describe(mask.element)->category == ELEMENT_FLOATING;
    if (!value_is_pointer(mask) && !(value_is_tile(mask) && is_float))
        return has_shape_of_addresses(lowering, call, mask, addresses, "mask");
    lower_error(lowering, call->place, "the mask is %s: it takes a comparison or integers",
        value_describe(lowering, mask));
    return false;
}

/* What a masked load gives without `other`: in the tt dialect such lanes have no value. */
static value zero_of(lowering *lowering, element_type element)
{
    MlirType type = lower_element_type(lowering, element);
    return (value){.ssa = build_zero(lowering, element, type), .element = element};
}

static value operation_load(lowering *lowering, const ast_node *call)
{
    value addresses = lower_addresses(lowering, call);
    value mask = lower_argument(lowering, call, 3);
    value other = lower_argument(lowering, call, 4);
    bool is_complete = call->num_children <= 3 || value_is_valid(mask);
    if (!value_is_valid(addresses) || !is_complete || !is_mask_of(lowering, call, mask, addresses))
        return (value){0};
    if (value_is_valid(other) && !is_number(lowering, call, other, "other"))
        return (value){0};
    if (value_is_valid(other))
        other = lower_convert(lowering, other, addresses.pointee->element);
    else if (value_is_valid(mask))
        other = zero_of(lowering, addresses.pointee->element);
    return lower_load(lowering, addresses, mask, other);
}

/* As C's assignment through the pointer: scalars convert, tiles and opaque scalars do not. */
static value as_stored(lowering *lowering, const ast_node *call, value stored, element_type element)
{
    bool converts = !value_is_tile(stored) && !value_is_pointer(stored) &&
                    element_describe(stored.element)->is_arithmetic &&
                    element_describe(element)->is_arithmetic;
    if (converts)
        return lower_convert(lowering, stored, element);
    if (value_is_tile(stored) && element == ELEMENT_bool)
        return stored;
    value lanes = lower_lanes(lowering, stored);
    if (!value_is_pointer(stored) && lanes.element == element)
        return lanes;
    return lower_error(lowering, call->place, "%s is stored through a pointer to %s: tl_cast it",
        value_describe(lowering, stored), element_describe(element)->name);
}

static value operation_store(lowering *lowering, const ast_node *call)
{
    value addresses = lower_addresses(lowering, call);
    value stored = lower_argument(lowering, call, 3);
    value mask = lower_argument(lowering, call, 4);
    bool is_complete = call->num_children <= 4 || value_is_valid(mask);
    if (!value_is_valid(addresses) || !value_is_valid(stored) || !is_complete ||
        !is_mask_of(lowering, call, mask, addresses) ||
        !has_shape_of_addresses(lowering, call, stored, addresses, "value"))
        return (value){0};
    if (addresses.pointee->is_const)
        return lower_error(lowering, call->place, "tl_store: the pointer is to const");
    stored = as_stored(lowering, call, stored, addresses.pointee->element);
    if (value_is_valid(stored))
        lower_store(lowering, addresses, stored, mask);
    return (value){0};
}

const operation_info operations[] = {
#define OPERATION(name, group, usage, summary) {#name, group, usage, summary},
#include "frontend/operations.def"
#undef OPERATION
};
const size_t num_operations = sizeof operations / sizeof *operations;

static operation_lowering *const lowerings[] = {
#define OPERATION(name, group, usage, summary) operation_##name,
#include "frontend/operations.def"
#undef OPERATION
};

value lower_operation(lowering *lowering, const ast_node *call, const char *name)
{
    for (size_t i = 0; i < num_operations; i++)
        if (strcmp(operations[i].name, name) == 0)
            return lowerings[i](lowering, call);
    return lower_error(lowering, call->place, "tl_%s is not built yet", name);
}
