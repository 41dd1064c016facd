/* The table of the language's operations, and how they read their arguments. */
#include "frontend/lower_operations.h"
#include "frontend/operations.h"

#include <string.h>

#include <mlir-c/BuiltinTypes.h>

const ast_node *operation_argument(const ast_node *call, size_t index)
{
    const ast_node *node = call->children[index];
    while (node->kind == AST_CAST && !node->is_explicit && node->cast == AST_CAST_ARITHMETIC)
        node = node->children[0];
    return node;
}

value operation_value(lowering *lowering, const ast_node *call, size_t index)
{
    return index < call->num_children ? lower_expression(lowering, operation_argument(call, index))
                                      : (value){0};
}

bool operation_has_constants(lowering *lowering, const ast_node *call, size_t first)
{
    for (size_t i = first; i < call->num_children; i++) {
        if (call->children[i]->kind == AST_INTEGER)
            continue;
        lower_error(lowering, call->place, ARGUMENT_NOT_CONSTANT);
        return false;
    }
    return true;
}

int64_t operation_constant(const ast_node *call, size_t index, int64_t otherwise)
{
    return index < call->num_children ? (int64_t)call->children[index]->integer : otherwise;
}

unsigned operation_dimensions(const ast_node *call, size_t first, int64_t *dimensions)
{
    unsigned rank = 0;
    for (size_t i = first; i < call->num_children && rank < AST_MAX_RANK; i++)
        dimensions[rank++] = (int64_t)call->children[i]->integer;
    return rank;
}

const char *operation_describe_dimensions(
    lowering *lowering, unsigned rank, const int64_t *dimensions)
{
    const char *text = "";
    for (unsigned i = 0; i < rank; i++)
        text =
            arena_format(lowering->arena, "%s%s%lld", text, i ? "," : "", (long long)dimensions[i]);
    return arena_format(lowering->arena, "[%s]", text);
}

element_type operation_element(lowering *lowering, const ast_node *call, size_t index)
{
    const ast_type *type = call->children[index]->type->target;
    if (type->kind == AST_TYPE_ELEMENT)
        return type->element;
    lower_error(lowering, call->place, UNKNOWN_ELEMENT, type->spelling);
    return ELEMENT_NONE;
}

/* The element that tl_full, and the `other` of tl_load, give to lanes. */
bool operation_is_number(lowering *lowering, const ast_node *call, value given, const char *what)
{
    if (!value_is_tile(given) && !value_is_pointer(given))
        return true;
    lower_error(lowering, call->place, NUMBER_WANTED, what, value_describe(lowering, given));
    return false;
}

bool operation_is_mask(lowering *lowering, const ast_node *call, value mask)
{
    bool is_float = element_describe(mask.element)->category == ELEMENT_FLOATING;
    if (!value_is_pointer(mask) && !(value_is_tile(mask) && is_float))
        return true;
    lower_error(lowering, call->place, MASK_NO_INTEGER, value_describe(lowering, mask));
    return false;
}

unsigned value_shape(value tile, int64_t *dimensions)
{
    MlirType type = value_type(tile);
    unsigned rank = build_is_tensor(type) ? (unsigned)mlirShapedTypeGetRank(type) : 0;
    for (unsigned i = 0; i < rank; i++)
        dimensions[i] = mlirShapedTypeGetDimSize(type, i);
    return rank;
}

MlirValue lower_number(lowering *lowering, element_type element, MlirType type, double number)
{
    return element_describe(element)->category == ELEMENT_FLOATING
               ? build_float(&lowering->builder, type, number)
               : build_integer(&lowering->builder, type, (int64_t)number);
}

const operation_info operations[] = {
#define OPERATION(name, group, usage, summary) {#name, group, usage, summary},
#include "frontend/operations.def"
#undef OPERATION
};
const size_t num_operations = sizeof operations / sizeof *operations;

typedef value operation_lowering(lowering *lowering, const ast_node *call);

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
    return lower_error(
        lowering, call->place, NOT_BUILT, arena_format(lowering->arena, "tl_%s", name));
}
