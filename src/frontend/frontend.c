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
        diagnostics_report(diagnostics, DIAGNOSTIC_ERROR, place, "no TEENY_KERNEL in this file");
    else if (name && count == 0)
        diagnostics_report(diagnostics, DIAGNOSTIC_ERROR, place,
            "there is no kernel named '%s' here, but: %s", name, list);
    else if (name)
        diagnostics_report(
            diagnostics, DIAGNOSTIC_ERROR, place, "there are %u kernels named '%s'", count, name);
    else
        diagnostics_report(
            diagnostics, DIAGNOSTIC_ERROR, place, "which kernel? --kernel takes one of: %s", list);
    return NULL;
}

typedef struct report_context {
    arena *arena;
    const source *source;
    diagnostics *diagnostics;
    bool is_shown;                         /* whether the last error was: its notes follow it */
    bool has_listed_ops, has_listed_names; /* the notes behind unknown names, once each */
} report_context;

/* The name that clang's message is about, without the prefix that pasting gave to an element type.
 */
static const char *quoted_name(
    const report_context *context, const char *message, bool *out_is_lane)
{
    static const char lane[] = "teeny_lane_";
    const char *begin = strchr(message, '\'');
    const char *end = begin ? strchr(begin + 1, '\'') : NULL;
    if (!end)
        return message;
    *out_is_lane = strncmp(begin + 1, lane, sizeof lane - 1) == 0;
    begin += *out_is_lane ? sizeof lane : 1;
    return arena_copy(context->arena, begin, (size_t)(end - begin));
}

static void report_unknown_name(
    report_context *context, diagnostic_place place, const char *message)
{
    bool is_lane = false;
    const char *name = quoted_name(context, message, &is_lane);
    if (is_lane) {
        diagnostics_report(
            context->diagnostics, DIAGNOSTIC_ERROR, place, "'%s' is no element type", name);
        return;
    }
    diagnostics_report(
        context->diagnostics, DIAGNOSTIC_ERROR, place, "'%s' is not known in a kernel", name);
    bool is_operation = strncmp(name, "tl_", 3) == 0;
    bool *has_explained = is_operation ? &context->has_listed_ops : &context->has_listed_names;
    if (*has_explained)
        return;
    *has_explained = true;
    diagnostics_report(context->diagnostics, DIAGNOSTIC_NOTE,
        (diagnostic_place){.file = place.file},
        is_operation
            ? "teenyc --list ops shows the operations that there are"
            : "a kernel sees its parameters, its META and what was captured by name: constants and "
              "types with TEENY_DECL, functions with TEENY_DEVICE, element types with TEENY_TYPE");
}

/* clang's word on the user's text, in ours where we have one. */
static void report_clang(void *opaque, const clang_diagnostic *diagnostic)
{
    report_context *context = opaque;
    diagnostic_place place = source_place(context->source, diagnostic->place);
    if (diagnostic->severity == CLANG_NOTE) {
        if (context->is_shown && place.file) /* others point into the environment's headers */
            diagnostics_report(
                context->diagnostics, DIAGNOSTIC_NOTE, place, "%s", diagnostic->message);
        return;
    }
    context->is_shown = diagnostic->mistake == CLANG_OTHER_MISTAKE;
    if (diagnostic->mistake == CLANG_UNKNOWN_NAME)
        report_unknown_name(context, place, diagnostic->message);
    else
        diagnostics_report(
            context->diagnostics, DIAGNOSTIC_ERROR, place, "%s", diagnostic->message);
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
