/* The cache directory: the entries in it; see cache.h. */
#include "runtime/cache/cache.h"
#include "runtime/cache/private_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int teeny_cache_level(const teeny_cache *cache, const char *name, bool make)
{
    teeny_privacy_report report = {.error = ENOENT};
    int level = -1;
    if (cache->directory >= 0 && make)
        level = teeny_private_directory_make(cache->directory, name, &report);
    else if (cache->directory >= 0)
        level = teeny_private_directory_open(cache->directory, name, &report);
    errno = report.privacy == TEENY_PRIVATE || report.error ? report.error : EPERM;
    return level;
}

bool teeny_cache_read(
    const teeny_cache *cache, const char *level, const char *key, teeny_entry *out_entry)
{
    int directory = teeny_cache_level(cache, level, false);
    if (directory < 0)
        return false;
    bool found = teeny_entry_read(directory, key, key, out_entry);
    close(directory);
    return found;
}

bool teeny_cache_publish(
    const teeny_cache *cache, const char *level, const char *key, teeny_entry *entry)
{
    if (cache->directory < 0)
        return false;
    int directory = teeny_cache_level(cache, level, true);
    int error = directory < 0 ? errno : 0;
    if (!error)
        error = teeny_entry_publish(directory, key, key, entry);
    if (directory >= 0)
        close(directory);
    if (error)
        teeny_cache_warn(cache->path, error);
    return !error;
}

/* Every directory in the cache may be a level; what is none has no entry of this key. */
static DIR *list_levels(const teeny_cache *cache)
{
    if (cache->directory < 0)
        return NULL;
    int opened = openat(cache->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return NULL;
    DIR *levels = fdopendir(opened);
    if (!levels)
        close(opened);
    return levels;
}

struct newest {
    char *level;
    teeny_entry entry;
};

static void take_if_newer(struct newest *newest, const char *level, teeny_entry entry)
{
    char *copy = NULL;
    if (!newest->level || entry.created > newest->entry.created)
        copy = strdup(level);
    if (!copy) {
        teeny_entry_free(&entry);
        return;
    }
    free(newest->level);
    teeny_entry_free(&newest->entry);
    *newest = (struct newest){copy, entry};
}

bool teeny_cache_read_newest(
    const teeny_cache *cache, const char *key, char **out_level, teeny_entry *out_entry)
{
    DIR *levels = list_levels(cache);
    if (!levels)
        return false;
    struct newest newest = {0};
    for (struct dirent *level; (level = readdir(levels));) {
        teeny_entry entry;
        if (level->d_name[0] != '.' && teeny_cache_read(cache, level->d_name, key, &entry))
            take_if_newer(&newest, level->d_name, entry);
    }
    closedir(levels);
    if (!newest.level)
        return false;
    *out_level = newest.level;
    *out_entry = newest.entry;
    return true;
}
