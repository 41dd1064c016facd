/* A kernel, or a helper alone, as a tt.func in a module; see lower.h. */
#include "frontend/lowering.h"

#include <string.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "dialect/dialect.h"

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

/* A tl_tensor is a pointer, its shape and its strides, in the order of the struct's fields. */
static size_t num_arguments_of(const ast_variable *parameter)
{
    bool is_tensor = parameter->type->kind == AST_TYPE_TENSOR;
    return is_tensor ? 1 + 2 * (size_t)parameter->type->lanes : 1;
}

/* The arguments of the function: their types, and the parameter that each belongs to. */
typedef struct signature {
    MlirType *types;
    const ast_variable **parameters;
    size_t count;
} signature;

static MlirType argument_type(lowering *lowering, const ast_type *type, size_t part)
{
    if (type->kind != AST_TYPE_TENSOR)
        return lower_type(lowering, type);
    return part ? lower_element_type(lowering, ELEMENT_i64)
                : tt_pointer_type(
                      lower_memory_type(lowering, type->element), TT_GLOBAL_ADDRESS_SPACE);
}

static signature signature_of(lowering *lowering, const ast_function *kernel)
{
    signature signature = {0};
    for (size_t i = 0; i < kernel->num_parameters; i++)
        signature.count += num_arguments_of(kernel->parameters[i]);
    signature.types = arena_array(lowering->arena, MlirType, signature.count + 1);
    signature.parameters = arena_array(lowering->arena, const ast_variable *, signature.count + 1);
    size_t at = 0;
    for (size_t i = 0; i < kernel->num_parameters; i++) {
        const ast_variable *parameter = kernel->parameters[i];
        for (size_t part = 0; part < num_arguments_of(parameter); part++) {
            signature.parameters[at] = parameter;
            signature.types[at++] = argument_type(lowering, parameter->type, part);
        }
    }
    return signature;
}

/* False after a diagnostic. */
static bool check_parameters(
    lowering *lowering, const ast_function *kernel, const signature *signature)
{
    size_t errors = lowering->diagnostics->num_errors;
    if (kernel->is_variadic)
        lower_error(lowering, kernel->place, VARIADIC_KERNEL);
    for (size_t i = 0; i < signature->count; i++) {
        const ast_variable *parameter = signature->parameters[i];
        if (!parameter->name[0])
            lower_error(lowering, parameter->place, NAMELESS_PARAMETER);
        if (mlirTypeIsNull(signature->types[i]))
            lower_error(lowering, parameter->place, PARAMETER_TYPE, parameter->name,
                parameter->type->spelling);
    }
    return lowering->diagnostics->num_errors == errors;
}

static value tensor_parameter(
    lowering *lowering, MlirBlock block, size_t first, const ast_type *type)
{
    tensor *made = arena_new(lowering->arena, tensor);
    ast_type *pointee = arena_new(lowering->arena, ast_type);
    *pointee = (ast_type){.kind = AST_TYPE_ELEMENT,
        .element = type->element,
        .is_const = type->is_const,
        .spelling = element_describe(type->element)->name};
    made->rank = (unsigned)type->lanes;
    made->is_const = type->is_const;
    made->base = (value){.ssa = mlirBlockGetArgument(block, (intptr_t)first), .pointee = pointee};
    for (size_t i = 0; i < made->rank; i++) {
        intptr_t shape = (intptr_t)(first + 1 + i), stride = shape + made->rank;
        made->shape[i] = (value){.ssa = mlirBlockGetArgument(block, shape), .element = ELEMENT_i64};
        made->stride[i] =
            (value){.ssa = mlirBlockGetArgument(block, stride), .element = ELEMENT_i64};
    }
    return (value){.ssa = made->base.ssa, .tensor = made};
}

static value parameter_value(
    lowering *lowering, MlirBlock block, size_t first, const ast_type *type)
{
    if (type->kind == AST_TYPE_TENSOR)
        return tensor_parameter(lowering, block, first, type);
    bool is_pointer = type->kind == AST_TYPE_POINTER;
    return (value){
        .ssa = mlirBlockGetArgument(block, (intptr_t)first),
        .element = is_pointer ? ELEMENT_NONE : type->element,
        .pointee = is_pointer ? type->target : NULL,
    };
}

/* The function's entry block, its arguments bound to the parameters. */
static MlirBlock entry_block(
    lowering *lowering, const ast_function *kernel, const signature *signature)
{
    MlirLocation *locations = arena_array(lowering->arena, MlirLocation, signature->count + 1);
    for (size_t i = 0; i < signature->count; i++) {
        lowering->name = signature->parameters[i]->name;
        MlirLocation before = lower_at(lowering, signature->parameters[i]->place);
        locations[i] = lowering->builder.location;
        lowering->builder.location = before;
    }
    lowering->name = NULL;
    MlirBlock block = mlirBlockCreate((intptr_t)signature->count, signature->types, locations);
    size_t at = 0;
    for (size_t i = 0; i < kernel->num_parameters; i++) {
        const ast_variable *parameter = kernel->parameters[i];
        lowering->variables[parameter->index] =
            parameter_value(lowering, block, at, parameter->type);
        at += num_arguments_of(parameter);
    }
    return block;
}

static MlirNamedAttribute named(MlirContext context, const char *name, MlirAttribute attribute)
{
    return mlirNamedAttributeGet(
        mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)), attribute);
}

/* A null `result`: a kernel. */
static MlirOperation function_operation(lowering *lowering, const ast_function *function,
    const signature *signature, MlirType result, MlirBlock entry)
{
    MlirContext context = lowering->builder.context;
    bool is_kernel = mlirTypeIsNull(result);
    MlirType type = mlirFunctionTypeGet(
        context, (intptr_t)signature->count, signature->types, is_kernel ? 0 : 1, &result);
    const char *visibility = is_kernel ? "public" : "private";
    MlirNamedAttribute attributes[] = {
        named(context, "sym_name",
            mlirStringAttrGet(context, mlirStringRefCreateFromCString(function->name))),
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
    signature signature = signature_of(lowering, function);
    if (!check_parameters(lowering, function, &signature))
        return;
    MlirType result_type = {0};
    if (is_helper)
        result_type = lower_type(lowering, function->result_variable->type);
    lower_at(lowering, function->place);
    MlirBlock entry = entry_block(lowering, function, &signature);
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module),
        function_operation(lowering, function, &signature, result_type, entry));
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
    if (!function)
        return (MlirModule){0};
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
