/* See metadata.h: a first line with the format's version, then `key = value` lines. */
#include "driver/metadata.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "base/string_builder.h"
#include "codegen/ir_read.h"

enum { METADATA_VERSION = 1, POINTER_BYTES = 8 };

typedef struct parameter {
    const char *kind;
    unsigned bytes;
} parameter;

/* A kernel's parameters are scalars and pointers: the frontend and tt's verifier see to that. */
static parameter describe_parameter(arena *arena, MlirType type)
{
    if (tt_type_is_pointer(type))
        return (parameter){"pointer", POINTER_BYTES};
    if (mlirTypeIsABF16(type))
        return (parameter){"bf16", 2};
    if (mlirTypeIsAFloat(type)) {
        unsigned bits = mlirFloatTypeGetWidth(type);
        return (parameter){arena_format(arena, "f%u", bits), bits / 8};
    }
    unsigned bits = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
    return bits == 1 ? (parameter){"bool", 1}
                     : (parameter){arena_format(arena, "i%u", bits), bits / 8};
}

const char *metadata_argument_name(arena *arena, MlirValue argument, intptr_t index)
{
    MlirLocation location = mlirValueGetLocation(argument);
    if (!mlirLocationIsAName(location))
        return arena_format(arena, "argument%ld", (long)index);
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    return arena_copy(arena, name.data, name.length);
}

static unsigned aligned(unsigned offset, unsigned alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

/* The type of the parameter that the argument of the function is, or is a part of: a tl_tensor is
 * several arguments, and its base the first. */
static const ast_type *type_of_argument(const ast_function *tree, size_t index)
{
    for (size_t i = 0; i < tree->num_parameters; i++) {
        const ast_type *type = tree->parameters[i]->type;
        size_t parts = type->kind == AST_TYPE_TENSOR ? 1 + 2 * (size_t)type->lanes : 1;
        if (index < parts)
            return type;
        index -= parts;
    }
    return NULL;
}

/* MLIR's integers have no sign: the tree, where there is one, has the name that C gives. */
static const char *kind_of(const metadata_facts *facts, size_t index, parameter described)
{
    const ast_type *type = facts->tree ? type_of_argument(facts->tree, index) : NULL;
    if (!type || type->kind != AST_TYPE_ELEMENT)
        return described.kind;
    const element_info *element = element_describe(type->element);
    return element->bits == 8 * described.bytes ? element->name : described.kind;
}

/* What a pointer points to, behind a space; "" for other arguments. */
static const char *element_of(
    arena *arena, const metadata_facts *facts, size_t index, MlirType type)
{
    if (!tt_type_is_pointer(type))
        return "";
    const ast_type *written = facts->tree ? type_of_argument(facts->tree, index) : NULL;
    if (written && written->kind == AST_TYPE_POINTER)
        written = written->target;
    bool is_known = written && written->element != ELEMENT_NONE;
    const char *name = is_known ? element_describe(written->element)->name
                                : describe_parameter(arena, tt_pointer_pointee(type)).kind;
    return arena_format(arena, " %s", name);
}

/* Writes a line each; gives the size of the whole struct. */
static unsigned add_parameters(arena *arena, const metadata_facts *facts, teeny_string *lines)
{
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(facts->function, 0));
    unsigned offset = 0, largest = 1;
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); i++) {
        MlirValue argument = mlirBlockGetArgument(entry, i);
        MlirType type = mlirValueGetType(argument);
        parameter described = describe_parameter(arena, type);
        offset = aligned(offset, described.bytes);
        teeny_string_format(lines, "parameter = %u %u %s %s%s\n", offset, described.bytes,
            kind_of(facts, (size_t)i, described), metadata_argument_name(arena, argument, i),
            element_of(arena, facts, (size_t)i, type));
        offset += described.bytes;
        largest = described.bytes > largest ? described.bytes : largest;
    }
    return aligned(offset, largest);
}

static void add_settings(const metadata_facts *facts, teeny_string *text)
{
    for (size_t i = 0; facts->tree && i < facts->tree->num_metas; i++)
        teeny_string_format(text, "meta = %s %lld\n", facts->tree->metas[i].name,
            (long long)facts->tree->metas[i].value);
    for (size_t i = 0; i < facts->settings->num_types; i++)
        teeny_string_format(text, "type = %s %s\n", facts->settings->types[i].name,
            facts->settings->types[i].value);
}

const char *metadata_text(arena *arena, const metadata_facts *facts)
{
    MlirStringRef name = ir_function_name(facts->function);
    const char *kernel = arena_copy(arena, name.data, name.length);
    teeny_string parameters = {0}, text = {0};
    unsigned bytes = add_parameters(arena, facts, &parameters);
    teeny_string_format(&text, "teeny metadata %d\n", METADATA_VERSION);
    teeny_string_format(&text, "kernel = %s\ntarget = %s\nresolved = %s\nentry = %s\n", kernel,
        facts->target, facts->resolved, kernel);
    teeny_string_format(&text, "num-warps = %u\nshared-bytes = %u\narguments-bytes = %u\n",
        facts->num_warps, facts->shared_bytes, bytes);
    teeny_string_add(&text, teeny_string_text(&parameters));
    if (facts->specialised)
        teeny_string_format(&text, "specialised = %s\n", facts->specialised);
    add_settings(facts, &text);
    const char *result = arena_copy(arena, teeny_string_text(&text), text.length);
    teeny_string_free(&parameters);
    teeny_string_free(&text);
    return result;
}
