/* See frontend.h. */
#include "frontend/frontend.h"

#include <string.h>

#include "frontend/clang/bridge.h"
#include "frontend/environment.h"
#include "frontend/lower.h"

static const char *list_kernels(const capture *captures, char *list, size_t size)
{
    size_t length = 0;
    list[0] = '\0';
    for (const capture *each = captures; each && length < size; each = each->next)
        if (each->kind == CAPTURE_KERNEL)
            length += (size_t)snprintf(
                list + length, size - length, "%s%s", length ? ", " : "", each->name);
    return list;
}

const capture *frontend_find_kernel(
    const capture *captures, const source_file *file, const char *name, diagnostics *diagnostics)
{
    const capture *found = NULL;
    unsigned count = 0;
    for (const capture *each = captures; each; each = each->next) {
        if (each->kind != CAPTURE_KERNEL || (name && strcmp(each->name, name) != 0))
            continue;
        found = found ? found : each;
        count++;
    }
    if (count == 1)
        return found;
    diagnostic_place place = {.file = file->name};
    char list[512];
    list_kernels(captures, list, sizeof list);
    if (!list[0])
        diagnostics_error(diagnostics, place, NO_KERNEL);
    else if (name && count == 0)
        diagnostics_error(diagnostics, place, UNKNOWN_KERNEL, name, list);
    else if (name)
        diagnostics_error(diagnostics, place, SAME_KERNELS, count, name);
    else
        diagnostics_error(diagnostics, place, WHICH_KERNEL, list);
    return NULL;
}

typedef struct report_context {
    arena *arena;
    const source *source;
    diagnostics *diagnostics;
    bool is_shown; /* whether the last error was: its notes follow it */
} report_context;

/* The name that clang's message is about. */
static const char *quoted_name(const report_context *context, const char *message)
{
    const char *begin = strchr(message, '\'');
    const char *end = begin ? strchr(begin + 1, '\'') : NULL;
    return end ? arena_copy(context->arena, begin + 1, (size_t)(end - begin - 1)) : message;
}

static void report_unknown_name(
    const report_context *context, diagnostic_place place, const char *message)
{
    static const char lane[] = "teeny_lane_"; /* what pasting makes of an element type */
    diagnostics *diagnostics = context->diagnostics;
    const char *name = quoted_name(context, message);
    if (strncmp(name, lane, sizeof lane - 1) == 0)
        diagnostics_error(diagnostics, place, UNKNOWN_ELEMENT, name + sizeof lane - 1);
    else if (strncmp(name, "tl_", 3) == 0)
        diagnostics_error(diagnostics, place, UNKNOWN_OPERATION, name);
    else
        diagnostics_error(diagnostics, place, UNKNOWN_NAME, name);
}

/* "f32[64]" and "f32[32]": one element, another count. */
static bool have_same_element(const char *const types[2])
{
    size_t length = strcspn(types[0], "[");
    return types[0][length] && strncmp(types[0], types[1], length + 1) == 0;
}

static bool is_tile(const char *type)
{
    return strchr(type, '[') != NULL;
}

static const char *tile_of(const char *const types[2])
{
    return is_tile(types[0]) ? types[0] : types[1];
}

static void report_operands(
    const report_context *context, diagnostic_place place, const clang_diagnostic *said)
{
    diagnostics *diagnostics = context->diagnostics;
    const char *left = said->types[0], *right = said->types[1];
    if (!*said->written)
        diagnostics_error(diagnostics, place, OPERANDS_DIFFER, left, right);
    else if (have_same_element(said->types))
        diagnostics_error(diagnostics, place, SHAPES_DIFFER, said->written, left, right);
    else if (is_tile(left) && is_tile(right))
        diagnostics_error(diagnostics, place, TILES_CONVERT, said->written, left, right);
    else
        diagnostics_error(diagnostics, place, SCALAR_CHANGES, said->written, left, right);
}

