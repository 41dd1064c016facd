/* Values and types of the lowering; see lowering.h. */
#include "frontend/lowering.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialect/dialect.h"

enum { MOST_ELEMENTS = 1 << 20 }; /* as the message says */

MlirType value_type(value value)
{
    return mlirValueGetType(value.ssa);
}

bool value_is_tile(value value)
{
    return build_is_tensor(value_type(value));
}

bool value_has_shape_of(value one, value other)
{
    MlirType i1 = mlirIntegerTypeGet(mlirTypeGetContext(value_type(one)), 1);
    return mlirTypeEqual(
        build_with_element(value_type(one), i1), build_with_element(value_type(other), i1));
}

static const char *describe_shape(lowering *lowering, MlirType type)
{
    const char *shape = "";
    intptr_t rank = mlirShapedTypeGetRank(type);
    for (intptr_t i = 0; i < rank; i++)
        shape = arena_format(lowering->arena, "%s%s%lld", shape, i ? "," : "",
            (long long)mlirShapedTypeGetDimSize(type, i));
    return shape;
}

const char *value_describe_type(
    lowering *lowering, element_type element, bool is_mask, MlirType type)
{
    const char *name = is_mask ? "mask" : element_describe(element)->name;
    if (!build_is_tensor(type))
        return name;
    return arena_format(lowering->arena, "%s[%s]", name, describe_shape(lowering, type));
}

const char *value_describe(lowering *lowering, value value)
{
    if (value_is_tensor(value))
        return arena_format(lowering->arena, "a tl_tensor(%s, %u)",
            element_describe(value.tensor->base.pointee->element)->name, value.tensor->rank);
    if (!value_is_pointer(value))
        return value_describe_type(lowering, value.element, value.is_mask, value_type(value));
    const char *pointee = value.pointee->spelling;
    if (!value_is_tile(value))
        return arena_format(lowering->arena, "%s *", pointee);
    const char *shape = describe_shape(lowering, value_type(value));
    return arena_format(lowering->arena, "%s *[%s]", pointee, shape);
}

MlirType lower_element_type(lowering *lowering, element_type element)
{
    MlirContext context = lowering->builder.context;
    const element_info *info = element_describe(element);
    switch (element) {
    case ELEMENT_NONE:
        return (MlirType){0};
    case ELEMENT_bool:
        return mlirIntegerTypeGet(context, 1);
    case ELEMENT_f16:
        return mlirF16TypeGet(context);
    case ELEMENT_bf16:
        return mlirBF16TypeGet(context);
    case ELEMENT_f32:
        return mlirF32TypeGet(context);
    case ELEMENT_f64:
        return mlirF64TypeGet(context);
    case ELEMENT_f8e4m3:
        return mlirFloat8E4M3FNTypeGet(context);
    case ELEMENT_f8e5m2:
        return mlirFloat8E5M2TypeGet(context);
    default:
        return mlirIntegerTypeGet(context, info->bits);
    }
}

MlirType lower_memory_type(lowering *lowering, element_type element)
{
    if (element == ELEMENT_bool)
        return mlirIntegerTypeGet(lowering->builder.context, 8);
    return lower_element_type(lowering, element);
}

MlirType lower_tile_type(
    lowering *lowering, element_type element, unsigned rank, const int64_t *dimensions)
{
    return mlirRankedTensorTypeGet(
        rank, dimensions, lower_element_type(lowering, element), (MlirAttribute){0});
}

MlirType lower_type(lowering *lowering, const ast_type *type)
{
    if (type->kind == AST_TYPE_ELEMENT)
        return lower_element_type(lowering, type->element);
    if (type->kind != AST_TYPE_POINTER || type->target->kind != AST_TYPE_ELEMENT)
        return (MlirType){0};
    return tt_pointer_type(
        lower_memory_type(lowering, type->target->element), TT_GLOBAL_ADDRESS_SPACE);
}

/* What is inlined says in which helper it is, and where that was called: fused<"HELPER">[...] as
 * the callee of a call site. */
static MlirLocation in_helper(lowering *lowering, MlirLocation location)
{
    const inlined_call *call = lowering->call;
    if (!call || !call->caller)
        return location;
    MlirContext context = lowering->builder.context;
    MlirAttribute name =
        mlirStringAttrGet(context, mlirStringRefCreateFromCString(call->function->name));
    MlirLocation callee = mlirLocationFusedGet(context, 1, &location, name);
    return mlirLocationCallSiteGet(callee, call->place);
}

MlirLocation lower_at(lowering *lowering, ast_place place)
{
    builder *builder = &lowering->builder;
    MlirLocation before = builder->location;
    diagnostic_place resolved = source_place(lowering->source, place);
    if (!resolved.file)
        return before;
    MlirLocation location = mlirLocationFileLineColGet(builder->context,
        mlirStringRefCreateFromCString(resolved.file), resolved.line, resolved.column);
    location = in_helper(lowering, location);
    if (lowering->name)
        location = mlirLocationNameGet(
            builder->context, mlirStringRefCreateFromCString(lowering->name), location);
    builder->location = location;
    return before;
}

value lower_report(lowering *lowering, ast_place place, diagnostic_id id, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_report_entry_list(
        lowering->diagnostics, source_place(lowering->source, place), id, format, arguments);
    va_end(arguments);
    return (value){0};
}

