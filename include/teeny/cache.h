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
    X(HITS, hits, "kernels that the cache had")                                                    \
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

TEENY_END_C

#endif
