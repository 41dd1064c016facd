/* `--emit c`: what is compiled, and where it goes; see embed.h. The C text is embed_text.c's.
 *
 *     kernels x targets x (any arguments, each --specialise) -> compile_in_memory -> images
 */
#include "driver/embed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/targets.h"
#include "driver/depfile.h"
#include "driver/embed_names.h"
#include "driver/input.h"
#include "driver/output.h"

/* ---- What was asked for ---------------------------------------------------------------------- */

static bool is_identifier(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}

static bool names_c_file(const char *path)
{
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0 && path[length - 3] != '/';
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* In quotes, in a line, by every C compiler. */
static bool can_be_included(const char *path)
{
    for (const char *at = base_name(path); *at; at++)
        if (iscntrl((unsigned char)*at) || *at == '"' || *at == '\\')
            return false;
    return true;
}

static int check_options(const driver_options *options)
{
    if (!options->input)
        return compile_usage("there is no input%s; see teenyc --help", "");
    if (input_kind_of(options->input) != INPUT_C)
        return compile_usage("--emit c reads C, not '%s'", options->input);
    if (options->check)
        return compile_usage("--check emits nothing%s", "");
    if (options->num_emits > 1)
        return compile_usage("--emit c stands alone%s", "");
    if (!names_c_file(options->output))
        return compile_usage(
            "--emit c writes a pair of files: -o FILE.c, not '%s'", options->output);
    if (!can_be_included(options->output))
        return compile_usage(
            "--emit c: '%s' is no name that an #include can have", options->output);
    if (!options->target)
        return compile_usage("--target is missing%s (teenyc --list targets)", "");
    if (options->name && !is_identifier(options->name))
        return compile_usage("'%s' cannot be the name of a kernel", options->name);
    return COMPILE_RIGHT;
}

/* A program runs on other machines than the one that it is built on. */
static int refuse_own_processor(arena *arena)
{
    const char *levels = "";
    for (size_t i = 0; i < host_target_count; i++)
        if (host_targets[i].name)
            levels =
                arena_format(arena, "%s%s%s", levels, *levels ? ", " : "", host_targets[i].name);
    return compile_usage(
        "the target 'cpu' is the processor at hand: for --emit c name the least that the "
        "program is to run on (%s)",
        levels);
}

/* ---- Compiling ------------------------------------------------------------------------------- */

typedef struct embedding {
    arena *arena;
    const driver_options *options;
    bool has_others;             /* several kernels are compiled */
    embedded_kernel *kernel;     /* the one at hand */
    const embedded_image **link; /* where its next image goes */
} embedding;

static void add_image(embedding *embedding, const compilation *compilation, stage stage)
{
    embedded_image *image = arena_new(embedding->arena, embedded_image);
    *image = (embedded_image){.target = compilation->options->target,
        .specialised = compilation->specialised,
        .stage = stage,
        .metadata = compilation->products[STAGE_metadata].data,
        .code = compilation->products[stage]};
    *embedding->link = image;
    embedding->link = &image->next;
}

static size_t arguments_bytes(const char *metadata)
{
    static const char key[] = "\narguments-bytes = ";
    const char *line = strstr(metadata, key);
    return line ? strtoul(line + sizeof key - 1, NULL, 10) : 0;
}

static void describe_kernel(embedded_kernel *kernel, const compilation *compilation)
{
    const frontend_kernel *read = &compilation->kernel;
    kernel->tree = read->function;
    kernel->c_parameters = embed_parameter_names(compilation->arena, read->function);
    kernel->place = source_place(&read->source, read->function->place);
    kernel->arguments_bytes = arguments_bytes(compilation->products[STAGE_metadata].data);
}

static const stage gpu_stages[] = {STAGE_cubin, STAGE_ptx};
enum { NUM_GPU_STAGES = sizeof gpu_stages / sizeof *gpu_stages };

/* Code for a CPU does not gain by what is known of arguments, and launches there do not look. */
static bool has_variants(const char *target)
{
    return !host_target_find(target);
}

/* The stages that the target has code in. Of a variant that it has none for, as much as tells
 * whether the kernel has the arguments. */
static void choose_stages(const driver_options *given, driver_options *options)
{
    const char *target = options->target;
    memset(options->emits, 0, sizeof options->emits);
    if (options->specialise && !has_variants(target)) {
        options->emits[STAGE_ttir] = true;
        return;
    }
    options->emits[STAGE_metadata] = true;
    bool is_gpu = nvidia_target_find(target) != NULL;
    bool is_default = true;
    for (size_t i = 0; is_gpu && i < NUM_GPU_STAGES; i++) {
        options->emits[gpu_stages[i]] = given->embeds[gpu_stages[i]];
        is_default &= !given->embeds[gpu_stages[i]];
    }
    if (is_default)
        options->emits[is_gpu ? STAGE_ptx : STAGE_image] = true;
}

/* What a --specialise says for a kernel: "KERNEL:FACTS" is for one of several. NULL: nothing. */
static const char *specialise_for(const char *option, const char *kernel)
{
    size_t length = strcspn(option, ":");
    if (!option[length])
        return option;
    bool is_its_own = strncmp(option, kernel, length) == 0 && !kernel[length];
    return is_its_own ? option + length + 1 : NULL;
}

/* Where a --specialise is for all kernels of a file, and one of them has no such argument. */
static void tell_form(const embedding *embedding, const char *option, const char *facts)
{
    if (embedding->has_others && facts == option)
        fprintf(stderr, "teenyc: note: for one kernel of several: --specialise KERNEL:%s\n", facts);
}

/* As a --specialise says that is for the kernel, too; NULL: for any arguments. */
static int compile_image(embedding *embedding, const char *target, const char *option)
{
    const char *facts = option ? specialise_for(option, embedding->kernel->name) : NULL;
    driver_options options = *embedding->options;
    compilation compilation;
    options.kernel = embedding->kernel->name;
    options.target = target;
    options.specialise = facts;
    options.num_specialises = facts != NULL;
    options.output = ".";
    options.depfile = NULL;
    options.num_emits = 1;
    choose_stages(embedding->options, &options);
    int status = compile_in_memory(embedding->arena, &options, &compilation);
    if (compilation.argument_is_missing)
        tell_form(embedding, option, facts);
    if (status != COMPILE_RIGHT)
        return status;
    if (!compilation.specialised_is_found_out)
        return compile_usage(
            "--specialise '%s': launches only find out that pointers and integers of 32 or "
            "64 bits are multiples of 16, and that such integers are 1",
            facts);
    if (!options.emits[STAGE_metadata])
        return COMPILE_RIGHT;
    describe_kernel(embedding->kernel, &compilation);
    static const stage stages_of_code[] = {STAGE_cubin, STAGE_ptx, STAGE_image};
    for (size_t i = 0; i < sizeof stages_of_code / sizeof *stages_of_code; i++)
        if (options.emits[stages_of_code[i]])
            add_image(embedding, &compilation, stages_of_code[i]);
    return COMPILE_RIGHT;
}

static int compile_target(embedding *embedding, const char *target)
{
    const driver_options *options = embedding->options;
    if (strcmp(target, "cpu") == 0)
        return refuse_own_processor(embedding->arena);
    int status = compile_image(embedding, target, NULL);
    for (size_t i = 0; status == COMPILE_RIGHT && i < options->num_specialises; i++)
        if (specialise_for(options->specialises[i], embedding->kernel->name))
            status = compile_image(embedding, target, options->specialises[i]);
    return status;
}

static bool has_image(const embedded_kernel *kernel, const char *target)
{
    for (const embedded_image *image = kernel->images; image; image = image->next)
        if (strcmp(image->target, target) == 0)
            return true;
    return false;
}

static int compile_kernel(
    arena *arena, const driver_options *options, bool has_others, embedded_kernel *kernel)
{
    embedding embedding = {arena, options, has_others, kernel, &kernel->images};
    int status = COMPILE_RIGHT;
    for (const char *at = options->target; at && status == COMPILE_RIGHT;) {
        size_t length = strcspn(at, ",");
        const char *target = arena_copy(arena, at, length);
        if (has_image(kernel, target))
            return compile_usage("the target '%s' is named twice", target);
        status = compile_target(&embedding, target);
        at = at[length] ? at + length + 1 : NULL;
    }
    return status;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static const capture *read_captures(arena *arena, const driver_options *options)
{
    diagnostics diagnostics = {.out = stderr};
    const char *error;
    const capture *captures;
    const source_file *file = source_file_read(arena, options->input, &error);
    if (!file) {
        diagnostics_report(&diagnostics, DIAGNOSTIC_ERROR, (diagnostic_place){0},
            "cannot read %s: %s", options->input, error);
        return NULL;
    }
    const source_file *const *files;
    size_t num_files;
    if (!captures_read_files(arena, file, &diagnostics, &captures, &files, &num_files) ||
        !depfile_write(arena, options, files, num_files))
        return NULL;
    bool is_any = !options->kernel;
    for (const capture *each = captures; is_any && each; each = each->next)
        if (each->kind == CAPTURE_KERNEL)
            return captures;
    return frontend_find_kernel(captures, file, options->kernel, &diagnostics) ? captures : NULL;
}

/* A --specialise for a kernel that is not there would be lost. */
static int check_specialises(const driver_options *options, const capture *captures)
{
    for (size_t i = 0; i < options->num_specialises; i++) {
        const capture *each = captures;
        while (each && (each->kind != CAPTURE_KERNEL ||
                           !specialise_for(options->specialises[i], each->name)))
            each = each->next;
        if (!each)
            return compile_usage(
                "--specialise '%s': there is no such kernel", options->specialises[i]);
    }
    return COMPILE_RIGHT;
}

static bool has_several(const driver_options *options, const capture *captures)
{
    size_t count = 0;
    for (const capture *each = captures; each; each = each->next)
        count += each->kind == CAPTURE_KERNEL;
    return !options->kernel && count > 1;
}

static int compile_kernels(
    arena *arena, const driver_options *options, const embedded_kernel **out_kernels)
{
    const embedded_kernel **link = out_kernels;
    const capture *captures = read_captures(arena, options);
    if (!captures)
        return COMPILE_WRONG;
    int status = check_specialises(options, captures);
    if (status != COMPILE_RIGHT)
        return status;
    for (const capture *each = captures; each; each = each->next) {
        if (each->kind != CAPTURE_KERNEL ||
            (options->kernel && strcmp(each->name, options->kernel) != 0))
            continue;
        if (options->name && *out_kernels)
            return compile_usage(
                "--name '%s' is for one kernel: say which by --kernel", options->name);
        embedded_kernel *kernel = arena_new(arena, embedded_kernel);
        kernel->name = each->name;
        kernel->c_name = options->name ? options->name : each->name;
        status = compile_kernel(arena, options, has_several(options, captures), kernel);
        if (status != COMPILE_RIGHT)
            return status;
        *link = kernel;
        link = &kernel->next;
    }
    return COMPILE_RIGHT;
}

int embed(arena *arena, const driver_options *options)
{
    const embedded_kernel *kernels = NULL;
    int status = check_options(options);
    if (status == COMPILE_RIGHT)
        status = compile_kernels(arena, options, &kernels);
    if (status != COMPILE_RIGHT)
        return status;
    if (!embed_check_names(arena, kernels))
        return COMPILE_USAGE;
    size_t stem = strlen(options->output) - 2;
    const char *header_path = arena_format(arena, "%.*s.h", (int)stem, options->output);
    const char *header_name = base_name(header_path), *source_name = base_name(options->input);
    product header = embed_header(arena, kernels, header_name, source_name);
    product source = embed_source(arena, kernels, header_name, source_name);
    if (!output_is_free(header_path) || !output_is_free(options->output))
        return COMPILE_WRONG;
    bool is_written = output_write(arena, header_path, header.data, header.size) &&
                      output_write(arena, options->output, source.data, source.size);
    return is_written ? COMPILE_RIGHT : COMPILE_WRONG;
}
