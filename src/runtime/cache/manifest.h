/* The file in a cache entry that vouches for the others.
 *
 *     teeny entry 1
 *     key 0123456789abcdef0123456789abcdef
 *     created 1732960000123456789
 *     file 1042 0123456789abcdef0123456789abcdef vector_add.ptx
 *     end 0123456789abcdef0123456789abcdef        (the checksum of all before this line)
 */
#ifndef TEENY_RUNTIME_CACHE_MANIFEST_H
#define TEENY_RUNTIME_CACHE_MANIFEST_H

#include "base/checksum.h"
#include "runtime/cache/entry.h"

#define TEENY_MANIFEST_NAME "manifest"

typedef struct teeny_manifest_file {
    const char *name;
    size_t size;
    teeny_checksum checksum;
} teeny_manifest_file;

typedef struct teeny_manifest {
    char *text; /* holds the names and the key */
    const char *key;
    int64_t created;
    teeny_manifest_file *files;
    size_t count;
} teeny_manifest;

/* Reads the manifest in `directory`, which must be for `key` unless that is NULL. Returns 0, or an
 * errno value and nothing to free: EBADMSG where it is not intact or for another key. */
int teeny_manifest_read(int directory, const char *key, teeny_manifest *out_manifest);
void teeny_manifest_free(teeny_manifest *manifest);

/* Writes and syncs the manifest of `entry`. Returns 0 or an errno value. */
int teeny_manifest_write(int directory, const char *key, const teeny_entry *entry);

#endif
