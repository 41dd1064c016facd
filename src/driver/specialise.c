/* See specialise.h. */
#include "driver/specialise.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/ir_read.h"
#include "driver/metadata.h"

typedef struct fact {
    const char *text; /* of this fact in the option, for messages */
    intptr_t argument;
    int64_t value;
} fact;

static bool refuse(compilation *compilation, const char *format, const char *what)
{
    diagnostics_report(
        compilation->diagnostics, DIAGNOSTIC_ERROR, (diagnostic_place){0}, format, what);
    compilation->option_is_refused = true;
    return false;
}

static MlirBlock entry_of(MlirOperation function)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

/* ---- Reading the option ---------------------------------------------------------------------- */

/* The argument that a number, or a name that only one has, stands for; -1 for none. */
static intptr_t find_argument(compilation *compilation, MlirOperation function, const char *word)
{
    MlirBlock entry = entry_of(function);
    intptr_t count = mlirBlockGetNumArguments(entry), found = -1;
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (*word >= '0' && *word <= '9')
        return *end || number >= (unsigned long)count ? -1 : (intptr_t)number;
    for (intptr_t i = 0; i < count; i++) {
        const char *name =
            metadata_argument_name(compilation->arena, mlirBlockGetArgument(entry, i), i);
        if (strcmp(name, word) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

static bool read_value(const char *text, int64_t *out_value)
{
    char *end;
    errno = 0;
    *out_value = strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && errno == 0 && *out_value > 0 &&
           *out_value <= INT32_MAX;
}

static bool read_fact(
    compilation *compilation, MlirOperation function, const char *text, fact *out_fact)
{
    const char *equals = strchr(text, '=');
    if (!equals || !read_value(equals + 1, &out_fact->value))
        return refuse(compilation,
            "--specialise takes ARGUMENT=NUMBER, a divisor or 1, separated by commas, not '%s'",
            text);
    const char *word = arena_copy(compilation->arena, text, (size_t)(equals - text));
    out_fact->text = text;
    out_fact->argument = find_argument(compilation, function, word);
    if (out_fact->argument < 0)
        return refuse(compilation, "--specialise: no single argument is called '%s'", word);
    return true;
}

/* ---- Writing it down ------------------------------------------------------------------------- */

static MlirAttribute attributes_of_argument(MlirOperation function, intptr_t index)
{
    MlirAttribute all = ir_attribute(function, "arg_attrs");
    if (mlirAttributeIsNull(all))
        return mlirDictionaryAttrGet(mlirOperationGetContext(function), 0, NULL);
    return mlirArrayAttrGetElement(all, index);
}

static MlirNamedAttribute divisibility(MlirContext context, int64_t divisor)
{
    MlirStringRef name = mlirStringRefCreateFromCString("tt.divisibility");
    return mlirNamedAttributeGet(mlirIdentifierGet(context, name),
        mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), divisor));
}

/* The attributes with another tt.divisibility. */
static MlirAttribute with_divisibility(
    arena *arena, MlirContext context, MlirAttribute old, int64_t divisor)
{
    intptr_t count = mlirDictionaryAttrGetNumElements(old), kept = 0;
    MlirNamedAttribute told = divisibility(context, divisor);
    MlirNamedAttribute *list = arena_array(arena, MlirNamedAttribute, (size_t)count + 1);
    for (intptr_t i = 0; i < count; i++) {
        MlirNamedAttribute each = mlirDictionaryAttrGetElement(old, i);
        if (!mlirIdentifierEqual(each.name, told.name))
            list[kept++] = each;
    }
    list[kept++] = told;
    return mlirDictionaryAttrGet(context, kept, list);
}

static void tell_divisor(arena *arena, MlirOperation function, const fact *fact)
{
    MlirContext context = mlirOperationGetContext(function);
    intptr_t count = mlirBlockGetNumArguments(entry_of(function));
    MlirAttribute *all = arena_array(arena, MlirAttribute, (size_t)count);
    for (intptr_t i = 0; i < count; i++) {
        all[i] = attributes_of_argument(function, i);
        if (i == fact->argument)
            all[i] = with_divisibility(arena, context, all[i], fact->value);
    }
    mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("arg_attrs"),
        mlirArrayAttrGet(context, count, all));
}

/* The argument stays a parameter, which nothing reads. */
static void replace_by_one(MlirOperation function, MlirValue argument)
{
    MlirBlock entry = entry_of(function);
    MlirType type = mlirValueGetType(argument);
    MlirContext context = mlirOperationGetContext(function);
    MlirStringRef name = mlirStringRefCreateFromCString("value");
    MlirNamedAttribute value =
        mlirNamedAttributeGet(mlirIdentifierGet(context, name), mlirIntegerAttrGet(type, 1));
    MlirOperationState state = mlirOperationStateGet(
        mlirStringRefCreateFromCString("arith.constant"), mlirValueGetLocation(argument));
    mlirOperationStateAddAttributes(&state, 1, &value);
    mlirOperationStateAddResults(&state, 1, &type);
    MlirOperation constant = mlirOperationCreate(&state);
    mlirBlockInsertOwnedOperation(entry, 0, constant);
    mlirValueReplaceAllUsesOfWith(argument, mlirOperationGetResult(constant, 0));
}

/* What is known of addresses are powers of two. */
static bool is_useful(compilation *compilation, MlirOperation function, const fact *fact)
{
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry_of(function), fact->argument));
    bool is_integer = mlirTypeIsAInteger(type);
    if (!is_integer && !tt_type_is_pointer(type))
        return refuse(compilation,
            "--specialise is for integers and pointers: '%s' is about neither", fact->text);
    if (fact->value == 1 && !is_integer)
        return refuse(compilation, "--specialise: '%s' makes a pointer the number 1", fact->text);
    if (fact->value != 1 && fact->value % 2 != 0)
        return refuse(compilation,
            "--specialise: nothing follows from '%s': a divisor is even, or 1 where the argument "
            "is 1",
            fact->text);
    return true;
}

static void apply(compilation *compilation, MlirOperation function, const fact *fact)
{
    if (fact->value == 1)
        replace_by_one(function, mlirBlockGetArgument(entry_of(function), fact->argument));
    else
        tell_divisor(compilation->arena, function, fact);
}

/* Whether what was said of an argument before is said otherwise now. `told` has a value for each
 * argument, 0 where nothing was said. */
static bool agrees(compilation *compilation, const fact *fact, int64_t *told)
{
    int64_t before = told[fact->argument];
    told[fact->argument] = fact->value;
    if (before == 0 || before == fact->value)
        return true;
    return refuse(compilation,
        "--specialise: '%s' contradicts or repeats what it says of the same argument before",
        fact->text);
}

bool specialise(compilation *compilation)
{
    const char *option = compilation->options->specialise;
    MlirOperation function = ir_find_kernel(compilation->module, compilation->options->kernel);
    size_t count = option ? (size_t)mlirBlockGetNumArguments(entry_of(function)) : 0;
    int64_t *told = arena_array(compilation->arena, int64_t, count + 1);
    memset(told, 0, (count + 1) * sizeof *told);
    while (option) {
        size_t length = strcspn(option, ",");
        fact fact;
        const char *text = arena_copy(compilation->arena, option, length);
        if (!read_fact(compilation, function, text, &fact) ||
            !is_useful(compilation, function, &fact) || !agrees(compilation, &fact, told))
            return false;
        apply(compilation, function, &fact);
        option = option[length] ? option + length + 1 : NULL;
    }
    return true;
}
