/* Modules, functions and statements; see lower.h. */
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
    return type->kind == AST_TYPE_ELEMENT || type->kind == AST_TYPE_VECTOR;
}

static void lower_declaration(lowering *lowering, const ast_variable *variable)
{
    value *slot = &lowering->variables[variable->index];
    *slot = (value){0};
    if (!is_known_type(variable->type))
        lower_error(lowering, variable->place,
            "a kernel computes with scalars, tiles and pointers to element types, not with '%s'",
            variable->type->spelling);
    else if (!lower_is_tile_size(lowering, variable->place, variable->rank, variable->dimensions))
        return;
    else if (variable->initializer)
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
    inlined_call call = {.function = function, .caller = lowering->call, .returned = NO_SLOT};
    slot broken = lowering->broken, continued = lowering->continued;
    lowering->broken = lowering->continued = NO_SLOT;
    lowering->call = &call;
    call.result = lower_new_slot(lowering, (value){0});
    if (flow_returns_early(function->body)) {
        call.returned = lower_new_slot(lowering, lower_boolean(lowering, false));
        lowering->variables[call.result] = lower_initial_zero(lowering, function->result_variable);
    }
    lower_statement(lowering, function->body);
    lowering->call = call.caller;
    lowering->broken = broken;
    lowering->continued = continued;
    return lowering->variables[call.result];
}

static const ast_function *find_function(const ast_function *functions, const char *name)
{
    for (const ast_function *each = functions; each; each = each->next)
        if (strcmp(each->name, name) == 0)
            return each;
    return NULL;
}

static size_t count_variables(const ast_function *functions)
{
    size_t count = 0;
    for (const ast_function *each = functions; each; each = each->next)
        if (each->variables_end > count)
            count = each->variables_end;
    return count;
}

/* The MLIR types of a kernel's parameters; false after a diagnostic. */
static bool parameter_types(lowering *lowering, const ast_function *kernel, MlirType *types)
{
    size_t errors = lowering->diagnostics->num_errors;
    if (kernel->is_variadic)
        lower_error(lowering, kernel->place, "a kernel takes a fixed number of parameters");
    for (size_t i = 0; i < kernel->num_parameters; i++) {
        const ast_variable *parameter = kernel->parameters[i];
        types[i] = lower_type(lowering, parameter->type);
        if (!parameter->name[0])
            lower_error(lowering, parameter->place, "this parameter has no name");
        if (mlirTypeIsNull(types[i]))
            lower_error(lowering, parameter->place,
                "'%s' has the type '%s': a kernel takes scalars and pointers to element types",
                parameter->name, parameter->type->spelling);
    }
    return lowering->diagnostics->num_errors == errors;
}

/* The function's entry block, its arguments bound to the parameters. */
static MlirBlock entry_block(lowering *lowering, const ast_function *kernel, const MlirType *types)
{
    size_t count = kernel->num_parameters;
    MlirLocation *locations = arena_array(lowering->arena, MlirLocation, count);
    for (size_t i = 0; i < count; i++) {
        lowering->name = kernel->parameters[i]->name;
        MlirLocation before = lower_at(lowering, kernel->parameters[i]->place);
        locations[i] = lowering->builder.location;
        lowering->builder.location = before;
    }
    lowering->name = NULL;
    MlirBlock block = mlirBlockCreate((intptr_t)count, types, locations);
    for (size_t i = 0; i < count; i++) {
        const ast_variable *parameter = kernel->parameters[i];
        bool is_pointer = parameter->type->kind == AST_TYPE_POINTER;
        lowering->variables[parameter->index] = (value){
            .ssa = mlirBlockGetArgument(block, (intptr_t)i),
            .element = is_pointer ? ELEMENT_NONE : parameter->type->element,
            .pointee = is_pointer ? parameter->type->target : NULL,
        };
    }
    return block;
}

static MlirNamedAttribute named(MlirContext context, const char *name, MlirAttribute attribute)
{
    return mlirNamedAttributeGet(
        mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)), attribute);
}

