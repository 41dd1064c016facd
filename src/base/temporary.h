/* Temporary directories, and what becomes of them when their process dies.
 *
 * Whoever works in one holds a lock on it (flock), which the system takes away from a dead process,
 * so that leftovers can be told from work in progress.
 */
#ifndef TEENY_BASE_TEMPORARY_H
#define TEENY_BASE_TEMPORARY_H

#include <stddef.h>

#define TEENY_TEMPORARY_PREFIX ".teeny-"

typedef struct teeny_temporary {
    char name[32];
    int directory; /* open and locked */
} teeny_temporary;

/* Makes a directory with a random name in `parent`, open to the user alone. Returns 0 or an errno
 * value. */
int teeny_temporary_make(int parent, teeny_temporary *out_temporary);

/* Removes it with all that is in it, as far as that can be done, and closes it. */
void teeny_temporary_remove(int parent, teeny_temporary *temporary);

/* Removes the user's temporary directories in `parent` that nobody works in. One that was changed
 * in the last minute stays, since its owner may not have locked it yet; on a file system without
 * locks one that was changed in the last day. Returns how many went. */
size_t teeny_temporary_remove_stale(int parent);

#endif
