/* Counting what the cache does; see teeny/cache.h. */
#include "runtime/cache/counters.h"

#include <stdatomic.h>

#define ROW(name, word, explanation) {#word, explanation},
static const struct {
    const char *name;
    const char *explanation;
} table[TEENY_CACHE_COUNTER_COUNT] = {TEENY_CACHE_COUNTER_TABLE(ROW)};

static atomic_uint_fast64_t counts[TEENY_CACHE_COUNTER_COUNT];

static bool is_counter(teeny_cache_counter counter)
{
    return (unsigned)counter < TEENY_CACHE_COUNTER_COUNT;
}

void teeny_cache_counted(teeny_cache_counter counter, uint64_t amount)
{
    atomic_fetch_add_explicit(&counts[counter], amount, memory_order_relaxed);
}

uint64_t teeny_cache_count(teeny_cache_counter counter)
{
    return is_counter(counter) ? atomic_load_explicit(&counts[counter], memory_order_relaxed) : 0;
}

const char *teeny_cache_counter_name(teeny_cache_counter counter)
{
    return is_counter(counter) ? table[counter].name : "";
}

const char *teeny_cache_counter_explanation(teeny_cache_counter counter)
{
    return is_counter(counter) ? table[counter].explanation : "";
}
