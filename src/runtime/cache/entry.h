/* Cache entries: directories of files that a manifest with their checksums vouches for.
 *
 *   NAME/            one entry, 0700
 *     manifest       "teeny entry 1", its key, its age, a line a file, a checksum of it all
 *     ...            the files
 *
 * An entry appears whole, by one rename, and never changes. Reading checks every byte, and that
 * nobody else can have written it: an entry that is half there, altered, or of another key or
 * format is never used. The directory's time of change is when the entry was last used.
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
    int64_t used;    /* likewise, set when it is read */
} teeny_entry;

typedef enum teeny_entry_state {
    TEENY_ENTRY_MISSING, /* not there, or not to be read just now */
    TEENY_ENTRY_INTACT,
    TEENY_ENTRY_DAMAGED, /* altered, incomplete, of another key, or others could have written it */
} teeny_entry_state;

/* Takes over `bytes`, also when it fails. False where memory is out. */
bool teeny_entry_add(teeny_entry *entry, const char *name, teeny_bytes bytes);

/* The bytes of a file, or NULL. */
const teeny_bytes *teeny_entry_find(const teeny_entry *entry, const char *name);

void teeny_entry_free(teeny_entry *entry);

/* Reads entry `name` in `directory`. Nothing is to be freed unless it is intact. With NULL as `key`
 * it may be of any. */
teeny_entry_state teeny_entry_examine(
    int directory, const char *name, const char *key, teeny_entry *out_entry);

/* The same: true where it is intact. */
bool teeny_entry_read(int directory, const char *name, const char *key, teeny_entry *out_entry);

/* Notes that an entry which was just read is used, to the minute. */
void teeny_entry_touch(int directory, const char *name, const teeny_entry *entry);

/* Writes `entry` as `name` into `directory`, on the disk when this returns. Another process's
 * intact entry of that name is left in place; a damaged one is replaced. Returns 0 or an errno
 * value. */
int teeny_entry_publish(int directory, const char *name, const char *key, teeny_entry *entry);

/* Removes an entry, or whatever else has its name: whole, by one rename, where there is room for
 * that. Returns 0 or an errno value. */
int teeny_entry_remove(int directory, const char *name);

#endif
