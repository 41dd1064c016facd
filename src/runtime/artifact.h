/* What a compilation made; the public side is in teeny/compile.h. */
#ifndef TEENY_RUNTIME_ARTIFACT_H
#define TEENY_RUNTIME_ARTIFACT_H

#include "runtime/cache/entry.h"
#include "runtime/file_place.h"
#include "runtime/metadata.h"
#include "runtime/request.h"

struct teeny_artifact {
    teeny_metadata metadata;
    char *metadata_text;
    teeny_entry files;      /* their bytes, until teeny_artifact_forget */
    char **paths;           /* of each file, in the same order; "" where it lies nowhere */
    teeny_file_place place; /* where the files lie */
    const char *object;     /* the code's stage */
    char *stem;             /* the kernel's name, which the files' names begin with */
    bool hit;
    bool cached; /* the place is an entry of the cache; else it is this artifact's own */
};

/* Checks that the files are all there and fit the request. Errors: TEENY_ARTIFACT_INVALID. */
teeny_status teeny_artifact_check(const teeny_request *request, const teeny_entry *files);

/* Makes an artifact of checked files. Takes over `files` and `place`, which may be TEENY_NOWHERE,
 * also when it fails. */
teeny_status teeny_artifact_make(const teeny_request *request, teeny_entry files,
    teeny_file_place place, bool hit, teeny_artifact **out_artifact);

/* The code's bytes, which end with a zero byte. */
const teeny_bytes *teeny_artifact_code(const teeny_artifact *artifact);

/* Frees the bytes once the code is loaded, removes files that are not in the cache, and lets the
 * cache evict those that are: their paths stay, and may come to name nothing. */
void teeny_artifact_forget(teeny_artifact *artifact);

#endif
