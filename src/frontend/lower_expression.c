/* Expressions: variables, constants, conversions, assignments, calls and memory. */
#include "frontend/lower_operations.h"

#include <string.h>

/* Helpers that call each other twice make a kernel grow beyond any use. */
enum { MOST_CALLS = 1024 };

static const char operation_prefix[] = "teeny_op_";

static value lower_variable(lowering *lowering, const ast_node *node)
{
    const ast_variable *variable = node->variable;
    value current = lowering->variables[variable->index];
    /* A variable whose initialiser had an error stays invalid in silence. */
    if (!value_is_valid(current) && !variable->initializer && !lowering->diagnostics->num_errors)
        return lower_error(lowering, node->place, NO_VALUE, variable->name);
    return current;
}

/* Whether C computes with scalars of this type on every host: not with bf16, not with long double.
 */
static bool is_computable(lowering *lowering, const ast_node *node)
{
    const ast_type *type = node->type;
    if (type->kind == AST_TYPE_ELEMENT && element_describe(type->element)->is_arithmetic)
        return true;
    lower_error(lowering, node->place, SCALAR_TYPE, type->spelling);
    return false;
}

static value lower_constant(lowering *lowering, const ast_node *node)
{
    if (!is_computable(lowering, node))
        return (value){0};
    builder *builder = &lowering->builder;
    value constant = {.element = node->type->element};
    MlirType type = lower_element_type(lowering, constant.element);
    constant.ssa = node->kind == AST_INTEGER ? build_integer(builder, type, (int64_t)node->integer)
                                             : build_float(builder, type, node->floating);
    return constant;
}

static bool is_floating_element(const ast_type *type)
{
    return type->kind == AST_TYPE_ELEMENT &&
           element_describe(type->element)->category == ELEMENT_FLOATING;
}

/* Whether spreading cuts bits of a constant; -1 over unsigned lanes is all ones. */
static bool is_cut_constant(const ast_node *scalar, const element_info *lanes)
{
    bool is_converted = scalar->kind == AST_CAST && !scalar->is_explicit;
    const ast_node *constant = is_converted ? scalar->children[0] : NULL;
    if (!constant || constant->kind != AST_INTEGER || lanes->category != ELEMENT_INTEGER ||
        lanes->bits >= element_describe(constant->type->element)->bits)
        return false;
    int64_t value = (int64_t)constant->integer, half = INT64_C(1) << (lanes->bits - 1);
    return value < -half || value >= (lanes->is_signed ? half : 2 * half);
}

/* clang converts the scalar beside a tile to the tile's element; what would lose a fraction is
 * refused, as gcc refuses it. */
static value lower_splat(lowering *lowering, const ast_node *node)
{
    const ast_node *scalar = node->children[0];
    const element_info *lanes = element_describe(node->type->element);
    if (element_is_f8(node->type->element))
        return lower_error(lowering, node->place, OPAQUE_OPERAND, lanes->name);
    bool is_cut = scalar->kind == AST_CAST && !scalar->is_explicit &&
                  is_floating_element(scalar->children[0]->type) &&
                  !is_floating_element(scalar->type);
    if (is_cut)
        return lower_error(lowering, scalar->place, FRACTION_LOST,
            element_describe(scalar->children[0]->type->element)->name,
            element_describe(node->type->element)->name);
    if (is_cut_constant(scalar, lanes))
        return lower_error(lowering, scalar->place, CONSTANT_CUT,
            (long long)scalar->children[0]->integer, lanes->name);
    value operand = lower_expression(lowering, scalar);
    if (!value_is_valid(operand))
        return operand;
    return lower_convert(lowering, operand, node->type->element);
}

/* 0 as a pointer, which C converts. */
static bool is_null(const ast_node *cast)
{
    const ast_node *operand = cast->children[0];
    const ast_type *type = cast->type;
    return operand->kind == AST_INTEGER && operand->integer == 0 &&
           type->kind == AST_TYPE_POINTER && type->target->kind == AST_TYPE_ELEMENT;
}

/* What clang makes of a comparison of a pointer with one to const. */
static bool changes_const_alone(const ast_node *cast)
{
    const ast_type *from = cast->children[0]->type, *to = cast->type;
    return !cast->is_explicit && from->kind == AST_TYPE_POINTER && to->kind == AST_TYPE_POINTER &&
           from->target->kind == AST_TYPE_ELEMENT && to->target->kind == AST_TYPE_ELEMENT &&
           from->target->element == to->target->element;
}

