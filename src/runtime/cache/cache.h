/* The cache directory:  CACHE/BUILD-ID/KEY/  one entry (entry.h) a kernel, target and options;
 *                       CACHE/compilers/     what each teenyc said its build id is.
 */
#ifndef TEENY_RUNTIME_CACHE_H
#define TEENY_RUNTIME_CACHE_H

#include "runtime/cache/entry.h"

#include <teeny/status.h>

typedef struct teeny_cache {
    int directory; /* -1: there is none that can be used; `path` is "" then */
    char *path;    /* absolute */
} teeny_cache;

/* Opens the cache directory and makes it if need be. One that cannot be used is no error but a
 * warning, once; one that others could have written to is TEENY_CACHE_UNSAFE. */
teeny_status teeny_cache_open(teeny_cache *out_cache);
void teeny_cache_close(teeny_cache *cache);

/* Opens a level below it, made if need be where `make` is set. A descriptor, or -1 with errno set.
 */
int teeny_cache_level(const teeny_cache *cache, const char *name, bool make);

/* Reads an entry of one level. False: there is none. */
bool teeny_cache_read(
    const teeny_cache *cache, const char *level, const char *key, teeny_entry *out_entry);

/* Publishes an entry. A cache that cannot be written to costs a warning, once. False: not cached.
 */
bool teeny_cache_publish(
    const teeny_cache *cache, const char *level, const char *key, teeny_entry *entry);

/* Reads the newest intact entry of any level; `out_level` gets the level's name, which the caller
 * frees. */
bool teeny_cache_read_newest(
    const teeny_cache *cache, const char *key, char **out_level, teeny_entry *out_entry);

/* Warns, but not twice in a row of the same. */
void teeny_cache_warn(const char *path, int error);

#endif
