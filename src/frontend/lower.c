/* Statements, and the bodies of functions. */
#include "frontend/lowering.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static value initial_value(lowering *lowering, const ast_variable *variable)
{
    const char *outer_name = lowering->name;
    if (strncmp(variable->name, "teeny_", 6) != 0)
        lowering->name = variable->name;
    value initial = lower_expression(lowering, variable->initializer);
    lowering->name = outer_name;
    return lower_as_declared(lowering, variable, variable->place, initial);
}

static bool is_known_type(const ast_type *type)
{
    if (type->kind == AST_TYPE_POINTER)
        return type->target->kind == AST_TYPE_ELEMENT;
    return type->kind == AST_TYPE_ELEMENT || type->kind == AST_TYPE_VECTOR ||
           type->kind == AST_TYPE_TENSOR;
}

/* What a variable holds before its first value has a shape, and a value its own. */
static bool has_size(lowering *lowering, const ast_variable *variable)
{
    bool is_shaped = variable->initializer || lower_is_shaped(lowering, variable, variable->place);
    return is_shaped &&
           lower_is_tile_size(lowering, variable->place, variable->rank, variable->dimensions);
}

static void lower_declaration(lowering *lowering, const ast_variable *variable)
{
    value *slot = &lowering->variables[variable->index];
    *slot = (value){0};
    if (!is_known_type(variable->type))
        lower_error(lowering, variable->place, VARIABLE_TYPE, variable->type->spelling);
    else if (has_size(lowering, variable) && variable->initializer)
        *slot = initial_value(lowering, variable);
}

static void set_flag(lowering *lowering, slot flag)
{
    if (flag != NO_SLOT)
        lowering->variables[flag] = lower_boolean(lowering, true);
}

static void lower_return(lowering *lowering, const ast_node *node)
{
    inlined_call *call = lowering->call;
    if (node->num_children) {
        const ast_variable *declared = call->function->result_variable;
        value returned = lower_expression(lowering, node->children[0]);
        lowering->variables[call->result] =
            declared->rank ? lower_as_declared(lowering, declared, node->place, returned)
                           : lower_lanes(lowering, returned);
    }
    set_flag(lowering, call->returned);
}

void lower_statement(lowering *lowering, const ast_node *node)
{
    MlirLocation before = lower_at(lowering, node->place);
    switch (node->kind) {
    case AST_EMPTY:
        break;
    case AST_COMPOUND:
        lower_run(lowering, (flow_run){node->children, node->num_children});
        break;
    case AST_DECLARATION:
        lower_declaration(lowering, node->variable);
        break;
    case AST_RETURN:
        lower_return(lowering, node);
        break;
    case AST_BREAK:
        set_flag(lowering, lowering->broken);
        break;
    case AST_CONTINUE:
        set_flag(lowering, lowering->continued);
        break;
    case AST_IF:
        lower_if(lowering, node);
        break;
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
        lower_loop(lowering, node);
        break;
    case AST_SWITCH:
        lower_switch(lowering, node);
        break;
    default:
        if (node->type)
            lower_expression(lowering, node);
        else
            lower_refuse(lowering, node);
    }
    lowering->builder.location = before;
}

void lower_run(lowering *lowering, flow_run run)
{
    for (size_t i = 0; i < run.count; i++) {
        lower_statement(lowering, run.nodes[i]);
        if (flow_always_exits(run.nodes[i]))
            return; /* what follows is never reached */
        unsigned exits = flow_exits(run.nodes[i]);
        flow_run rest = {run.nodes + i + 1, run.count - i - 1};
        if (exits && rest.count) {
            lower_guarded(lowering, lower_is_alive(lowering, exits), rest);
            return;
        }
    }
}

value lower_body(lowering *lowering, const ast_function *function)
{
    inlined_call call = {
        .function = function,
        .caller = lowering->call,
        .returned = NO_SLOT,
        .place = lowering->builder.location,
    };
    slot broken = lowering->broken, continued = lowering->continued;
    lowering->broken = lowering->continued = NO_SLOT;
    lowering->call = &call;
    call.result = lower_new_slot(lowering, (value){0});
    if (flow_returns_early(function->body) &&
        lower_is_shaped(lowering, function->result_variable, function->place)) {
        call.returned = lower_new_slot(lowering, lower_boolean(lowering, false));
        lowering->variables[call.result] = lower_initial_zero(lowering, function->result_variable);
    }
    lower_statement(lowering, function->body);
    lowering->call = call.caller;
    lowering->broken = broken;
    lowering->continued = continued;
    return lowering->variables[call.result];
}
