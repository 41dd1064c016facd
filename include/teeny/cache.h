/* The cache of compiled kernels: what it did for this process, and its upkeep.
 *
 * compile.h says where it lies and who may use it; docs/caching.md has all that it promises. Every
 * process keeps it below TEENYC_CACHE_SIZE by itself, so nothing here has to be called. The command
 * `teeny cache` does the same from a shell. Valid in C and in C++; thread-safe, and safe while any
 * number of processes use the cache.
 */
#ifndef TEENY_CACHE_H
#define TEENY_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <teeny/status.h>

TEENY_BEGIN_C

/* X(name, word, explanation). Values never change meaning; new ones are added at the end. */
#define TEENY_CACHE_COUNTER_TABLE(X)                                                               \
    X(HITS, hits, "kernels that the cache had, after a wait or at once")                           \
    X(MISSES, misses, "kernels that it did not have")                                              \
    X(COMPILATIONS, compilations, "times that a teenyc was run on a kernel")                       \
    X(WAITS, waits, "times that another process was seen to compile the kernel, and waited for")   \
    X(DAMAGED, damaged, "entries that were met altered, incomplete or open to others, unused")     \
    X(PUBLISHED, published, "entries that were written")                                           \
    X(UNCACHED, uncached, "compiled kernels that could not be written to the cache")               \
    X(EVICTED, evicted, "entries that were removed to make room")                                  \
    X(BYTES_READ, bytes_read, "bytes of entries that were read and checked")                       \
    X(BYTES_WRITTEN, bytes_written, "bytes of entries that were written")                          \
    X(BYTES_EVICTED, bytes_evicted, "bytes of entries that were removed, in blocks of 4096")

#define TEENY_CACHE_COUNTER_ENUMERATOR(name, word, explanation) TEENY_CACHE_##name,
/* What is counted. */
typedef enum teeny_cache_counter {
    TEENY_CACHE_COUNTER_TABLE(TEENY_CACHE_COUNTER_ENUMERATOR) TEENY_CACHE_COUNTER_COUNT
} teeny_cache_counter;
#undef TEENY_CACHE_COUNTER_ENUMERATOR

/* How often that happened in this process since it began; 0 for what is no counter. Each counter is
 * exact; several that are read one after the other may be of different moments. */
TEENY_API uint64_t teeny_cache_count(teeny_cache_counter counter);

/* The counter's word, such as "bytes_read", and what it counts, as one phrase; "" for what is no
 * counter. The strings are static. */
TEENY_API const char *teeny_cache_counter_name(teeny_cache_counter counter);
TEENY_API const char *teeny_cache_counter_explanation(teeny_cache_counter counter);

/* One entry of the cache. Its strings stand during the call that it is given to. */
typedef struct teeny_cache_item {
    const char *path;     /* of its directory, absolute */
    const char *kernel;   /* "?" where the entry does not say */
    const char *target;   /* such as "sm_90"; "?" likewise */
    const char *compiler; /* the build id of the teenyc that made it */
    const char *problem;  /* why it would not be used, as a phrase; NULL: not known of any */
    uint64_t bytes;       /* what it takes on the disk, in blocks of 4096 */
    int64_t created;      /* nanoseconds since 1970; 0 where the entry does not say */
    int64_t used;         /* likewise, exact to the minute */
} teeny_cache_item;

typedef void teeny_cache_visitor(const teeny_cache_item *item, void *context);

/* Calls `visitor` with every entry, that which was not used for longest first. It may call
 * libteeny. A directory that is not there has no entries, and is not made. Errors:
 * TEENY_CACHE_UNSAFE, TEENY_IO_FAILED where there is no cache that can be used. */
TEENY_API teeny_status teeny_cache_list(teeny_cache_visitor *visitor, void *context);

/* Reads every byte of every entry and calls `visitor` with those that would not be used: altered,
 * incomplete, or open to others. Also with what lies in the place of an entry or a compiler's
 * entries and cannot be trusted. It may call libteeny. `out_count`, unless NULL, gets how many
 * entries there are, sound ones included. Errors: as teeny_cache_list. */
TEENY_API teeny_status teeny_cache_verify(
    teeny_cache_visitor *visitor, void *context, size_t *out_count);

/* What upkeep did. */
typedef struct teeny_cache_upkeep {
    size_t damaged;    /* entries that were removed because they would not be used */
    size_t outdated;   /* because their compiler is gone or has changed */
    size_t evicted;    /* to make room, or to clear the cache */
    size_t leftovers;  /* temporary directories of processes that died */
    size_t entries;    /* that are left */
    size_t in_use;     /* of these, that would have gone but are in use */
    uint64_t freed;    /* bytes of what was removed, without leftovers */
    uint64_t bytes;    /* of what is left */
    size_t distrusted; /* compilers' directories that cannot be trusted: left as they are */
} teeny_cache_upkeep;

/* Removes what is of no use any more: damaged entries, those of compilers that are gone or have
 * changed (unless no compiler is there any more), leftovers of dead processes, here and in the
 * places where compilers work, and then the least recently used entries until the rest takes no
 * more than `size`: "500M", "2G", "unlimited", or NULL for TEENYC_CACHE_SIZE. What some process
 * uses stays. `out_upkeep` may be NULL. Errors: TEENY_OPTION_INVALID for the size; as
 * teeny_cache_list. */
TEENY_API teeny_status teeny_cache_collect(const char *size, teeny_cache_upkeep *out_upkeep);

/* Removes all entries but those in use, and what is remembered of compilers. Whatever else lies in
 * the directory stays. `out_upkeep` may be NULL. Errors: as teeny_cache_list. */
TEENY_API teeny_status teeny_cache_clear(teeny_cache_upkeep *out_upkeep);

TEENY_END_C

#endif
