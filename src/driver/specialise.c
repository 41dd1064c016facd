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

static bool refuse_form(compilation *compilation, const char *text)
{
    return refuse(compilation,
        "--specialise takes ARGUMENT=NUMBER, a divisor or 1, separated by commas, not '%s'", text);
}

static MlirBlock entry_of(MlirOperation function)
{
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

/* ---- Reading the option ---------------------------------------------------------------------- */

enum { NO_ARGUMENT = -1, SEVERAL_ARGUMENTS = -2 };

/* The argument that a number, or a name that only one has, stands for. */
static intptr_t find_argument(compilation *compilation, MlirOperation function, const char *word)
{
    MlirBlock entry = entry_of(function);
    intptr_t count = mlirBlockGetNumArguments(entry), found = NO_ARGUMENT;
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (*word >= '0' && *word <= '9')
        return *end || number >= (unsigned long)count ? NO_ARGUMENT : (intptr_t)number;
    for (intptr_t i = 0; i < count; i++) {
        const char *name =
            metadata_argument_name(compilation->arena, mlirBlockGetArgument(entry, i), i);
        if (strcmp(name, word) != 0)
            continue;
        if (found >= 0)
            return SEVERAL_ARGUMENTS;
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

static bool refuse_argument(
    compilation *compilation, MlirOperation function, const char *word, intptr_t found)
{
    MlirStringRef kernel = ir_function_name(function);
    const char *form = found == NO_ARGUMENT
                           ? "kernel '%.*s' has no argument '%s'"
                           : "kernel '%.*s' has several arguments '%s': give numbers";
    compilation->argument_is_missing = found == NO_ARGUMENT;
    return refuse(compilation, "--specialise: %s",
        arena_format(compilation->arena, form, (int)kernel.length, kernel.data, word));
}

static bool read_fact(
    compilation *compilation, MlirOperation function, const char *text, fact *out_fact)
{
    const char *equals = strchr(text, '=');
    if (!equals || !read_value(equals + 1, &out_fact->value))
        return refuse_form(compilation, text);
    const char *word = arena_copy(compilation->arena, text, (size_t)(equals - text));
    out_fact->text = text;
    out_fact->argument = find_argument(compilation, function, word);
    return out_fact->argument >= 0 ||
           refuse_argument(compilation, function, word, out_fact->argument);
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

/* Whether a launch finds it out (teeny/teeny.h): that 16 divides a pointer or a wide integer, that
 * such an integer is 1. */
static bool is_found_out(MlirOperation function, const fact *fact)
{
    enum { FOUND_DIVISOR = 16, NARROW_BITS = 16 };
    MlirType type = mlirValueGetType(mlirBlockGetArgument(entry_of(function), fact->argument));
    if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= NARROW_BITS)
        return false;
    if (fact->value == 1)
        return mlirTypeIsAInteger(type);
    return FOUND_DIVISOR % fact->value == 0;
}

/* What was told so far: of each argument the last number, or 0. */
typedef struct told {
    MlirOperation function;
    int64_t *numbers;
} told;

/* Whether nothing else was said of the argument before. */
static bool agrees(compilation *compilation, const told *told, const fact *fact)
{
    int64_t before = told->numbers[fact->argument];
    if (before == 0 || before == fact->value)
        return true;
    return refuse(compilation,
        "--specialise: '%s' contradicts or repeats what it says of the same argument before",
        fact->text);
}

static bool tell(compilation *compilation, told *told, const fact *fact)
{
    if (!is_useful(compilation, told->function, fact) || !agrees(compilation, told, fact))
        return false;
    apply(compilation, told->function, fact);
    told->numbers[fact->argument] = fact->value;
    compilation->specialised_is_found_out &= is_found_out(told->function, fact);
    return true;
}

/* "*=16": every pointer. */
static bool tell_pointers(compilation *compilation, told *told, const char *text)
{
    fact fact = {.text = text};
    if (!read_value(text + 2, &fact.value))
        return refuse_form(compilation, text);
    MlirBlock entry = entry_of(told->function);
    for (; fact.argument < mlirBlockGetNumArguments(entry); fact.argument++) {
        MlirType type = mlirValueGetType(mlirBlockGetArgument(entry, fact.argument));
        if (tt_type_is_pointer(type) && !tell(compilation, told, &fact))
            return false;
    }
    return true;
}

static bool tell_text(compilation *compilation, told *told, const char *text)
{
    fact fact;
    if (text[0] == '*' && text[1] == '=')
        return tell_pointers(compilation, told, text);
    return read_fact(compilation, told->function, text, &fact) && tell(compilation, told, &fact);
}

static const char *text_of(arena *arena, const told *told)
{
    const char *text = "";
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry_of(told->function)); i++)
        if (told->numbers[i])
            text = arena_format(arena, "%s%s%ld=%lld", text, *text ? "," : "", (long)i,
                (long long)told->numbers[i]);
    return text;
}

bool specialise(compilation *compilation)
{
    arena *arena = compilation->arena;
    const char *option = compilation->options->specialise;
    told told = {ir_find_kernel(compilation->module, compilation->options->kernel), NULL};
    size_t count = (size_t)mlirBlockGetNumArguments(entry_of(told.function));
    told.numbers = arena_array(arena, int64_t, count + 1);
    compilation->specialised_is_found_out = true;
    while (option) {
        size_t length = strcspn(option, ",");
        if (!tell_text(compilation, &told, arena_copy(arena, option, length)))
            return false;
        option = option[length] ? option + length + 1 : NULL;
    }
    compilation->specialised = text_of(arena, &told);
    return true;
}
