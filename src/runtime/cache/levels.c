/* The cache directory: the entries in it; see cache.h. */
#include "base/directory.h"
#include "runtime/cache/cache.h"
#include "runtime/cache/counters.h"
#include "runtime/cache/eviction.h"
#include "runtime/cache/private_directory.h"

#include <errno.h>
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

static size_t size_of(const teeny_entry *entry)
{
    size_t size = 0;
    for (size_t i = 0; i < entry->count; i++)
        size += entry->files[i].bytes.size;
    return size;
}

teeny_entry_state teeny_cache_read(const teeny_cache *cache, const char *level, const char *key,
    teeny_entry *out_entry, teeny_cache_use **out_use)
{
    int directory = teeny_cache_level(cache, level, false);
    if (directory < 0)
        return TEENY_ENTRY_MISSING;
    teeny_cache_use *use = teeny_cache_use_begin(cache, level, key);
    teeny_entry_state state = teeny_entry_examine(directory, key, key, out_entry);
    if (state == TEENY_ENTRY_INTACT) {
        teeny_entry_touch(directory, key, out_entry);
        teeny_cache_counted(TEENY_CACHE_BYTES_READ, size_of(out_entry));
        *out_use = use;
    } else {
        teeny_cache_use_end(use);
    }
    close(directory);
    return state;
}

static int publish_once(
    const teeny_cache *cache, const char *level, const char *key, teeny_entry *entry)
{
    int directory = teeny_cache_level(cache, level, true);
    if (directory < 0)
        return errno;
    int error = teeny_entry_publish(directory, key, key, entry);
    close(directory);
    return error;
}

/* Somebody may delete the whole cache at any moment: then it is begun anew. */
static int publish(teeny_cache *cache, const char *level, const char *key, teeny_entry *entry,
    teeny_cache_use **out_use)
{
    enum { ATTEMPTS = 3 };
    int error = ENOENT;
    for (int attempt = 0; attempt < ATTEMPTS && (error == ENOENT || error == ESTALE); attempt++) {
        if (attempt && !teeny_cache_reopen(cache))
            break;
        *out_use = teeny_cache_use_begin(cache, level, key);
        error = publish_once(cache, level, key, entry);
        if (!error)
            return 0;
        teeny_cache_use_end(*out_use);
    }
    return error;
}

bool teeny_cache_publish(teeny_cache *cache, const char *level, const char *key, teeny_entry *entry,
    teeny_cache_use **out_use)
{
    int error = cache->directory < 0 ? ENOENT : publish(cache, level, key, entry, out_use);
    if (error) {
        teeny_cache_counted(TEENY_CACHE_UNCACHED, 1);
        if (cache->directory >= 0)
            teeny_cache_warn_level(cache, level, error);
        return false;
    }
    teeny_cache_counted(TEENY_CACHE_PUBLISHED, 1);
    teeny_cache_counted(TEENY_CACHE_BYTES_WRITTEN, size_of(entry));
    teeny_cache_grow(cache, teeny_entry_disk_size(entry));
    return true;
}

/* An entry, and the name of its level. */
struct found {
    char *level;
    teeny_entry entry;
    teeny_cache_use *use;
};

struct search {
    const teeny_cache *cache;
    const char *key;
    struct found newest; /* without a level: there is none so far */
};

static void drop(struct found *found)
{
    free(found->level);
    teeny_entry_free(&found->entry);
    teeny_cache_use_end(found->use);
}

/* Takes over `other`, and what it has. */
static void take_if_newer(struct found *newest, struct found other)
{
    if (!other.level || (newest->level && newest->entry.created >= other.entry.created)) {
        drop(&other);
        return;
    }
    drop(newest);
    *newest = other;
}

/* Every directory in the cache may be a level; what is none has no entry of this key. */
static int look_into(int directory, const char *name, void *context)
{
    (void)directory;
    struct search *search = context;
    struct found found = {0};
    if (name[0] == '.' || teeny_cache_read(search->cache, name, search->key, &found.entry,
                              &found.use) != TEENY_ENTRY_INTACT)
        return 0;
    found.level = strdup(name);
    take_if_newer(&search->newest, found);
    return 0;
}

bool teeny_cache_read_newest(const teeny_cache *cache, const char *key, char **out_level,
    teeny_entry *out_entry, teeny_cache_use **out_use)
{
    struct search search = {.cache = cache, .key = key};
    if (cache->directory >= 0)
        teeny_directory_walk(cache->directory, look_into, &search);
    if (!search.newest.level)
        return false;
    *out_level = search.newest.level;
    *out_entry = search.newest.entry;
    *out_use = search.newest.use;
    return true;
}
