/* Where an artifact's files lie, and what keeps them there. */
#ifndef TEENY_RUNTIME_FILE_PLACE_H
#define TEENY_RUNTIME_FILE_PLACE_H

#include "runtime/cache/use.h"

#include <stddef.h>
#include <sys/types.h>

typedef struct teeny_file_place {
    char *path;           /* absolute; NULL: nowhere */
    int temporary;        /* of a temporary directory, open and locked; -1: an entry of the cache */
    teeny_cache_use *use; /* spares the entry from eviction; NULL where there is no entry or lock */
    pid_t maker;          /* who may remove it: not a child made by fork() */
} teeny_file_place;

#define TEENY_NOWHERE ((teeny_file_place){.temporary = -1})

/* The directories where a compiler may work, the preferred one first; NULL for one that is not set
 * and for every index from TEENY_FILE_PLACE_PARENTS on. */
enum { TEENY_FILE_PLACE_PARENTS = 3 };
const char *teeny_file_place_parent(unsigned index);

/* Removes what processes that died have left in these; returns how many directories that were. */
size_t teeny_file_place_remove_stale(void);

/* Takes a new temporary directory in `parent`, an absolute path. Returns 0 or an errno value. */
int teeny_file_place_make(const char *parent, teeny_file_place *out_place);

/* Removes a temporary directory with all that is in it; an entry of the cache may be evicted from
 * now on, as far as this place is concerned. What is nowhere stays there. */
void teeny_file_place_leave(teeny_file_place *place);

#endif
