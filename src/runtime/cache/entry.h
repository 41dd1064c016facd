/* Cache entries: directories of files that a manifest with their checksums vouches for.
 *
 *   NAME/            one entry, 0700
 *     manifest       "teeny entry 1", its key, its age, a line a file, a checksum of it all
 *     ...            the files
 *
 * An entry appears whole, by one rename, and never changes. Reading checks every byte: an entry
 * that is half there, altered, or of another key or format is one that is not there.
 */
#ifndef TEENY_RUNTIME_CACHE_ENTRY_H
#define TEENY_RUNTIME_CACHE_ENTRY_H

#include "base/files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct teeny_entry_file {
    char *name;
    teeny_bytes bytes;
} teeny_entry_file;

/* Starts as all zero. */
typedef struct teeny_entry {
    teeny_entry_file *files;
    size_t count;
    int64_t created; /* nanoseconds since 1970; set when it is published */
} teeny_entry;

/* Takes over `bytes`, also when it fails. False where memory is out. */
bool teeny_entry_add(teeny_entry *entry, const char *name, teeny_bytes bytes);

/* The bytes of a file, or NULL. */
const teeny_bytes *teeny_entry_find(const teeny_entry *entry, const char *name);

void teeny_entry_free(teeny_entry *entry);

/* Reads entry `name` in `directory`. False, and nothing to free, where there is no intact one. */
bool teeny_entry_read(int directory, const char *name, const char *key, teeny_entry *out_entry);

/* Writes `entry` as `name` into `directory`, on the disk when this returns. Another process's
 * intact entry of that name is left in place; a damaged one is replaced. Returns 0 or an errno
 * value. */
int teeny_entry_publish(int directory, const char *name, const char *key, teeny_entry *entry);

#endif
