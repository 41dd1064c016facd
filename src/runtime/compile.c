/* A captured kernel becomes an artifact: from the cache if it is there, else from teenyc.
 *
 *     request (source, arguments, key)
 *       teenyc found:  its build id -> the cache's entry of that build, or run it and publish;
 *                      one thread of one process does, the others wait for its entry
 *       none found, or none is to be started:  the newest intact entry of any build
 */
#include "runtime/compile.h"

#include "base/environment.h"
#include "base/sleep.h"
#include "runtime/cache/cache.h"
#include "runtime/cache/counters.h"
#include "runtime/cache/in_flight.h"
#include "runtime/cache/lock.h"
#include "runtime/callback.h"
#include "runtime/compiler.h"
#include "runtime/embedded.h"
#include "runtime/report.h"
#include "runtime/text.h"

#include <stdlib.h>
#include <string.h>

/* An entry of the cache that fits a request. */
typedef struct found {
    teeny_entry files;
    teeny_cache_use *use;
} found;

static char *entry_path(const teeny_cache *cache, const char *level, const teeny_request *request)
{
    teeny_string path = {0};
    teeny_string_format(&path, "%s/%s/%s", cache->path, level, request->key.text);
    return teeny_string_take(&path);
}

/* Takes over `entry`. */
static teeny_status make_cached(const teeny_cache *cache, const char *level,
    const teeny_request *request, found entry, bool hit, teeny_artifact **out_artifact)
{
    teeny_file_place place = {entry_path(cache, level, request), -1, entry.use, 0};
    if (!place.path) {
        teeny_file_place_leave(&place);
        teeny_entry_free(&entry.files);
        return teeny_fail_memory();
    }
    if (hit)
        teeny_cache_counted(TEENY_CACHE_HITS, 1);
    return teeny_artifact_make(request, entry.files, place, hit, out_artifact);
}

static bool fits(const teeny_request *request, found *entry)
{
    if (teeny_artifact_check(request, &entry->files) == TEENY_OK)
        return true;
    teeny_cache_use_end(entry->use);
    teeny_entry_free(&entry->files);
    return false;
}

static teeny_entry_state look_up(
    const teeny_cache *cache, const char *level, const teeny_request *request, found *out_entry)
{
    teeny_entry_state state =
        teeny_cache_read(cache, level, request->key.text, &out_entry->files, &out_entry->use);
    return state != TEENY_ENTRY_INTACT || fits(request, out_entry) ? state : TEENY_ENTRY_DAMAGED;
}

static void report_damage(const teeny_cache *cache, const char *level, const teeny_request *request)
{
    teeny_cache_counted(TEENY_CACHE_DAMAGED, 1);
    teeny_log(TEENY_LOG_WARNING,
        "the cache's entry %s/%s/%s is damaged: kernel `%s` is compiled again", cache->path, level,
        request->key.text, request->name);
}

static teeny_status compile_now(const teeny_compiler *compiler, teeny_cache *cache,
    const teeny_request *request, teeny_artifact **out_artifact)
{
    found made = {0};
    teeny_file_place place;
    teeny_cache_counted(TEENY_CACHE_MISSES, 1);
    teeny_cache_counted(TEENY_CACHE_COMPILATIONS, 1);
    teeny_status status = teeny_compiler_run(compiler, cache, request, &made.files, &place);
    if (status != TEENY_OK)
        return status;
    if (!teeny_compiler_is_unchanged(compiler) ||
        !teeny_cache_publish(cache, compiler->build_id, request->key.text, &made.files, &made.use))
        return teeny_artifact_make(request, made.files, place, false, out_artifact);
    teeny_file_place_leave(&place);
    return make_cached(cache, compiler->build_id, request, made, false, out_artifact);
}

/* Waits while another process compiles the same, as long as a compilation may take. True: the entry
 * is there now. False: it is this process's turn, whether it got the lock or not. */
static bool wait_for_turn(const teeny_compiler *compiler, const teeny_cache *cache,
    const teeny_request *request, teeny_lock *out_lock, found *out_entry)
{
    enum { MILLISECOND = 1000000, LONGEST_PAUSE = 20 * MILLISECOND };
    const char *level = compiler->build_id;
    int64_t byte = teeny_lock_byte(TEENY_LOCK_COMPILE, level, request->key.text);
    int64_t left = teeny_compiler_time_limit() * 1000 * MILLISECOND;
    for (long pause = MILLISECOND;; pause = pause < LONGEST_PAUSE / 2 ? 2 * pause : LONGEST_PAUSE) {
        /* First the lock, then the look: who had it before has published by now. */
        teeny_lock_result result = teeny_lock_take(cache->directory, byte, out_lock);
        if (look_up(cache, level, request, out_entry) == TEENY_ENTRY_INTACT)
            return true;
        if (result != TEENY_LOCK_BUSY || left <= 0)
            return false;
        teeny_cache_counted(TEENY_CACHE_WAITS, pause == MILLISECOND);
        teeny_sleep(pause);
        left -= pause;
    }
}

