/* The cache directory: finding it, and trusting it; see cache.h. */
#define _GNU_SOURCE 1 /* get_current_dir_name */
#include "runtime/cache/cache.h"

#include "base/checksum.h"
#include "base/environment.h"
#include "base/string_builder.h"
#include "runtime/cache/private_directory.h"
#include "runtime/cache/size.h"
#include "runtime/fork.h"
#include "runtime/report.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PATH "/tmp/teenyc_cache"

static pthread_mutex_t warning_mutex = PTHREAD_MUTEX_INITIALIZER;
static teeny_checksum last_warning;

static void start_anew(void)
{
    warning_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    last_warning.text[0] = '\0';
}
TEENY_AFTER_FORK(start_anew)

/* Frees the line. */
static void warn(teeny_string line)
{
    teeny_checksum checksum = teeny_checksum_of(teeny_string_text(&line), line.length);
    pthread_mutex_lock(&warning_mutex);
    bool again = strcmp(checksum.text, last_warning.text) == 0;
    last_warning = checksum;
    pthread_mutex_unlock(&warning_mutex);
    if (!again)
        teeny_log(TEENY_LOG_WARNING, "%s", teeny_string_text(&line));
    teeny_string_free(&line);
}

void teeny_cache_warn(const char *path, int error)
{
    teeny_string line = {0};
    teeny_string_format(&line, "the cache %s cannot be used: %s; kernels are compiled each time",
        path, strerror(error));
    warn(line);
}

void teeny_cache_warn_level(const teeny_cache *cache, const char *level, int error)
{
    teeny_privacy_report report;
    int directory = teeny_private_directory_open(cache->directory, level, &report);
    if (directory >= 0)
        close(directory);
    const char *distrust = teeny_privacy_phrase(report.privacy);
    if (!distrust) {
        teeny_cache_warn(cache->path, error);
        return;
    }
    teeny_string line = {0};
    teeny_string_format(&line,
        "%s/%s in the cache cannot be used: %s, and what lies there would run: `%s %s/%s`; until "
        "then nothing is kept there",
        cache->path, level, distrust, report.privacy == TEENY_IS_WRITABLE ? "chmod 700" : "rm -r",
        cache->path, level);
    warn(line);
}

/* A directory with one of these bits is everybody's on purpose, such as /tmp. */
static bool is_shared(unsigned mode)
{
    return mode & (S_ISVTX | S_ISGID);
}

/* A phrase for what makes a directory unsafe, and what to do about it. */
static teeny_status fail_unsafe(const char *path, const teeny_privacy_report *report)
{
    const char *advice = "set TEENYC_CACHE_DIR to a directory of your own";
    switch (report->privacy) {
    case TEENY_IS_FOREIGN:
        return teeny_fail(TEENY_CACHE_UNSAFE,
            "the cache directory %s belongs to user %u, not to user %u, and holds code that would "
            "run: %s",
            path, report->owner, (unsigned)geteuid(), advice);
    case TEENY_IS_SYMLINK:
        return teeny_fail(TEENY_CACHE_UNSAFE,
            "the cache directory %s is a symbolic link: set TEENYC_CACHE_DIR to the directory that "
            "is meant",
            path);
    case TEENY_IS_WRITABLE:
        return teeny_fail(TEENY_CACHE_UNSAFE,
            "the cache directory %s may be written by others (mode %04o), and holds code that "
            "would run: %s%s%s%s",
            path, report->mode, is_shared(report->mode) ? "" : "`chmod 700 ",
            is_shared(report->mode) ? "" : path, is_shared(report->mode) ? "" : "`, or ", advice);
    default:
        return teeny_fail(
            TEENY_CACHE_UNSAFE, "the cache directory %s is not a directory: %s", path, advice);
    }
}

static char *absolute_path(const char *path)
{
    if (path[0] == '/')
        return strdup(path);
    char *current = get_current_dir_name();
    if (!current) /* it is gone, or hidden */
        return errno == ENOMEM ? NULL : strdup(path);
    teeny_string absolute = {0};
    teeny_string_format(&absolute, "%s/%s", current, path);
    free(current);
    return teeny_string_take(&absolute);
}

/* TEENYC_CACHE_DIR is taken as it is. The default name gets the uid where it is somebody else's. */
static char *choose_path(void)
{
    const char *chosen = teeny_environment(TEENY_VARIABLE_TEENYC_CACHE_DIR);
    if (chosen)
        return absolute_path(chosen);
    teeny_privacy_report report;
    int directory = teeny_private_directory_open(AT_FDCWD, DEFAULT_PATH, &report);
    if (directory >= 0)
        close(directory);
    teeny_string path = {0};
    teeny_string_add(&path, DEFAULT_PATH);
    if (report.privacy == TEENY_IS_FOREIGN)
        teeny_string_format(&path, "-%u", (unsigned)geteuid());
    return teeny_string_take(&path);
}

static teeny_status read_limit(uint64_t *out_limit)
{
    const char *value = teeny_environment(TEENY_VARIABLE_TEENYC_CACHE_SIZE);
    *out_limit = TEENY_CACHE_DEFAULT_SIZE;
    if (!value || teeny_size_parse(value, out_limit))
        return TEENY_OK;
    return teeny_fail(TEENY_OPTION_INVALID,
        "TEENYC_CACHE_SIZE is `%s`, not a size such as 500M or 2G, or `unlimited`", value);
}

static void set_directory(teeny_cache *cache, int directory, const teeny_privacy_report *report)
{
    cache->directory = directory;
    cache->identity = (teeny_cache_identity){report->device, report->inode};
}

typedef int open_function(int parent, const char *name, teeny_privacy_report *out_report);

static teeny_status open_path(teeny_cache *cache, open_function *open_directory)
{
    teeny_privacy_report report;
    int directory = open_directory(AT_FDCWD, cache->path, &report);
    if (report.privacy == TEENY_NOT_USABLE)
        cache->error = report.error;
    else if (report.privacy != TEENY_PRIVATE)
        return fail_unsafe(cache->path, &report);
    set_directory(cache, directory, &report);
    return TEENY_OK;
}

static teeny_status open_cache(teeny_cache *out_cache, open_function *open_directory)
{
    teeny_cache cache = {.directory = -1};
    teeny_status status = read_limit(&cache.limit);
    if (status != TEENY_OK)
        return status;
    cache.path = choose_path();
    status = cache.path ? open_path(&cache, open_directory) : teeny_fail_memory();
    if (status == TEENY_OK)
        *out_cache = cache;
    else
        free(cache.path);
    return status;
}

teeny_status teeny_cache_open(teeny_cache *out_cache)
{
    teeny_status status = open_cache(out_cache, teeny_private_directory_make);
    if (status == TEENY_OK && out_cache->directory < 0)
        teeny_cache_warn(out_cache->path, out_cache->error);
    return status;
}

teeny_status teeny_cache_look(teeny_cache *out_cache)
{
    return open_cache(out_cache, teeny_private_directory_open);
}

bool teeny_cache_reopen(teeny_cache *cache)
{
    teeny_privacy_report report;
    int directory = teeny_private_directory_make(AT_FDCWD, cache->path, &report);
    if (directory < 0)
        return false;
    close(cache->directory);
    set_directory(cache, directory, &report);
    return true;
}

void teeny_cache_close(teeny_cache *cache)
{
    if (cache->directory >= 0)
        close(cache->directory);
    free(cache->path);
    *cache = (teeny_cache){.directory = -1};
}
