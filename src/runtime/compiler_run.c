/* Compiles one request by running teenyc in a directory of its own; see compiler.h.
 *
 * That directory is not in the cache: teenyc's own trouble with a full cache would look like an
 * error in the kernel. The files are read from it, checked, and published from memory.
 */
#include "runtime/compiler.h"

#include "base/directory.h"
#include "runtime/artifact.h"
#include "runtime/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    ROOM = 8 * 1024 * 1024,           /* bytes that a file system must have left */
    OUTPUT_LIMIT = 256 * 1024 * 1024, /* bytes that a teenyc's files have at most in all */
    COUNT_LIMIT = 64,                 /* and how many there are */
};

enum { EXIT_RIGHT = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_TARGET = 3, EXIT_OUTPUT = 4 };

static bool has_room(const char *directory)
{
    struct statvfs status;
    return statvfs(directory, &status) == 0 &&
           (unsigned long long)status.f_bavail * status.f_frsize >= ROOM;
}

/* Takes a directory in `parent` and writes the source into it. False where that cannot be done. */
static bool try_parent(
    const char *parent, const teeny_request *request, teeny_file_place *out_place)
{
    if (!parent || parent[0] != '/' || !has_room(parent) ||
        teeny_file_place_make(parent, out_place))
        return false;
    teeny_string source = {0};
    teeny_string_format(&source, "%s.c", request->name);
    int error = teeny_file_write(out_place->temporary, teeny_string_text(&source),
        request->source.data, request->source.length, false);
    if (error || source.failed)
        teeny_file_place_leave(out_place);
    teeny_string_free(&source);
    return out_place->path != NULL;
}

static void warn_of_choice(const char *chosen, const char *taken)
{
    if (chosen)
        teeny_log(TEENY_LOG_WARNING,
            "TMPDIR is `%s`, which is full, or cannot be written to: the compiler's files lie in "
            "%s",
            chosen, taken);
}

static teeny_status find_place(
    const teeny_cache *cache, const teeny_request *request, teeny_file_place *out_place)
{
    for (unsigned i = 0; i < TEENY_FILE_PLACE_PARENTS; i++) {
        if (!try_parent(teeny_file_place_parent(i), request, out_place))
            continue;
        if (i > 0)
            warn_of_choice(teeny_file_place_parent(0), teeny_file_place_parent(i));
        return TEENY_OK;
    }
    if (try_parent(cache->path, request, out_place))
        return TEENY_OK;
    return teeny_fail(TEENY_IO_FAILED, "there is no place for the compiler's files: TMPDIR, /tmp "
                                       "and /dev/shm are full, or cannot be "
                                       "written to");
}

static char **make_arguments(
    const teeny_compiler *compiler, const teeny_request *request, const char *directory)
{
    /* teenyc FILE options... -o DIRECTORY NULL */
    size_t count = request->argument_count + 5;
    char **arguments = calloc(count, sizeof *arguments);
    teeny_string source = {0};
    teeny_string_format(&source, "%s/%s.c", directory, request->name);
    char *file = teeny_string_take(&source);
    if (!arguments || !file) {
        free(arguments);
        free(file);
        return NULL;
    }
    size_t at = 0;
    arguments[at++] = compiler->path;
    arguments[at++] = file;
    for (size_t i = 0; i < request->argument_count; i++)
        arguments[at++] = request->arguments[i];
    arguments[at++] = "-o";
    arguments[at++] = (char *)directory;
    return arguments;
}

static void free_arguments(char **arguments)
{
    free(arguments[1]);
    free(arguments);
}

/* The exit status means what the command line's contract says. */
static teeny_status judge(const char *path, const char *kernel, const teeny_process_result *result)
{
    const char *words = result->errors_size ? result->errors : "(it printed nothing)";
    const char *cut = result->truncated ? "\n(there was more)" : "";
    switch (result->code) {
    case EXIT_RIGHT:
        if (result->errors_size)
            teeny_log(TEENY_LOG_WARNING, "kernel `%s`:\n%s", kernel, words);
        return TEENY_OK;
    case EXIT_INPUT:
        return teeny_fail(TEENY_KERNEL_INVALID, "%s%s", words, cut);
    case EXIT_USAGE:
        return teeny_fail(
            TEENY_OPTION_INVALID, "kernel `%s` cannot be compiled so: %s%s", kernel, words, cut);
    case EXIT_TARGET:
        return teeny_fail(TEENY_UNKNOWN_TARGET, "%s%s", words, cut);
    case EXIT_OUTPUT:
        return teeny_fail(TEENY_IO_FAILED, "what kernel `%s` is compiled to has no place: %s%s",
            kernel, words, cut);
    default:
        return teeny_fail(TEENY_COMPILER_FAILED,
            "%s failed on kernel `%s` with exit status %d:\n%s%s", path, kernel, result->code,
            words, cut);
    }
}