static teeny_status compile_in_turn(const teeny_compiler *compiler, teeny_cache *cache,
    const teeny_request *request, teeny_artifact **out_artifact)
{
    found entry;
    teeny_lock lock = {.file = -1};
    teeny_status status;
    if (wait_for_turn(compiler, cache, request, &lock, &entry))
        status = make_cached(cache, compiler->build_id, request, entry, true, out_artifact);
    else
        status = compile_now(compiler, cache, request, out_artifact);
    teeny_lock_leave(&lock);
    return status;
}

/* What the log says of a kernel that was not in the cache at first. */
static const char *origin_of(const teeny_cache *cache, teeny_entry_state state, bool hit)
{
    if (hit)
        return "another process compiled it";
    if (cache->directory < 0)
        return "there is no cache";
    return state == TEENY_ENTRY_DAMAGED ? "its entry is damaged" : "no entry";
}

static teeny_status compile_with(const char *path, teeny_cache *cache, const teeny_request *request,
    teeny_artifact **out_artifact)
{
    teeny_compiler compiler;
    teeny_status status = teeny_compiler_identify(cache, path, &compiler);
    if (status != TEENY_OK)
        return status;
    found entry;
    teeny_in_flight self;
    teeny_in_flight_begin(&self, request->key);
    teeny_entry_state state = look_up(cache, compiler.build_id, request, &entry);
    if (state == TEENY_ENTRY_INTACT) {
        status = make_cached(cache, compiler.build_id, request, entry, true, out_artifact);
    } else {
        if (state == TEENY_ENTRY_DAMAGED)
            report_damage(cache, compiler.build_id, request);
        status = compile_in_turn(&compiler, cache, request, out_artifact);
        if (status == TEENY_OK)
            (*out_artifact)->origin = origin_of(cache, state, (*out_artifact)->hit);
    }
    teeny_in_flight_end(&self);
    teeny_compiler_free(&compiler);
    return status;
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
        "  missing: teenyc %s %s -o .\n"
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
    char *level = NULL;
    found entry;
    if (teeny_cache_read_newest(cache, request->key.text, &level, &entry.files, &entry.use) &&
        fits(request, &entry)) {
        status = make_cached(cache, level, request, entry, true, out_artifact);
        if (status == TEENY_OK)
            (*out_artifact)->origin = "the newest entry, without a teenyc";
    } else {
        teeny_cache_counted(TEENY_CACHE_MISSES, 1);
        status = fail_missing(cache, request, status, reason);
    }
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
    teeny_cache *cache, const teeny_request *request, teeny_artifact **out_artifact)
{
    char *path;
    if (request->no_compile)
        return do_without(cache, request, TEENY_NOT_COMPILED,
            "nothing may be compiled now (TEENY_NO_COMPILE, or the option no_compile)",
            out_artifact);
    teeny_status status = teeny_compiler_find(&path);
    /* Where TEENYC_PATH says which one is meant, what another has made will not do. */
    if (status == TEENY_COMPILER_NOT_FOUND && !teeny_environment(TEENY_VARIABLE_TEENYC_PATH))
        return do_without_finding(cache, request, out_artifact);
    if (status != TEENY_OK)
        return status;
    status = compile_with(path, cache, request, out_artifact);
    free(path);
    return status;
}

teeny_status teeny_compile_untold(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_artifact **out_artifact)
{
    teeny_request request;
    teeny_cache cache;
    if (kernel->embedded)
        return teeny_embedded_compile(kernel, target, options, specialise, out_artifact);
    teeny_status status = teeny_request_make(kernel, target, options, specialise, &request);
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
    if (teeny_callback_refuses(__func__))
        return TEENY_IN_CALLBACK;
    if (!kernel || !out_artifact)
        return teeny_fail(TEENY_INVALID_ARGUMENT, "teeny_compile_kernel: %s is NULL",
            kernel ? "out_artifact" : "kernel");
    teeny_status status = teeny_text_check(kernel);
    return status == TEENY_OK ? teeny_compile(kernel, target, options, NULL, out_artifact) : status;
}