static value lower_cast(lowering *lowering, const ast_node *node)
{
    const ast_node *operand = node->children[0];
    if (node->cast == AST_CAST_SPLAT)
        return lower_splat(lowering, node);
    if (is_null(node))
        return lower_initial_zero(lowering, &(ast_variable){.type = node->type});
    value from = lower_expression(lowering, operand);
    if (!value_is_valid(from) || node->cast == AST_CAST_TO_VOID || node->cast == AST_CAST_NONE)
        return from;
    if (value_is_pointer(from) && node->type->kind == AST_TYPE_ELEMENT &&
        node->type->element == ELEMENT_bool)
        return lower_truth(lowering, from);
    if (changes_const_alone(node)) {
        from.pointee = node->type->target;
        return from;
    }
    bool is_scalar = node->type->kind == AST_TYPE_ELEMENT && !value_is_tile(from);
    if (node->cast == AST_CAST_ARITHMETIC && is_scalar)
        return is_computable(lowering, operand) && is_computable(lowering, node)
                   ? lower_convert(lowering, from, node->type->element)
                   : (value){0};
    if (node->cast == AST_CAST_BITS && from.is_mask && !node->is_explicit) {
        from.element = node->type->element; /* its lanes are -1 or 0 as an unsigned tile's, too */
        return from;
    }
    /* clang's comparisons have lanes of char and long long, which are i8's and i64's by name only.
     */
    if (node->cast == AST_CAST_BITS && node->type->kind == AST_TYPE_VECTOR &&
        node->type->element == from.element)
        return from;
    if (node->cast == AST_CAST_BITS && node->type->kind == AST_TYPE_VECTOR)
        return lower_error(lowering, node->place, OTHER_TILE, value_describe(lowering, from));
    return lower_error(
        lowering, node->place, CONVERSION, operand->type->spelling, node->type->spelling);
}

static const ast_node *without_casts(const ast_node *node)
{
    while (node->kind == AST_CAST)
        node = node->children[0];
    return node;
}

/* `*(result *)teeny_op_NAME(...)`: the value of an operation. */
static const ast_node *operation_behind(const ast_node *dereferenced)
{
    const ast_node *call = without_casts(dereferenced);
    bool is_operation = call->kind == AST_CALL &&
                        strncmp(call->name, operation_prefix, sizeof operation_prefix - 1) == 0;
    return is_operation ? call : NULL;
}

/* The address behind `*p` and `p[i]`. */
static value lower_address(lowering *lowering, const ast_node *node)
{
    value base = lower_expression(lowering, node->children[0]);
    if (!value_is_valid(base) || node->kind == AST_UNARY)
        return base;
    value index = lower_expression(lowering, node->children[1]);
    if (!value_is_valid(index))
        return index;
    if (!value_is_pointer(base))
        return lower_error(lowering, node->place, TILE_LANE, value_describe(lowering, base));
    return lower_add_pointer(lowering, node->place, base, index);
}

static bool is_memory(const ast_node *node)
{
    bool is_dereference = node->kind == AST_UNARY && node->op == AST_OP_DEREFERENCE;
    return is_dereference || node->kind == AST_SUBSCRIPT;
}

static value lower_memory_read(lowering *lowering, const ast_node *node)
{
    value address = lower_address(lowering, node);
    return value_is_valid(address) ? lower_load(lowering, address, (value){0}, (value){0}, NULL)
                                   : address;
}

/* ++ and --, before and after, of a variable or of memory. */
static value lower_step(lowering *lowering, const ast_node *node)
{
    const ast_node *target = node->children[0];
    bool in_memory = is_memory(target);
    if (target->kind == AST_UNSUPPORTED)
        return lower_refuse(lowering, target);
    if (target->kind != AST_VARIABLE && !in_memory)
        return lower_error(lowering, node->place, STEP_TARGET, ast_operator_spelling(node->op));
    value address = in_memory ? lower_address(lowering, target) : (value){0};
    if (in_memory && !value_is_valid(address))
        return address;
    value old = in_memory ? lower_load(lowering, address, (value){0}, (value){0}, NULL)
                          : lower_expression(lowering, target);
    if (!value_is_valid(old))
        return old;
    bool is_up = node->op == AST_OP_PRE_INCREMENT || node->op == AST_OP_POST_INCREMENT;
    bool is_before = node->op == AST_OP_PRE_INCREMENT || node->op == AST_OP_PRE_DECREMENT;
    value one = {.element = ELEMENT_i32};
    one.ssa = build_integer(&lowering->builder, lower_element_type(lowering, ELEMENT_i32), 1);
    /* As `old + 1`: a bool or a narrow integer is promoted, computed, and converted back. */
    element_type element = old.element;
    bool is_narrow = !value_is_pointer(old) && element_describe(element)->bits < 32 &&
                     element_describe(element)->category != ELEMENT_FLOATING;
    value wide = is_narrow ? lower_convert(lowering, old, ELEMENT_i32) : old;
    if (!value_is_pointer(old))
        one = lower_convert(lowering, one, wide.element);
    value stepped = lower_binary(lowering, node->place, is_up ? AST_OP_ADD : AST_OP_SUB, wide, one);
    if (is_narrow)
        stepped = lower_convert(lowering, stepped, element);
    if (!in_memory)
        lowering->variables[target->variable->index] = stepped;
    else if (value_is_valid(stepped))
        lower_store(lowering, address, stepped, (value){0}, NULL);
    return is_before ? stepped : old;
}

