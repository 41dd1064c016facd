/* Directories that only the user can have put code into. */
#ifndef TEENY_RUNTIME_CACHE_PRIVATE_DIRECTORY_H
#define TEENY_RUNTIME_CACHE_PRIVATE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

typedef enum teeny_privacy {
    TEENY_PRIVATE,
    TEENY_NOT_USABLE, /* `error` says why */
    TEENY_IS_FOREIGN, /* somebody else owns it */
    TEENY_IS_SYMLINK, /* whoever owns the link decides where it leads */
    TEENY_IS_NO_DIRECTORY,
    TEENY_IS_WRITABLE, /* group or others may write to it */
} teeny_privacy;

typedef struct teeny_privacy_report {
    teeny_privacy privacy;
    int error;     /* an errno value */
    unsigned mode; /* permission bits */
    unsigned owner;
    uint64_t device, inode; /* which directory it is */
    int64_t modified;       /* nanoseconds since 1970 */
} teeny_privacy_report;

/* Why a directory is not trusted, as a phrase; NULL where it is, or is not there. */
const char *teeny_privacy_phrase(teeny_privacy privacy);

/* Opens `name` in `parent` if it is a real directory, owned by the user, and writable by nobody
 * else. Returns a descriptor, or -1 with the reason in `out_report`, which may be NULL. */
int teeny_private_directory_open(int parent, const char *name, teeny_privacy_report *out_report);

/* The same, but makes the directory, and its parents, where it is not there. */
int teeny_private_directory_make(int parent, const char *name, teeny_privacy_report *out_report);

#endif
