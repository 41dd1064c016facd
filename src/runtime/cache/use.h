/* Entries that this process uses, which no process evicts meanwhile.
 *
 * A use is a shared lock (lock.h). All uses of one cache go through one open file, which is closed
 * with the last of them: programs may hold thousands. Thread-safe.
 */
#ifndef TEENY_RUNTIME_CACHE_USE_H
#define TEENY_RUNTIME_CACHE_USE_H

typedef struct teeny_cache_use teeny_cache_use;
struct teeny_cache;

/* Begins to use an entry, whether it is there already or not; waits up to a second for who removes
 * it just now. NULL where the lock cannot be had: the file system has none, or the remover was
 * stopped. */
teeny_cache_use *teeny_cache_use_begin(
    const struct teeny_cache *cache, const char *level, const char *key);

/* NULL is allowed. */
void teeny_cache_use_end(teeny_cache_use *use);

#endif
