/* One compilation, fully spelled out; see request.h.
 *
 * The key covers the very arguments that teenyc gets, so that no option can be forgotten in it. For
 * cpu and emu it also covers which CPU this is: teenyc compiles for the host's features, and a
 * cache may be shared by machines that differ.
 */
#include "runtime/request.h"

#include "base/environment.h"
#include "base/files.h"
#include "runtime/host_cpu.h"
#include "runtime/image.h"
#include "runtime/kernel_text.h"
#include "runtime/options.h"
#include "runtime/report.h"
#include "runtime/text.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* The targets that libteeny can load code for; teenyc knows which sm_ there are. */
static const struct {
    const char *prefix;
    bool whole; /* the prefix is the whole name */
    const char *object;
    const char *magic;
} targets[] = {
    {"cpu", true, "image", CPU_IMAGE_MAGIC},
    {"emu", true, "image", EMU_IMAGE_MAGIC},
    {"sm_", false, "ptx", NULL},
};

static bool find_target(const char *target, teeny_request *request)
{
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        size_t length = strlen(targets[i].prefix);
        if (strncmp(target, targets[i].prefix, length) != 0)
            continue;
        if (targets[i].whole ? target[length] : !isdigit((unsigned char)target[length]))
            continue;
        request->object = targets[i].object;
        request->magic = targets[i].magic;
        return true;
    }
    return false;
}

static teeny_status check_target(const char *target, teeny_request *request)
{
    if (!target || !target[0])
        return teeny_fail(
            TEENY_UNKNOWN_TARGET, "no target is given: sm_80, sm_90, ..., cpu or emu");
    if (!find_target(target, request))
        return teeny_fail(TEENY_UNKNOWN_TARGET,
            "there is no target `%s`: targets are sm_80, sm_90, ..., cpu and emu", target);
    return TEENY_OK;
}

/* The user's file as it is: a debugger's lines come from there, and captured text has lost its
 * comments and newlines. Without the file there is one line, which is in the source. */
static void add_file(const teeny_kernel *kernel, teeny_string *text)
{
    teeny_bytes file = {0};
    if (teeny_file_read_named(kernel->text.file, TEENY_LONGEST_KERNEL_FILE, &file) == 0)
        teeny_string_append(text, file.data, file.size);
    teeny_bytes_free(&file);
}

static void make_key(teeny_request *request, const teeny_options *options)
{
    teeny_string text = {0};
    teeny_string_format(&text, "teeny key 1\nenvironment %d\n", TEENY_ENVIRONMENT_VERSION);
    if (strcmp(request->object, "image") == 0) {
        teeny_string_add(&text, teeny_host_cpu_identity());
        if (teeny_options_debug(options))
            add_file(request->kernel, &text);
    }
    for (size_t i = 0; i < request->argument_count; i++)
        teeny_string_append(&text, request->arguments[i], strlen(request->arguments[i]) + 1);
    teeny_string_append(&text, "\0", 1);
    teeny_string_append(&text, request->source.data, request->source.length);
    request->key = teeny_checksum_of(teeny_string_text(&text), text.length);
    request->source.failed |= text.failed;
    teeny_string_free(&text);
}

static teeny_status fill(teeny_request *request, const char *target, const teeny_options *options,
    const char *specialise)
{
    static const teeny_options defaults;
    if (!options)
        options = &defaults;
    teeny_status status = check_target(target, request);
    if (status == TEENY_OK)
        status = teeny_text_gather(request->kernel, &request->source);
    if (status == TEENY_OK)
        status = teeny_options_arguments(options, request->name, target, request->object,
            specialise, &request->arguments, &request->argument_count);
    if (status != TEENY_OK)
        return status;
    request->no_compile =
        options->no_compile || teeny_environment_is_on(TEENY_VARIABLE_TEENY_NO_COMPILE);
    make_key(request, options);
    return request->source.failed ? teeny_fail_memory() : TEENY_OK;
}

teeny_status teeny_request_make(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_request *out_request)
{
    teeny_request request = {.kernel = kernel, .name = kernel->text.name};
    teeny_status status = fill(&request, target, options, specialise);
    if (status == TEENY_OK)
        *out_request = request;
    else
        teeny_request_free(&request);
    return status;
}

void teeny_request_free(teeny_request *request)
{
    teeny_string_free(&request->source);
    teeny_arguments_free(request->arguments);
    *request = (teeny_request){0};
}
