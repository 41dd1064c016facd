/* A captured kernel becomes an artifact: from the cache if it is there, else from teenyc.
 *
 *     request (source, arguments, key)
 *       teenyc found:         its build id -> the cache's entry of that build, or run it and
 * publish none found, or none is to be started:     the newest intact entry of any build
 */
#include "runtime/compile.h"

#include "runtime/cache.h"
#include "runtime/compiler.h"
#include "runtime/embedded.h"
#include "runtime/in_flight.h"
#include "runtime/report.h"
#include "runtime/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static char *entry_path(const teeny_cache *cache, const char *level, const teeny_request *request)
{
    teeny_string path = {0};
    teeny_string_format(&path, "%s/%s/%s", cache->path, level, request->key.text);
    return teeny_string_take(&path);
}

/* Takes over `files`. */
static teeny_status make_cached(const teeny_cache *cache, const char *level,
    const teeny_request *request, teeny_entry files, bool hit, teeny_artifact **out_artifact)
{
    char *directory = entry_path(cache, level, request);
    if (!directory) {
        teeny_entry_free(&files);
        return teeny_fail_memory();
    }
    if (hit)
        teeny_log(TEENY_LOG_INFO, "kernel `%s` is in the cache: %s", request->name, directory);
    return teeny_artifact_make(request, files, directory, hit, true, out_artifact);
}

/* False: there is no entry that can be used. */
static bool look_up(const teeny_cache *cache, const char *level, const teeny_request *request,
    teeny_entry *out_files)
{
    if (!teeny_cache_read(cache, level, request->key.text, out_files))
        return false;
    if (teeny_artifact_check(request, out_files) == TEENY_OK)
        return true;
    teeny_entry_free(out_files);
    return false;
}

static teeny_status compile_now(const teeny_compiler *compiler, const teeny_cache *cache,
    const teeny_request *request, teeny_artifact **out_artifact)
{
    teeny_entry files;
    char *directory;
    teeny_log(TEENY_LOG_INFO, "kernel `%s` is compiled by %s", request->name, compiler->path);
    teeny_status status = teeny_compiler_run(compiler, cache, request, &files, &directory);
    if (status != TEENY_OK)
        return status;
    if (!teeny_compiler_is_unchanged(compiler) ||
        !teeny_cache_publish(cache, compiler->build_id, request->key.text, &files))
        return teeny_artifact_make(request, files, directory, false, false, out_artifact);
    teeny_remove_tree(AT_FDCWD, directory);
    free(directory);
    return make_cached(cache, compiler->build_id, request, files, false, out_artifact);
}

static teeny_status compile_with(const char *path, const teeny_cache *cache,
    const teeny_request *request, teeny_artifact **out_artifact)
{
    teeny_compiler compiler;
    teeny_status status = teeny_compiler_identify(cache, path, &compiler);
    if (status != TEENY_OK)
        return status;
    teeny_entry files;
    teeny_in_flight self;
    teeny_in_flight_begin(&self, request->key);
    if (look_up(cache, compiler.build_id, request, &files))
        status = make_cached(cache, compiler.build_id, request, files, true, out_artifact);
    else
        status = compile_now(&compiler, cache, request, out_artifact);
    teeny_in_flight_end(&self);
    teeny_compiler_free(&compiler);
    return status;
}

/* The newest entry, if it fits the request. */
static bool look_up_newest(const teeny_cache *cache, const teeny_request *request, char **out_level,
    teeny_entry *out_files)
{
    if (!teeny_cache_read_newest(cache, request->key.text, out_level, out_files))
        return false;
    if (teeny_artifact_check(request, out_files) == TEENY_OK)
        return true;
    teeny_entry_free(out_files);
    free(*out_level);
    return false;
}

/* All that tells this compilation from others, as teenyc's options. */
static teeny_status fail_missing(
    const teeny_cache *cache, const teeny_request *request, teeny_status status, const char *reason)
{
    const teeny_text *text = &request->kernel->text;
    teeny_string variant = {0};
    for (size_t i = 0; i < request->argument_count; i++)
        teeny_string_format(&variant, "%s%s", i ? " " : "", request->arguments[i]);
    teeny_message_set(status,
        "kernel `%s` is not in the cache %s, and %s\n"
        "  missing: teenyc %s %s\n"
        "  kernel: %s%s META(%s), %s:%u",
        request->name, cache->path[0] ? cache->path : "(there is none)", reason, text->file,
        teeny_string_text(&variant), text->name, text->parameters, text->meta, text->file,
        text->line);
    teeny_string_free(&variant);
    return status;
}

/* Without a compiler: `status` and `reason` say why. */
static teeny_status do_without(const teeny_cache *cache, const teeny_request *request,
    teeny_status status, const char *reason, teeny_artifact **out_artifact)
{
    char *level;
    teeny_entry files;
    if (!look_up_newest(cache, request, &level, &files))
        return fail_missing(cache, request, status, reason);
    status = make_cached(cache, level, request, files, true, out_artifact);
    free(level);
    return status;
}

static teeny_status do_without_finding(
    const teeny_cache *cache, const teeny_request *request, teeny_artifact **out_artifact)
{
    char *reason = strdup(teeny_message());
    teeny_status status = do_without(cache, request, TEENY_COMPILER_NOT_FOUND,
        reason ? reason : "there is no teenyc", out_artifact);
    free(reason);
    return status;
}

static teeny_status compile_request(
    const teeny_cache *cache, const teeny_request *request, teeny_artifact **out_artifact)
{
    char *path;
    if (request->no_compile)
        return do_without(cache, request, TEENY_NOT_COMPILED,
            "nothing may be compiled now (TEENY_NO_COMPILE, or the option no_compile)",
            out_artifact);
    teeny_status status = teeny_compiler_find(&path);
    if (status == TEENY_COMPILER_NOT_FOUND)
        return do_without_finding(cache, request, out_artifact);
    if (status != TEENY_OK)
        return status;
    status = compile_with(path, cache, request, out_artifact);
    free(path);
    return status;
}

teeny_status teeny_compile(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact)
{
    teeny_request request;
    teeny_cache cache;
    teeny_status status = teeny_text_check(kernel);
    if (status == TEENY_OK && kernel->embedded)
        return teeny_embedded_compile(kernel, target, options, specialise, out_artifact);
    if (status == TEENY_OK)
        status = teeny_request_make(kernel, target, options, specialise, &request);
    if (status != TEENY_OK)
        return status;
    status = teeny_cache_open(&cache);
    if (status == TEENY_OK) {
        status = compile_request(&cache, &request, out_artifact);
        teeny_cache_close(&cache);
    }
    teeny_request_free(&request);
    return status;
}

teeny_status teeny_compile_kernel(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, teeny_artifact **out_artifact)
{
    if (!kernel || !out_artifact)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_compile_kernel: %s is NULL",
            kernel ? "out_artifact" : "kernel");
    return teeny_compile(kernel, target, options, NULL, out_artifact);
}
