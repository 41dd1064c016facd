/* See frontend.h. */
#include "frontend/frontend.h"

#include <string.h>

#include "frontend/clang_reporter.h"
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

/* All but `function`. `kernel` may be NULL. */
static bool read_functions(arena *arena, const capture *captures, const capture *kernel,
    const source_settings *settings, diagnostics *diagnostics, frontend_kernel *out_kernel)
{
    *out_kernel = (frontend_kernel){0};
    if (!source_assemble(arena, captures, kernel, settings, diagnostics, &out_kernel->source))
        return false;
    clang_reporter reporter = {
        .arena = arena, .source = &out_kernel->source, .diagnostics = diagnostics};
    return clang_parse(arena, out_kernel->source.text, environment_headers, num_environment_headers,
        clang_reporter_report, &reporter, &out_kernel->functions);
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
