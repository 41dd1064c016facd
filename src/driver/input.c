/* See input.h. */
#include "driver/input.h"

#include <string.h>

#include "dialect/dialect.h"
#include "driver/depfile.h"
#include "driver/faults.h"
#include "driver/output.h"

static const struct {
    const char *suffix;
    input_kind kind;
} suffixes[] = {{".c", INPUT_C}, {".ttir", INPUT_TTIR}, {".ttgir", INPUT_TTGIR}};

input_kind input_kind_of(const char *path)
{
    if (strcmp(path, "-") == 0)
        return INPUT_C;
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t end = strlen(suffixes[i].suffix);
        if (length > end && strcmp(path + length - end, suffixes[i].suffix) == 0)
            return suffixes[i].kind;
    }
    return INPUT_UNKNOWN;
}

static const source_file *read_file(compilation *compilation, const char *path)
{
    const char *error;
    const source_file *file = source_file_read(compilation->arena, path, &error);
    if (!file)
        diagnostics_report(compilation->diagnostics, DIAGNOSTIC_ERROR, (diagnostic_place){0},
            "cannot read %s: %s", path, error);
    else
        output_spare(compilation->arena, path);
    return file;
}

/* The tree of one kernel of the file, and its module. */
static bool lower_capture(compilation *compilation, const capture *captures, const capture *kernel)
{
    const driver_options *options = compilation->options;
    faults_activity("the frontend");
    faults_reading(options->input);
    if (!frontend_read_kernel(compilation->arena, captures, kernel, &options->settings,
            compilation->diagnostics, &compilation->kernel))
        return false;
    stopwatch_lap(compilation->stopwatch, "clang");
    compilation->products[STAGE_source] =
        (product){compilation->kernel.source.text, strlen(compilation->kernel.source.text)};
    compilation->module = frontend_lower(
        compilation->context, compilation->arena, &compilation->kernel, compilation->diagnostics);
    stopwatch_lap(compilation->stopwatch, "lower");
    bool is_right = !mlirModuleIsNull(compilation->module) &&
                    mlirOperationVerify(mlirModuleGetOperation(compilation->module));
    faults_reading(NULL);
    return is_right;
}

/* The input and its captures, told to --depfile. False after a diagnostic. */
static bool read_captures(
    compilation *compilation, const source_file **out_file, const capture **out_captures)
{
    const source_file *const *files;
    size_t num_files;
    *out_file = read_file(compilation, compilation->options->input);
    return *out_file &&
           captures_read_files(compilation->arena, *out_file, compilation->diagnostics,
               out_captures, &files, &num_files) &&
           depfile_write(compilation->arena, compilation->options, files, num_files);
}

bool input_lower(compilation *compilation)
{
    const source_file *file;
    if (!compilation->capture) {
        if (!read_captures(compilation, &file, &compilation->captures))
            return false;
        compilation->capture = frontend_find_kernel(
            compilation->captures, file, compilation->options->kernel, compilation->diagnostics);
        stopwatch_lap(compilation->stopwatch, "read");
    }
    return compilation->capture &&
           lower_capture(compilation, compilation->captures, compilation->capture);
}

static bool has_kernels(const capture *captures)
{
    while (captures && captures->kind != CAPTURE_KERNEL)
        captures = captures->next;
    return captures != NULL;
}

bool input_check(compilation *compilation)
{
    const driver_options *options = compilation->options;
    const char *name = options->kernel;
    const source_file *file;
    const capture *captures;
    if (!read_captures(compilation, &file, &captures))
        return false;
    bool is_for_one = name || options->settings.num_metas || options->settings.num_types;
    if ((is_for_one || !has_kernels(captures)) &&
        !frontend_find_kernel(captures, file, name, compilation->diagnostics))
        return false;
    bool is_right = true;
    for (const capture *each = captures; each; each = each->next) {
        if (each->kind != CAPTURE_KERNEL || (name && strcmp(each->name, name) != 0))
            continue;
        is_right &= lower_capture(compilation, captures, each);
        if (!mlirModuleIsNull(compilation->module))
            mlirModuleDestroy(compilation->module);
        compilation->module = (MlirModule){0};
    }
    return is_right;
}

bool input_parse(compilation *compilation, const char *path)
{
    const source_file *file = read_file(compilation, path);
    if (!file)
        return false;
    faults_activity("the parser of MLIR");
    faults_reading(path);
    MlirOperation module = ir_parse_module(compilation->context, file->text, file->name);
    faults_reading(NULL);
    if (mlirOperationIsNull(module))
        return false;
    if (!mlirModuleIsNull(compilation->module))
        mlirModuleDestroy(compilation->module);
    compilation->module = mlirModuleFromOperation(module);
    stopwatch_lap(compilation->stopwatch, "parse");
    return true;
}

bool input_product(compilation *compilation, const char *path, stage stage)
{
    const source_file *file = read_file(compilation, path);
    if (file)
        compilation->products[stage] = (product){file->text, file->length};
    return file != NULL;
}
