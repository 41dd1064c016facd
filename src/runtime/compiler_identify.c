/* Which build a teenyc is; see compiler.h.
 *
 * `teenyc --version` says it. The answer is an entry of the cache, with the path, under the
 * checksum of the path, and with the checksum of all that tells one file from another as its key.
 */
#include "runtime/compiler.h"

#include "runtime/fork.h"
#include "runtime/report.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWER "version"
#define PATH "path"

/* The compilers that this process has met, for when the cache cannot be used, and to be quick. */
static struct {
    teeny_checksum key;
    char build_id[65];
} known[8];
static unsigned next_known;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A row that another thread was writing may be half there. */
static void start_anew(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    memset(known, 0, sizeof known);
}
TEENY_AFTER_FORK(start_anew)

static bool recall(teeny_checksum key, teeny_compiler *compiler)
{
    bool found = false;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < sizeof known / sizeof known[0] && !found; i++) {
        found = strcmp(known[i].key.text, key.text) == 0;
        if (found)
            memcpy(compiler->build_id, known[i].build_id, sizeof known[i].build_id);
    }
    pthread_mutex_unlock(&mutex);
    return found;
}

static void remember(teeny_checksum key, const teeny_compiler *compiler)
{
    pthread_mutex_lock(&mutex);
    unsigned slot = next_known++ % (sizeof known / sizeof known[0]);
    known[slot].key = key;
    memcpy(known[slot].build_id, compiler->build_id, sizeof known[slot].build_id);
    pthread_mutex_unlock(&mutex);
}