static void log_command(char *const *arguments)
{
    teeny_string line = {0};
    for (size_t i = 0; arguments[i]; i++)
        teeny_string_format(&line, " %s", arguments[i]);
    teeny_log(TEENY_LOG_DEBUG, "compile: runs%s", teeny_string_text(&line));
    teeny_string_free(&line);
}

static teeny_status spawn(
    const teeny_compiler *compiler, const teeny_request *request, const char *directory)
{
    char **arguments = make_arguments(compiler, request, directory);
    if (!arguments)
        return teeny_fail_memory();
    teeny_string purpose = {0};
    teeny_string_format(&purpose, "for kernel `%s`", request->name);
    log_command(arguments);
    teeny_process_result result;
    teeny_status status =
        teeny_compiler_spawn((const char *const *)arguments, teeny_string_text(&purpose), &result);
    if (status == TEENY_OK) {
        status = judge(compiler->path, request->name, &result);
        teeny_process_result_free(&result);
    }
    teeny_string_free(&purpose);
    free_arguments(arguments);
    return status;
}

struct collection {
    teeny_entry *entry;
    size_t left; /* bytes that may still come */
};

static int collect_file(int directory, const char *name, void *context)
{
    struct collection *collection = context;
    teeny_bytes bytes;
    if (name[0] == '.')
        return 0;
    if (collection->entry->count == COUNT_LIMIT)
        return EFBIG;
    int error = teeny_file_read(directory, name, collection->left, &bytes);
    if (error)
        return error;
    collection->left -= bytes.size;
    return teeny_entry_add(collection->entry, name, bytes) ? 0 : ENOMEM;
}

static teeny_status collect(int place, const char *directory, teeny_entry *entry)
{
    struct collection collection = {entry, OUTPUT_LIMIT};
    int error = teeny_directory_walk(place, collect_file, &collection);
    if (error == ENOMEM)
        return teeny_fail_memory();
    if (error == EFBIG)
        return teeny_fail(TEENY_COMPILER_FAILED,
            "the compiler wrote more than %d files or %d bytes, which no teenyc does", COUNT_LIMIT,
            OUTPUT_LIMIT);
    if (error)
        return teeny_fail(TEENY_COMPILER_FAILED, "%s: the compiler's files could not be read: %s",
            directory, strerror(error));
    return TEENY_OK;
}

static teeny_status run_in(const teeny_file_place *place, const teeny_compiler *compiler,
    const teeny_request *request, teeny_entry *entry)
{
    teeny_status status = spawn(compiler, request, place->path);
    if (status == TEENY_OK)
        status = collect(place->temporary, place->path, entry);
    if (status == TEENY_OK)
        status = teeny_artifact_check(request, entry);
    /* The program ended well and left something else than a teenyc would. */
    if (status == TEENY_ARTIFACT_INVALID)
        status = teeny_fail(TEENY_COMPILER_FAILED, "%s did not do what a teenyc does: %s",
            compiler->path, teeny_message());
    return status;
}

teeny_status teeny_compiler_run(const teeny_compiler *compiler, const teeny_cache *cache,
    const teeny_request *request, teeny_entry *out_entry, teeny_file_place *out_place)
{
    teeny_file_place place;
    teeny_status status = find_place(cache, request, &place);
    if (status != TEENY_OK)
        return status;
    teeny_entry entry = {0};
    status = run_in(&place, compiler, request, &entry);
    if (status == TEENY_OK) {
        *out_entry = entry;
        *out_place = place;
        return TEENY_OK;
    }
    teeny_entry_free(&entry);
    teeny_file_place_leave(&place);
    return status;
}
