/* Loads and stores. */
#include "frontend/access_flags.h"
#include "frontend/lower_operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

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

value lower_load(
    lowering *lowering, value pointer, value mask, value other, const access_flags *flags)
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
    if (flags)
        access_flags_add(lowering, *flags, &parts);
    loaded.ssa = build_single(builder, "tt.load", &parts);
    return from_memory(lowering, loaded);
}

void lower_store(
    lowering *lowering, value pointer, value stored, value mask, const access_flags *flags)
{
    element_type element = pointer.pointee->element;
    stored = lower_spread(lowering, to_memory(lowering, stored, element), pointer);
    build_parts parts = {.operands = {pointer.ssa, stored.ssa}};
    if (value_is_valid(mask))
        parts.operands[2] = lower_spread(lowering, lower_truth(lowering, mask), pointer).ssa;
    if (flags)
        access_flags_add(lowering, *flags, &parts);
    build_operation(&lowering->builder, "tt.store", &parts);
}

/* The pointers of tl_load and tl_store, argument 1 and 2. */
static value lower_addresses(lowering *lowering, const ast_node *call)
{
    value pointer = operation_value(lowering, call, 1);
    value offsets = operation_value(lowering, call, 2);
    if (!value_is_valid(pointer) || !value_is_valid(offsets))
        return (value){0};
    if (!value_is_pointer(pointer))
        return lower_error(
            lowering, call->place, POINTER_WANTED, value_describe(lowering, pointer));
    return lower_add_pointer(lowering, call->place, pointer, offsets);
}

/* The element counts agree, or the host's check had failed: here it is the exact shape. */
static bool has_shape_of_addresses(
    lowering *lowering, const ast_node *call, value operand, value addresses, const char *what)
{
    if (!value_is_valid(operand) || value_has_shape_of(operand, addresses))
        return true;
    lower_error(lowering, call->place, ADDRESSES_DIFFER, what, value_describe(lowering, operand),
        value_describe(lowering, addresses));
    return false;
}

/* One lane for each address. */
static bool is_mask_of(lowering *lowering, const ast_node *call, value mask, value addresses)
{
    return !value_is_valid(mask) ||
           (operation_is_mask(lowering, call, mask) &&
               has_shape_of_addresses(lowering, call, mask, addresses, "mask"));
}

/* What a masked load gives without `other`: in the tt dialect such lanes have no value. */
static value zero_of(lowering *lowering, element_type element)
{
    MlirType type = lower_element_type(lowering, element);
    return (value){.ssa = lower_number(lowering, element, type, 0), .element = element};
}

value operation_load(lowering *lowering, const ast_node *call)
{
    value addresses = lower_addresses(lowering, call);
    value mask = operation_value(lowering, call, 3);
    value other = operation_value(lowering, call, 4);
    bool is_complete = call->num_children <= 3 || value_is_valid(mask);
    access_flags flags;
    if (!access_flags_read(lowering, call, ACCESS_LOAD, &flags) || !value_is_valid(addresses) ||
        !is_complete || !is_mask_of(lowering, call, mask, addresses))
        return (value){0};
    if (value_is_valid(other) && !operation_is_number(lowering, call, other, "other"))
        return (value){0};
    if (value_is_valid(other))
        other = lower_convert(lowering, other, addresses.pointee->element);
    else if (value_is_valid(mask))
        other = zero_of(lowering, addresses.pointee->element);
    return lower_load(lowering, addresses, mask, other, &flags);
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
    return lower_error(lowering, call->place, STORED_TYPE, value_describe(lowering, stored),
        element_describe(element)->name);
}

value operation_store(lowering *lowering, const ast_node *call)
{
    value addresses = lower_addresses(lowering, call);
    value stored = operation_value(lowering, call, 3);
    value mask = operation_value(lowering, call, 4);
    bool is_complete = call->num_children <= 4 || value_is_valid(mask);
    access_flags flags;
    if (!access_flags_read(lowering, call, ACCESS_STORE, &flags) || !value_is_valid(addresses) ||
        !value_is_valid(stored) || !is_complete || !is_mask_of(lowering, call, mask, addresses) ||
        !has_shape_of_addresses(lowering, call, stored, addresses, "value"))
        return (value){0};
    if (addresses.pointee->is_const)
        return lower_error(lowering, call->place, STORE_TO_CONST);
    stored = as_stored(lowering, call, stored, addresses.pointee->element);
    if (value_is_valid(stored))
        lower_store(lowering, addresses, stored, mask, &flags);
    return (value){0};
}