static teeny_status make_key(const char *path, teeny_checksum *out_key)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return teeny_fail(TEENY_COMPILER_NOT_FOUND, "%s: %s", path, strerror(errno));
    teeny_string text = {0};
    teeny_string_format(&text, "%s\n%llu %llu %lld %lld.%09ld\n", path,
        (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
        (long long)status.st_size, (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    *out_key = teeny_checksum_of(teeny_string_text(&text), text.length);
    bool failed = text.failed;
    teeny_string_free(&text);
    return failed ? teeny_fail_memory() : TEENY_OK;
}

static teeny_status fail_foreign(const char *path, const char *answer)
{
    return teeny_fail(TEENY_COMPILER_FAILED,
        "%s is not a teenyc that this libteeny can use: `%s --version` answers\n%.400s", path, path,
        answer[0] ? answer : "nothing");
}

/* A word and a value on each line, but the first has no colon. */
bool teeny_compiler_read_version(const char *answer, teeny_compiler_version *out_version)
{
    teeny_compiler_version read;
    int fields = sscanf(answer, "teenyc %31s build-id: %64[0-9a-f] llvm: %31s environment: %31s",
        read.version, read.build_id, read.llvm, read.environment);
    if (fields != 4 || strncmp(answer, "teenyc ", 7) != 0)
        return false;
    *out_version = read;
    return true;
}

/* Takes the build out of the answer, if this libteeny can use it. */
static teeny_status parse_answer(const char *answer, teeny_compiler *compiler)
{
    teeny_compiler_version read;
    char expected[32];
    if (!teeny_compiler_read_version(answer, &read))
        return fail_foreign(compiler->path, answer);
    snprintf(expected, sizeof expected, "%d", TEENY_ENVIRONMENT_VERSION);
    if (strcmp(read.environment, expected) != 0)
        return teeny_fail(TEENY_COMPILER_FAILED,
            "%s (teenyc %s) has version %s of the kernel environment, libteeny has %s: install "
            "both from one release",
            compiler->path, read.version, read.environment, expected);
    memcpy(compiler->build_id, read.build_id, sizeof read.build_id);
    return TEENY_OK;
}

static teeny_status ask(teeny_compiler *compiler, char **out_answer)
{
    const char *arguments[] = {compiler->path, "--version", NULL};
    teeny_process_result result;
    teeny_status status = teeny_compiler_spawn(arguments, "for its version", &result);
    if (status != TEENY_OK)
        return status;
    if (result.code == 0)
        status = parse_answer(result.output, compiler);
    else
        status = fail_foreign(compiler->path, result.errors);
    if (status == TEENY_OK) {
        *out_answer = result.output;
        result.output = NULL;
    }
    teeny_process_result_free(&result);
    return status;
}

/* The name of a compiler's entry: one a path, so that a new build takes the place of the old one.
 */
static teeny_checksum entry_name(const char *path)
{
    return teeny_checksum_of(path, strlen(path));
}

static bool read_from(int level, teeny_checksum key, teeny_compiler *compiler)
{
    teeny_entry entry;
    if (!teeny_entry_read(level, entry_name(compiler->path).text, key.text, &entry))
        return false;
    const teeny_bytes *answer = teeny_entry_find(&entry, ANSWER);
    bool found = answer && parse_answer(answer->data, compiler) == TEENY_OK;
    teeny_entry_free(&entry);
    return found;
}

static bool read_answer(const teeny_cache *cache, teeny_checksum key, teeny_compiler *compiler)
{
    int level = teeny_cache_level(cache, TEENY_CACHE_COMPILERS, false);
    if (level < 0)
        return false;
    bool found = read_from(level, key, compiler);
    close(level);
    return found;
}

/* Takes over `answer`. */
static bool fill_entry(teeny_entry *entry, char *answer, const char *path)
{
    char *copy = strdup(path);
    bool added = teeny_entry_add(entry, ANSWER, (teeny_bytes){answer, strlen(answer)});
    return copy && teeny_entry_add(entry, PATH, (teeny_bytes){copy, strlen(copy)}) && added;
}

/* Takes over `answer`. */
static void write_answer(
    const teeny_cache *cache, teeny_checksum key, const char *path, char *answer)
{
    teeny_entry entry = {0};
    int level = teeny_cache_level(cache, TEENY_CACHE_COMPILERS, true);
    int error = level < 0 ? errno : 0;
    if (fill_entry(&entry, answer, path) && !error)
        error = teeny_entry_publish(level, entry_name(path).text, key.text, &entry);
    if (level >= 0)
        close(level);
    if (error && cache->directory >= 0)
        teeny_cache_warn_level(cache, TEENY_CACHE_COMPILERS, error);
    teeny_entry_free(&entry);
}

bool teeny_compiler_is_unchanged(const teeny_compiler *compiler)
{
    teeny_checksum now;
    return make_key(compiler->path, &now) == TEENY_OK && strcmp(now.text, compiler->key.text) == 0;
}

/* The path in an entry of whatever key; the caller frees it. */
static char *read_path(int level, const char *name)
{
    teeny_entry entry;
    if (teeny_entry_examine(level, name, NULL, &entry) != TEENY_ENTRY_INTACT)
        return NULL;
    const teeny_bytes *path = teeny_entry_find(&entry, PATH);
    char *copy = path ? strdup(path->data) : NULL;
    teeny_entry_free(&entry);
    return copy;
}

bool teeny_compiler_recall(int level, const char *name, teeny_compiler *out_compiler)
{
    teeny_compiler compiler = {.path = read_path(level, name)};
    teeny_checksum key;
    bool same = compiler.path && strcmp(entry_name(compiler.path).text, name) == 0 &&
                make_key(compiler.path, &key) == TEENY_OK && read_from(level, key, &compiler);
    if (same)
        *out_compiler = compiler;
    else
        teeny_compiler_free(&compiler);
    return same;
}

static teeny_status identify(const teeny_cache *cache, teeny_compiler *compiler)
{
    teeny_status status = make_key(compiler->path, &compiler->key);
    if (status != TEENY_OK || recall(compiler->key, compiler))
        return status;
    if (!read_answer(cache, compiler->key, compiler)) {
        char *answer;
        status = ask(compiler, &answer);
        if (status != TEENY_OK)
            return status;
        if (!teeny_compiler_is_unchanged(compiler)) {
            free(answer);
            return TEENY_OK;
        }
        write_answer(cache, compiler->key, compiler->path, answer);
    }
    remember(compiler->key, compiler);
    return TEENY_OK;
}

teeny_status teeny_compiler_identify(
    const teeny_cache *cache, const char *path, teeny_compiler *out_compiler)
{
    teeny_compiler compiler = {.path = strdup(path)};
    teeny_status status = compiler.path ? identify(cache, &compiler) : teeny_fail_memory();
    if (status == TEENY_OK)
        *out_compiler = compiler;
    else
        teeny_compiler_free(&compiler);
    return status;
}

void teeny_compiler_free(teeny_compiler *compiler)
{
    free(compiler->path);
    *compiler = (teeny_compiler){0};
}