static bool is_step(ast_operator op)
{
    return op >= AST_OP_PRE_INCREMENT && op <= AST_OP_POST_DECREMENT;
}

static value lower_unary_node(lowering *lowering, const ast_node *node)
{
    if (is_step(node->op))
        return lower_step(lowering, node);
    const ast_node *operation =
        node->op == AST_OP_DEREFERENCE ? operation_behind(node->children[0]) : NULL;
    if (operation)
        return lower_operation(lowering, operation, operation->name + sizeof operation_prefix - 1);
    if (node->op == AST_OP_DEREFERENCE)
        return lower_memory_read(lowering, node);
    value operand = lower_expression(lowering, node->children[0]);
    return lower_unary(lowering, node->place, node->op, operand);
}

static value lower_binary_node(lowering *lowering, const ast_node *node)
{
    if (node->op == AST_OP_LOGICAL_AND || node->op == AST_OP_LOGICAL_OR)
        return lower_logical(lowering, node);
    value left = lower_expression(lowering, node->children[0]);
    value right = lower_expression(lowering, node->children[1]);
    if (node->op == AST_OP_COMMA)
        return right;
    lower_at(lowering, node->place);
    return lower_binary(lowering, node->place, node->op, left, right);
}

/* The right side of `a op= b`, in the type of a, whose value is `left`. */
static value computed_value(lowering *lowering, const ast_node *node, value left)
{
    value right = lower_expression(lowering, node->children[1]);
    if (!value_is_valid(left) || !value_is_valid(right))
        return (value){0};
    element_type element = left.element;
    bool is_scalar = node->computation->kind == AST_TYPE_ELEMENT && !value_is_pointer(left);
    if (is_scalar)
        left = lower_convert(lowering, left, node->computation->element);
    value result = lower_binary(lowering, node->place, node->op, left, right);
    return is_scalar ? lower_convert(lowering, result, element) : result;
}

/* The right side of `a = b` and `a op= b` for a variable a. */
static value assigned_value(lowering *lowering, const ast_node *node)
{
    if (node->op == AST_OP_ASSIGN)
        return lower_expression(lowering, node->children[1]);
    return computed_value(lowering, node, lower_expression(lowering, node->children[0]));
}

/* A variable that `__auto_type` made a mask stays one; one that was declared is as it says. */
static value as_assigned(lowering *lowering, const ast_node *node, value old, value assigned)
{
    const ast_variable *variable = node->children[0]->variable;
    if (variable->rank)
        return lower_as_declared(lowering, variable, node->place, assigned);
    if (!(old.is_mask && assigned.is_mask))
        assigned = lower_lanes(lowering, assigned);
    if (!value_is_valid(old) || mlirTypeEqual(value_type(old), value_type(assigned)))
        return assigned;
    return lower_error(lowering, node->place, ASSIGNED_TILE, variable->name,
        value_describe(lowering, old), value_describe(lowering, assigned));
}

static value assign_variable(lowering *lowering, const ast_node *node, value assigned)
{
    value *slot = &lowering->variables[node->children[0]->variable->index];
    if (value_is_valid(assigned) && value_is_tensor(assigned))
        return lower_error(lowering, node->place, ASSIGNED_TENSOR);
    if (value_is_valid(assigned))
        assigned = as_assigned(lowering, node, *slot, assigned);
    return *slot = assigned;
}

static value lower_assignment(lowering *lowering, const ast_node *node)
{
    const ast_node *target = node->children[0];
    if (target->kind == AST_VARIABLE)
        return assign_variable(lowering, node, assigned_value(lowering, node));
    if (target->kind == AST_UNSUPPORTED)
        return lower_refuse(lowering, target);
    if (!is_memory(target))
        return lower_error(lowering, node->place, ASSIGNMENT_TARGET);
    value address = lower_address(lowering, target);
    if (!value_is_valid(address))
        return address;
    value assigned = node->op == AST_OP_ASSIGN
                         ? lower_expression(lowering, node->children[1])
                         : computed_value(lowering, node,
                               lower_load(lowering, address, (value){0}, (value){0}, NULL));
    if (value_is_valid(assigned))
        lower_store(lowering, address, assigned, (value){0}, NULL);
    return assigned;
}

