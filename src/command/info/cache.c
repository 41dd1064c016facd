/* The cache: where it is, whether it is trusted, and how much is in it; see info.h. */
#define _GNU_SOURCE 1 /* nftw */
#include "command/info/info.h"

#include "base/environment.h"
#include "runtime/cache.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { LEVEL_OF_ENTRIES = 2, MOST_DESCRIPTORS = 16, BLOCK = 512 };

/* nftw hands nothing on to its function. */
static uint64_t bytes, entries;

/* CACHE/BUILD-ID/KEY is an entry; what begins with a dot is being made or removed. */
static int count(const char *path, const struct stat *status, int type, struct FTW *place)
{
    bytes += (uint64_t)status->st_blocks * BLOCK;
    entries += type == FTW_D && place->level == LEVEL_OF_ENTRIES && path[place->base] != '.' &&
               !strstr(path, "/compilers/");
    return 0;
}

json_t *info_cache(void)
{
    teeny_cache cache;
    if (teeny_cache_open(&cache) != TEENY_OK)
        return json_pack("{s:b, s:s}", "usable", 0, "reason", teeny_message());
    bool is_usable = cache.directory >= 0;
    json_t *answer = json_pack("{s:s, s:b}", "directory", cache.path, "usable", is_usable);
    if (is_usable) {
        bytes = entries = 0;
        nftw(cache.path, count, MOST_DESCRIPTORS, FTW_PHYS);
        json_object_set_new(answer, "trusted",
            json_string("a directory of this user's, which nobody "
                        "else may write to"));
        json_object_set_new(answer, "entries", json_integer((json_int_t)entries));
        json_object_set_new(answer, "size_bytes", json_integer((json_int_t)bytes));
    } else {
        json_object_set_new(answer, "reason",
            json_string("it cannot be made or written to; kernels "
                        "are compiled each time"));
    }
    teeny_cache_close(&cache);
    return answer;
}
