/*
 * teeny-opt FILE [--pass-pipeline=P] [--locations] [--names] [--generic]
 *
 * Reads MLIR text of the dialects of src/dialect/, verifies it, runs the passes of P over it
 * (MLIR's pipeline syntax), prints the result. Diagnostics go to stderr; exit 1 if there was an
 * error. A file holding `// -----` lines is taken apart there, each part on its own, as mlir-opt
 * --split-input-file does. FILE may be `-`.
 */
#include "dialect/dialect.h"

#include "mlir-c/Pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file;
    const char *pipeline;
    unsigned print_flags;
};

static const struct {
    const char *name;
    unsigned flag;
} print_options[] = {
    {"--locations", IR_PRINT_LOCATIONS},
    {"--names", IR_PRINT_NAMES},
    {"--generic", IR_PRINT_GENERIC},
};

static const char separator[] = "// -----\n";
static const char pipeline_option[] = "--pass-pipeline=";

static bool parse_print_option(const char *argument, unsigned *flags)
{
    for (size_t i = 0; i < sizeof print_options / sizeof *print_options; i++) {
        if (strcmp(argument, print_options[i].name) == 0) {
            *flags |= print_options[i].flag;
            return true;
        }
    }
    return false;
}

static bool parse_options(int argc, char **argv, struct options *options)
{
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (strncmp(argument, pipeline_option, sizeof pipeline_option - 1) == 0)
            options->pipeline = argument + sizeof pipeline_option - 1;
        else if (argument[0] != '-' || strcmp(argument, "-") == 0)
            options->file = argument;
        else if (!parse_print_option(argument, &options->print_flags))
            return false;
    }
    return options->file != NULL;
}

/* The whole stream, zero-terminated; null when it cannot be read. The caller frees it. */
static char *read_stream(FILE *stream)
{
    size_t size = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    while (text) {
        size += fread(text + size, 1, capacity - 1 - size, stream);
        if (size < capacity - 1)
            break;
        capacity *= 2;
        char *grown = realloc(text, capacity);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text && ferror(stream)) {
        free(text);
        return NULL;
    }
    if (text)
        text[size] = '\0';
    return text;
}

static char *read_file(const char *path)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin);
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return NULL;
    char *text = read_stream(stream);
    fclose(stream);
    return text;
}

static void write_text(MlirStringRef text, void *stream)
{
    fwrite(text.data, 1, text.length, stream);
}

static MlirLogicalResult run_passes(MlirOperation module, const char *pipeline)
{
    MlirPassManager passes = mlirPassManagerCreate(mlirOperationGetContext(module));
    MlirStringRef text = mlirStringRefCreateFromCString(pipeline);
    MlirLogicalResult result =
        mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(passes), text, write_text, stderr);
    if (mlirLogicalResultIsSuccess(result))
        result = mlirPassManagerRunOnOp(passes, module);
    mlirPassManagerDestroy(passes);
    return result;
}

/* One module, from text to text. */
static bool process(MlirContext context, const char *text, const struct options *options)
{
    MlirOperation module = ir_parse_module(context, text, options->file);
    if (mlirOperationIsNull(module))
        return false;
    bool good =
        !options->pipeline || mlirLogicalResultIsSuccess(run_passes(module, options->pipeline));
    if (good)
        ir_print(module, options->print_flags, write_text, stdout);
    mlirOperationDestroy(module);
    return good;
}

/* Every part of the text. A part keeps its line numbers: those before it become empty lines. */
static bool process_parts(MlirContext context, char *text, const struct options *options)
{
    bool good = true;
    for (char *part = text; part;) {
        char *end = strstr(part, separator);
        if (end)
            *end = '\0';
        good &= process(context, text, options);
        for (char *c = part; *c; c++)
            if (*c != '\n')
                *c = ' ';
        if (end)
            memset(end, ' ', sizeof separator - 2);
        part = end ? end + sizeof separator - 1 : NULL;
    }
    return good;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    if (!parse_options(argc, argv, &options)) {
        fprintf(stderr, "usage: %s FILE [--pass-pipeline=P] [--locations] [--names] [--generic]\n",
            argv[0]);
        return 2;
    }
    char *text = read_file(options.file);
    if (!text) {
        fprintf(stderr, "%s: cannot be read\n", options.file);
        return 2;
    }
    ir_register_passes();
    MlirContext context = dialect_context_create();
    bool good = process_parts(context, text, &options);
    mlirContextDestroy(context);
    free(text);
    return good ? 0 : 1;
}
