/* Keeping the cache below its size; see eviction.h. */
#define _GNU_SOURCE 1 /* O_NOFOLLOW */
#include "runtime/cache/eviction.h"

#include "runtime/cache/counters.h"
#include "runtime/cache/lock.h"
#include "runtime/cache/size.h"
#include "runtime/cache/usage.h"
#include "runtime/report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

uint64_t teeny_entry_disk_size(const teeny_entry *entry)
{
    uint64_t bytes = 2 * teeny_size_on_disk(1); /* the directory and the manifest */
    for (size_t i = 0; i < entry->count; i++)
        bytes += teeny_size_on_disk(entry->files[i].bytes.size);
    return bytes;
}

/* Without locks nobody can say that he uses an entry: what was used in the last hour stays. */
static bool is_spared(int level, const teeny_survey_item *item, teeny_lock_result lock)
{
    enum { HOUR = 60 * 60 };
    struct stat status;
    if (lock == TEENY_LOCK_BUSY)
        return true;
    if (fstatat(level, item->key, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    if (lock == TEENY_LOCK_REFUSED && status.st_mtim.tv_sec > time(NULL) - HOUR)
        return true;
    return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec > item->used;
}

teeny_removal teeny_cache_remove(const teeny_cache *cache, const teeny_survey_item *item)
{
    int level = teeny_cache_level(cache, item->level, false);
    if (level < 0)
        return TEENY_NOT_REMOVED;
    teeny_lock lock;
    teeny_lock_result result = teeny_lock_take(
        cache->directory, teeny_lock_byte(TEENY_LOCK_USE, item->level, item->key), &lock);
    teeny_removal removal = TEENY_IN_USE;
    if (!is_spared(level, item, result))
        removal = teeny_entry_remove(level, item->key) ? TEENY_NOT_REMOVED : TEENY_REMOVED;
    teeny_lock_leave(&lock);
    close(level);
    return removal;
}

size_t teeny_cache_shrink(const teeny_cache *cache, teeny_survey *survey, uint64_t bytes)
{
    size_t kept = 0, count = survey->count;
    for (size_t i = 0; i < count; i++) {
        teeny_survey_item item = survey->items[i];
        teeny_removal removal =
            survey->bytes > bytes ? teeny_cache_remove(cache, &item) : TEENY_NOT_REMOVED;
        if (removal != TEENY_REMOVED) {
            item.in_use |= removal == TEENY_IN_USE;
            survey->items[kept++] = item;
            continue;
        }
        survey->bytes -= item.bytes;
        teeny_cache_counted(TEENY_CACHE_EVICTED, 1);
        teeny_cache_counted(TEENY_CACHE_BYTES_EVICTED, item.bytes);
    }
    survey->count = kept;
    return count - kept;
}

/* Evicts a tenth more than it must, so that it is not done again for every entry that follows. */
static void make_room_alone(const teeny_cache *cache)
{
    teeny_survey survey;
    if (!teeny_survey_make(cache, &survey))
        return;
    if (survey.bytes > cache->limit) {
        size_t removed = teeny_cache_shrink(cache, &survey, cache->limit - cache->limit / 10);
        teeny_log(TEENY_LOG_INFO,
            "cache: %s was larger than TEENYC_CACHE_SIZE: %zu entries were removed", cache->path,
            removed);
    }
    teeny_usage_set(cache->directory, survey.bytes);
    teeny_survey_free(&survey);
}

/* One process makes room at a time; the others go on. */
static void make_room(const teeny_cache *cache)
{
    teeny_lock lock;
    if (teeny_lock_take(cache->directory, teeny_lock_byte(TEENY_LOCK_MAINTAIN, "", ""), &lock) ==
        TEENY_LOCK_BUSY)
        return;
    make_room_alone(cache);
    teeny_lock_leave(&lock);
}

void teeny_cache_grow(const teeny_cache *cache, uint64_t bytes)
{
    uint64_t total = 0;
    bool known = teeny_usage_add(cache->directory, bytes, &total);
    if (!known || total > cache->limit)
        make_room(cache);
}

void teeny_cache_grow_within(const teeny_entry *entry)
{
    teeny_cache cache;
    if (teeny_cache_open(&cache) != TEENY_OK)
        return;
    if (cache.directory >= 0)
        teeny_cache_grow(&cache, teeny_entry_disk_size(entry));
    teeny_cache_close(&cache);
}
