/* What is in the cache, entry by entry.
 *
 * Only what the cache itself can have made is seen: levels are directories named by a build id,
 * entries are directories in them named by a key. Whatever else lies there is nobody's business.
 */
#ifndef TEENY_RUNTIME_CACHE_SURVEY_H
#define TEENY_RUNTIME_CACHE_SURVEY_H

#include "runtime/cache/cache.h"

typedef struct teeny_survey_item {
    char level[65];
    char key[33];
    uint64_t bytes; /* on the disk, in whole blocks, with all that lies in the entry */
    int64_t used;   /* nanoseconds since 1970 */
    bool in_use;    /* was to be removed, and is in use */
} teeny_survey_item;

/* Starts as all zero. */
typedef struct teeny_survey {
    teeny_survey_item *items;
    size_t count;
    uint64_t bytes; /* of all items */
} teeny_survey;

/* Lists all entries, the one that was not used for longest first. False where memory is out. */
bool teeny_survey_make(const teeny_cache *cache, teeny_survey *out_survey);
void teeny_survey_free(teeny_survey *survey);

/* Whether a name in the cache is that of a level, and one in a level that of an entry. */
bool teeny_survey_is_level(const char *name);
bool teeny_survey_is_key(const char *name);

#endif