static void report_error(
    const report_context *context, diagnostic_place place, const clang_diagnostic *said)
{
    diagnostics *diagnostics = context->diagnostics;
    switch (said->mistake) {
    case CLANG_OTHER_MISTAKE:
        diagnostics_error(diagnostics, place, NOT_C, said->message);
        break;
    case CLANG_UNKNOWN_NAME:
        report_unknown_name(context, place, said->message);
        break;
    case CLANG_FAILED_ASSERTION:
        diagnostics_error(diagnostics, place, OPERATION_USAGE, said->message);
        break;
    case CLANG_TILE_DIMENSIONS:
        diagnostics_error(diagnostics, place, TILE_DIMENSIONS);
        break;
    case CLANG_TILE_SIZE:
        diagnostics_error(diagnostics, place, TILE_SIZE);
        break;
    case CLANG_TILE_ELEMENT:
        diagnostics_error(diagnostics, place, TILE_ELEMENT);
        break;
    case CLANG_DIMENSION_NOT_CONSTANT:
        diagnostics_error(diagnostics, place, DIMENSION_NOT_CONSTANT);
        break;
    case CLANG_ARGUMENT_NOT_CONSTANT:
        diagnostics_error(diagnostics, place, ARGUMENT_NOT_CONSTANT);
        break;
    case CLANG_TILE_CONDITION:
        diagnostics_error(diagnostics, place, TILE_CONDITION, said->types[0]);
        break;
    case CLANG_TILE_LOGICAL:
        diagnostics_error(diagnostics, place, TILE_LOGICAL, said->written, tile_of(said->types));
        break;
    case CLANG_TILE_OPERATOR:
        diagnostics_error(
            diagnostics, place, NO_SUCH_OPERATOR, said->written, tile_of(said->types));
        break;
    case CLANG_TILES_DIFFER:
        report_operands(context, place, said);
        break;
    case CLANG_TILE_CONVERTS:
        diagnostics_error(diagnostics, place, TILE_CONVERTS, said->message);
        break;
    }
}

/* clang's word on the user's text, in ours where we have one. */
static void report_clang(void *opaque, const clang_diagnostic *said)
{
    report_context *context = opaque;
    diagnostic_place place = source_place(context->source, said->place);
    if (said->severity == CLANG_ERROR) {
        context->is_shown = said->mistake == CLANG_OTHER_MISTAKE;
        report_error(context, place, said);
    } else if (context->is_shown && place.file) { /* others point into the environment's headers */
        diagnostics_report(context->diagnostics, DIAGNOSTIC_NOTE, place, "%s", said->message);
    }
}

/* All but `function`. `kernel` may be NULL. */
static bool read_functions(arena *arena, const capture *captures, const capture *kernel,
    const source_settings *settings, diagnostics *diagnostics, frontend_kernel *out_kernel)
{
    *out_kernel = (frontend_kernel){0};
    if (!source_assemble(arena, captures, kernel, settings, diagnostics, &out_kernel->source))
        return false;
    report_context context = {
        .arena = arena, .source = &out_kernel->source, .diagnostics = diagnostics};
    return clang_parse(arena, out_kernel->source.text, environment_headers, num_environment_headers,
        report_clang, &context, &out_kernel->functions);
}

bool frontend_read_kernel(arena *arena, const capture *captures, const capture *kernel,
    const source_settings *settings, diagnostics *diagnostics, frontend_kernel *out_kernel)
{
    if (!read_functions(arena, captures, kernel, settings, diagnostics, out_kernel))
        return false;
    for (const ast_function *each = out_kernel->functions; each; each = each->next)
        if (strcmp(each->name, kernel->name) == 0)
            out_kernel->function = each;
    return out_kernel->function != NULL;
}

bool frontend_read_helpers(
    arena *arena, const capture *captures, diagnostics *diagnostics, frontend_kernel *out_helpers)
{
    static const source_settings none;
    return read_functions(arena, captures, NULL, &none, diagnostics, out_helpers);
}

MlirModule frontend_lower(
    MlirContext context, arena *arena, const frontend_kernel *kernel, diagnostics *diagnostics)
{
    return lower_kernel(
        context, arena, &kernel->source, kernel->functions, kernel->function->name, diagnostics);
}

MlirModule frontend_lower_helper(MlirContext context, arena *arena, const frontend_kernel *helpers,
    const char *name, diagnostics *diagnostics)
{
    return lower_helper(context, arena, &helpers->source, helpers->functions, name, diagnostics);
}