const ast_function *lower_find_helper(lowering *lowering, const char *name)
{
    for (const ast_function *each = lowering->functions; each; each = each->next)
        if (strcmp(each->name, name) == 0)
            return each;
    return NULL;
}

static bool is_active(const lowering *lowering, const ast_function *function)
{
    for (const inlined_call *call = lowering->call; call; call = call->caller)
        if (call->function == function)
            return true;
    return false;
}

/* A helper is lowered where it is called. All arguments have their values before the first
 * parameter is bound: they may call the same helper. */
value lower_inlined(lowering *lowering, ast_place place, const ast_function *helper,
    const value *arguments, size_t count)
{
    if (is_active(lowering, helper))
        return lower_error(lowering, place, RECURSION, helper->name);
    if (helper->is_variadic)
        return lower_error(lowering, place, VARIADIC_HELPER, helper->name);
    if (lowering->num_calls++ == MOST_CALLS)
        lower_error(lowering, place, TOO_MANY_CALLS, MOST_CALLS);
    if (lowering->num_calls > MOST_CALLS)
        return (value){0};
    for (size_t i = 0; i < count; i++)
        lowering->variables[helper->parameters[i]->index] = arguments[i];
    size_t errors = lowering->diagnostics->num_errors;
    value result = lower_body(lowering, helper);
    bool is_void = helper->result_variable->type->kind == AST_TYPE_VOID;
    if (!is_void && !value_is_valid(result) && lowering->diagnostics->num_errors == errors)
        return lower_error(lowering, place, NO_RESULT, helper->name);
    return result;
}

static value lower_call(lowering *lowering, const ast_node *node)
{
    if (strncmp(node->name, operation_prefix, sizeof operation_prefix - 1) == 0)
        return lower_operation(lowering, node, node->name + sizeof operation_prefix - 1);
    const ast_function *helper = lower_find_helper(lowering, node->name);
    if (!helper)
        return lower_error(lowering, node->place, NO_CAPTURED_FUNCTION, node->name);
    size_t errors = lowering->diagnostics->num_errors;
    value *arguments = arena_array(lowering->arena, value, node->num_children + 1);
    for (size_t i = 0; i < helper->num_parameters; i++)
        arguments[i] = lower_as_declared(lowering, helper->parameters[i], node->children[i]->place,
            lower_expression(lowering, node->children[i]));
    if (lowering->diagnostics->num_errors != errors)
        return (value){0};
    return lower_inlined(lowering, node->place, helper, arguments, helper->num_parameters);
}

/* The value of a block is that of its last statement. Nothing leaves it early: what is around an
 * expression is not guarded by flags. */
static value lower_block_value(lowering *lowering, const ast_node *compound)
{
    size_t count = compound->num_children;
    if (flow_exits(compound))
        return lower_error(lowering, compound->place, EXPRESSION_EXIT);
    for (size_t i = 0; i + 1 < count; i++)
        lower_statement(lowering, compound->children[i]);
    if (count == 0 || !compound->children[count - 1]->type) {
        if (count)
            lower_statement(lowering, compound->children[count - 1]);
        return (value){0};
    }
    return lower_expression(lowering, compound->children[count - 1]);
}

static value dispatch(lowering *lowering, const ast_node *node)
{
    switch (node->kind) {
    case AST_INTEGER:
    case AST_FLOATING:
        return lower_constant(lowering, node);
    case AST_VARIABLE:
        return lower_variable(lowering, node);
    case AST_UNARY:
        return lower_unary_node(lowering, node);
    case AST_BINARY:
        return lower_binary_node(lowering, node);
    case AST_ASSIGN:
        return lower_assignment(lowering, node);
    case AST_CAST:
        return lower_cast(lowering, node);
    case AST_CALL:
        return lower_call(lowering, node);
    case AST_SUBSCRIPT:
        return node->children[0]->kind == AST_MEMBER ? lower_member_element(lowering, node)
                                                     : lower_memory_read(lowering, node);
    case AST_MEMBER:
        return lower_member(lowering, node);
    case AST_CONDITIONAL:
        return lower_conditional(lowering, node);
    case AST_STATEMENT_EXPRESSION:
        return lower_block_value(lowering, node->children[0]);
    default:
        return lower_refuse(lowering, node);
    }
}

value lower_expression(lowering *lowering, const ast_node *node)
{
    MlirLocation before = lower_at(lowering, node->place);
    value result = dispatch(lowering, node);
    lowering->builder.location = before;
    return result;
}
