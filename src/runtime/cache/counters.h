/* Counting what the cache does; the public side is in teeny/cache.h. */
#ifndef TEENY_RUNTIME_CACHE_COUNTERS_H
#define TEENY_RUNTIME_CACHE_COUNTERS_H

#include <teeny/cache.h>

/* Thread-safe. */
void teeny_cache_counted(teeny_cache_counter counter, uint64_t amount);

#endif
