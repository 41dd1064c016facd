/* The cache: where it is, whether it is trusted, and how full it is; see info.h. */
#include "command/info/info.h"

#include "runtime/cache/cache.h"

#include <stdbool.h>
#include <stdint.h>
#include <teeny/cache.h>

/* What a listing adds up to. */
struct sum {
    uint64_t bytes, entries;
};

static void add(const teeny_cache_item *item, void *context)
{
    struct sum *sum = context;
    sum->bytes += item->bytes;
    sum->entries++;
}

static void add_contents(json_t *answer, const teeny_cache *cache)
{
    struct sum sum = {0};
    if (teeny_cache_list(add, &sum) != TEENY_OK)
        return;
    json_object_set_new(answer, "entries", json_integer((json_int_t)sum.entries));
    json_object_set_new(answer, "size_bytes", json_integer((json_int_t)sum.bytes));
    json_object_set_new(answer, "limit_bytes",
        cache->limit > INT64_MAX ? json_null() : json_integer((json_int_t)cache->limit));
}

json_t *info_cache(void)
{
    teeny_cache cache;
    if (teeny_cache_open(&cache) != TEENY_OK)
        return json_pack("{s:b, s:s}", "usable", 0, "reason", teeny_message());
    bool is_usable = cache.directory >= 0;
    json_t *answer = json_pack("{s:s, s:b}", "directory", cache.path, "usable", is_usable);
    if (is_usable) {
        json_object_set_new(answer, "trusted",
            json_string("a directory of this user's, which nobody "
                        "else may write to"));
        add_contents(answer, &cache);
    } else {
        json_object_set_new(answer, "reason",
            json_string("it cannot be made or written to; kernels "
                        "are compiled each time"));
    }
    teeny_cache_close(&cache);
    return answer;
}
