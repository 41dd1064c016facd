/* The cache directory:
 *
 *     CACHE/lock             locks between processes (lock.h)
 *     CACHE/usage            how large it is (usage.h)
 *     CACHE/compilers/       what each teenyc said its build id is
 *     CACHE/embedded/KEY/    entries of kernels that were compiled ahead, for the driver's cubins
 *     CACHE/BUILD-ID/KEY/    one entry (entry.h) a kernel, target and options
 *
 * Directories and files that others own or may write to are as good as not there, at each level.
 */
#ifndef TEENY_RUNTIME_CACHE_H
#define TEENY_RUNTIME_CACHE_H

#include "runtime/cache/entry.h"
#include "runtime/cache/use.h"

#include <teeny/status.h>

#define TEENY_CACHE_COMPILERS "compilers"
#define TEENY_CACHE_EMBEDDED "embedded"

/* Which directory it is, whatever its name. */
typedef struct teeny_cache_identity {
    uint64_t device, inode;
} teeny_cache_identity;

typedef struct teeny_cache {
    int directory; /* -1: there is none that can be used; `error`, an errno value, says why */
    int error;
    char *path; /* absolute */
    teeny_cache_identity identity;
    uint64_t limit; /* bytes that it may hold; UINT64_MAX: any number */
} teeny_cache;

/* Opens the cache directory and makes it if need be. One that cannot be used is no error but a
 * warning, once; one that others could have written to is TEENY_CACHE_UNSAFE; a TEENYC_CACHE_SIZE
 * that is none is TEENY_OPTION_INVALID. */
teeny_status teeny_cache_open(teeny_cache *out_cache);

/* The same for those who only look: makes nothing, and warns of nothing. `error` is ENOENT where
 * there is no directory yet. */
teeny_status teeny_cache_look(teeny_cache *out_cache);

void teeny_cache_close(teeny_cache *cache);

/* Opens the directory of the cache's name once more, made anew if need be: the one that was open
 * may have been deleted. False: there is none, and the cache is as it was. */
bool teeny_cache_reopen(teeny_cache *cache);

/* Opens a level below it, made if need be where `make` is set. A descriptor, or -1 with errno set.
 */
int teeny_cache_level(const teeny_cache *cache, const char *name, bool make);

/* Reads an entry of one level and begins to use it, which is the caller's to end. Nothing is to be
 * freed or ended unless it is intact. */
teeny_entry_state teeny_cache_read(const teeny_cache *cache, const char *level, const char *key,
    teeny_entry *out_entry, teeny_cache_use **out_use);

/* Publishes an entry, begins to use it, and makes room if the cache is now too large. A cache that
 * cannot be written to costs a warning, once. False: not cached. */
bool teeny_cache_publish(teeny_cache *cache, const char *level, const char *key, teeny_entry *entry,
    teeny_cache_use **out_use);

/* Reads the newest intact entry of any level, as teeny_cache_read does; `out_level` gets the
 * level's name, which the caller frees. False: there is none. */
bool teeny_cache_read_newest(const teeny_cache *cache, const char *key, char **out_level,
    teeny_entry *out_entry, teeny_cache_use **out_use);

/* Warns, but not twice in a row of the same. */
void teeny_cache_warn(const char *path, int error);

/* The same where something could not be written to a level of an open cache: of the level, with
 * what cures it, where it is that which cannot be trusted. */
void teeny_cache_warn_level(const teeny_cache *cache, const char *level, int error);

#endif
