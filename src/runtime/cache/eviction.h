/* Keeping the cache below its size: what was not used for longest goes first. */
#ifndef TEENY_RUNTIME_CACHE_EVICTION_H
#define TEENY_RUNTIME_CACHE_EVICTION_H

#include "runtime/cache/survey.h"

/* What an entry takes on the disk. */
uint64_t teeny_entry_disk_size(const teeny_entry *entry);

/* Notes that `bytes` were added, and makes room if the cache is now larger than its limit. */
void teeny_cache_grow(const teeny_cache *cache, uint64_t bytes);

/* The same for an entry that was published within another one. */
void teeny_cache_grow_within(const teeny_entry *entry);

typedef enum teeny_removal {
    TEENY_REMOVED,
    TEENY_IN_USE, /* some process uses it, or has used it since the survey */
    TEENY_NOT_REMOVED,
} teeny_removal;

/* Removes an entry that nobody uses. */
teeny_removal teeny_cache_remove(const teeny_cache *cache, const teeny_survey_item *item);

/* Removes entries of `survey` from its beginning until no more than `bytes` are left, or all others
 * are in use. The survey's sum becomes what is left. Returns how many went. */
size_t teeny_cache_shrink(const teeny_cache *cache, teeny_survey *survey, uint64_t bytes);

#endif