/* A null `result`: a kernel. */
static MlirOperation function_operation(lowering *lowering, const ast_function *kernel,
    const MlirType *types, MlirType result, MlirBlock entry)
{
    MlirContext context = lowering->builder.context;
    bool is_kernel = mlirTypeIsNull(result);
    MlirType type = mlirFunctionTypeGet(
        context, (intptr_t)kernel->num_parameters, types, is_kernel ? 0 : 1, &result);
    const char *visibility = is_kernel ? "public" : "private";
    MlirNamedAttribute attributes[] = {
        named(context, "sym_name",
            mlirStringAttrGet(context, mlirStringRefCreateFromCString(kernel->name))),
        named(context, "function_type", mlirTypeAttrGet(type)),
        named(context, "sym_visibility",
            mlirStringAttrGet(context, mlirStringRefCreateFromCString(visibility))),
        named(context, "noinline", mlirBoolAttrGet(context, false)),
    };
    MlirRegion body = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(body, entry);
    MlirOperationState state = mlirOperationStateGet(
        mlirStringRefCreateFromCString("tt.func"), lowering->builder.location);
    mlirOperationStateAddAttributes(&state, sizeof attributes / sizeof *attributes, attributes);
    mlirOperationStateAddOwnedRegions(&state, 1, &body);
    return mlirOperationCreate(&state);
}

/* Fills `module`; on an error it is left behind as it is, and nobody looks at it. A helper's result
 * is returned, a kernel has none. */
static void lower_function(
    lowering *lowering, const ast_function *function, bool is_helper, MlirModule module)
{
    MlirType *types = arena_array(lowering->arena, MlirType, function->num_parameters + 1);
    if (!parameter_types(lowering, function, types))
        return;
    MlirType result_type = {0};
    if (is_helper)
        result_type = lower_type(lowering, function->result_variable->type);
    lower_at(lowering, function->place);
    MlirBlock entry = entry_block(lowering, function, types);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
        function_operation(lowering, function, types, result_type, entry));
    lowering->builder.block = entry;
    value result = lower_body(lowering, function);
    build_parts returned = {0};
    if (is_helper)
        returned.operands[0] = result.ssa;
    build_operation(&lowering->builder, "tt.return", &returned);
}

static MlirModule lower_module(lowering *lowering, const ast_function *function, bool is_helper)
{
    lowering->num_variables = count_variables(lowering->functions);
    lowering->capacity = 2 * lowering->num_variables + 64;
    lowering->variables = arena_array(lowering->arena, value, lowering->capacity);
    size_t errors = lowering->diagnostics->num_errors;
    lower_at(lowering, function->place);
    MlirModule module = mlirModuleCreateEmpty(lowering->builder.location);
    lower_function(lowering, function, is_helper, module);
    if (lowering->diagnostics->num_errors == errors)
        return module;
    mlirModuleDestroy(module);
    return (MlirModule){0};
}

static MlirModule lower_named(MlirContext context, arena *arena, const source *source,
    const ast_function *functions, const char *name, bool is_helper, diagnostics *diagnostics)
{
    const ast_function *function = find_function(functions, name);
    if (!function) {
        diagnostics_report(diagnostics, DIAGNOSTIC_ERROR, (diagnostic_place){0},
            "there is no %s named '%s'", is_helper ? "function" : "kernel", name);
        return (MlirModule){0};
    }
    lowering lowering = {
        .builder = {.context = context, .location = mlirLocationUnknownGet(context)},
        .arena = arena,
        .source = source,
        .functions = functions,
        .diagnostics = diagnostics,
        .broken = NO_SLOT,
        .continued = NO_SLOT,
    };
    return lower_module(&lowering, function, is_helper);
}

MlirModule lower_kernel(MlirContext context, arena *arena, const source *source,
    const ast_function *functions, const char *kernel, diagnostics *diagnostics)
{
    return lower_named(context, arena, source, functions, kernel, false, diagnostics);
}

MlirModule lower_helper(MlirContext context, arena *arena, const source *source,
    const ast_function *functions, const char *helper, diagnostics *diagnostics)
{
    return lower_named(context, arena, source, functions, helper, true, diagnostics);
}