slot lower_new_slot(lowering *lowering, value initial)
{
    if (lowering->num_variables == lowering->capacity) {
        value *larger = arena_array(lowering->arena, value, 2 * lowering->capacity);
        memcpy(larger, lowering->variables, sizeof *larger * lowering->num_variables);
        lowering->variables = larger;
        lowering->capacity *= 2;
    }
    lowering->variables[lowering->num_variables] = initial;
    return (slot)lowering->num_variables++;
}

value lower_boolean(lowering *lowering, bool number)
{
    MlirType type = lower_element_type(lowering, ELEMENT_bool);
    return (value){.ssa = build_integer(&lowering->builder, type, number), .element = ELEMENT_bool};
}

/* A null pointer is an integer that became one: tt has no other constant of that type. */
static MlirValue build_null(lowering *lowering, MlirType type)
{
    builder *builder = &lowering->builder;
    MlirType bits = build_with_element(type, mlirIntegerTypeGet(builder->context, 64));
    return build_value(builder, "tt.int_to_ptr", type, build_integer(builder, bits, 0));
}

value lower_zero_like(lowering *lowering, value like)
{
    MlirType type = value_type(like);
    if (value_is_pointer(like))
        like.ssa = build_null(lowering, type);
    else if (element_describe(like.element)->category == ELEMENT_FLOATING && !like.is_mask)
        like.ssa = build_float(&lowering->builder, type, 0.0);
    else
        like.ssa = build_integer(&lowering->builder, type, 0);
    return like;
}

value lower_initial_zero(lowering *lowering, const ast_variable *variable)
{
    const ast_type *type = variable->type;
    builder *builder = &lowering->builder;
    if (variable->rank) {
        element_type element = variable->declared_element;
        MlirType tile = lower_tile_type(lowering, element, variable->rank, variable->dimensions);
        bool is_float = element_describe(element)->category == ELEMENT_FLOATING;
        return (value){
            .ssa = is_float ? build_float(builder, tile, 0.0) : build_integer(builder, tile, 0),
            .element = element,
            .is_mask = element == ELEMENT_bool};
    }
    MlirType scalar = lower_type(lowering, type);
    if (mlirTypeIsNull(scalar))
        return (value){0};
    if (type->kind == AST_TYPE_POINTER)
        return (value){.ssa = build_null(lowering, scalar), .pointee = type->target};
    bool is_float = element_describe(type->element)->category == ELEMENT_FLOATING;
    return (value){
        .ssa = is_float ? build_float(builder, scalar, 0.0) : build_integer(builder, scalar, 0),
        .element = type->element};
}

bool lower_is_tile_size(
    lowering *lowering, ast_place place, unsigned rank, const int64_t *dimensions)
{
    int64_t elements = 1;
    for (unsigned i = 0; i < rank && elements <= MOST_ELEMENTS; i++)
        elements *= dimensions[i] <= MOST_ELEMENTS ? dimensions[i] : MOST_ELEMENTS + 1;
    if (elements <= MOST_ELEMENTS)
        return true;
    lower_error(lowering, place, TILE_SIZE);
    return false;
}

bool lower_is_shaped(lowering *lowering, const ast_variable *variable, ast_place place)
{
    if (variable->type->kind != AST_TYPE_VECTOR || variable->rank)
        return true;
    lower_error(lowering, place, UNSHAPED, variable->type->spelling);
    return false;
}

value lower_refuse(lowering *lowering, const ast_node *node)
{
    if (node->kind == AST_UNSUPPORTED)
        return lower_report(
            lowering, node->place, node->refusal, diagnostic_message_UNSUPPORTED, node->name);
    if (node->kind == AST_CASE || node->kind == AST_DEFAULT)
        return lower_error(lowering, node->place, NESTED_CASE, ast_kind_description(node->kind));
    return lower_error(lowering, node->place, NOT_BUILT, ast_kind_description(node->kind));
}

/* bool tiles hold masks, other integer tiles lanes. */
static value as_lanes_or_mask(lowering *lowering, const ast_variable *variable, value initial)
{
    if (variable->declared_element != ELEMENT_bool)
        return lower_lanes(lowering, initial);
    value mask = lower_truth(lowering, initial);
    mask.element = ELEMENT_bool;
    return mask;
}

value lower_as_declared(
    lowering *lowering, const ast_variable *variable, ast_place place, value initial)
{
    if (!value_is_valid(initial) || variable->rank == 0)
        return initial;
    initial = as_lanes_or_mask(lowering, variable, initial);
    MlirType type =
        lower_tile_type(lowering, variable->declared_element, variable->rank, variable->dimensions);
    if (mlirTypeEqual(type, value_type(initial)) && variable->declared_element == initial.element)
        return initial;
    bool is_mask = variable->declared_element == ELEMENT_bool;
    const char *declared = value_describe_type(lowering, variable->declared_element, is_mask, type);
    const char *given = value_describe(lowering, initial);
    if (!variable->name[0])
        return lower_error(lowering, place, RETURNED_TILE, declared, given);
    return lower_error(lowering, place, DECLARED_TILE, variable->name, declared, given);
}
