/* teenyc, as libteeny sees it: where it is, which build it is, and how it is run. */
#ifndef TEENY_RUNTIME_COMPILER_H
#define TEENY_RUNTIME_COMPILER_H

#include "base/subprocess.h"
#include "runtime/cache/cache.h"
#include "runtime/file_place.h"
#include "runtime/request.h"

typedef struct teeny_compiler {
    char *path;
    char build_id[65];  /* a name of a cache level: hexadecimal digits */
    teeny_checksum key; /* of its path, inode, size and time of the last change */
} teeny_compiler;

/* What a teenyc says of itself. */
typedef struct teeny_compiler_version {
    char version[32], build_id[65], llvm[32], environment[32];
} teeny_compiler_version;

/* Reads the answer to `teenyc --version`. False: no teenyc answers so. */
bool teeny_compiler_read_version(const char *answer, teeny_compiler_version *out_version);

/* Finds the teenyc to use; the caller frees `out_path`. Errors: TEENY_COMPILER_NOT_FOUND and
 * TEENY_COMPILER_AMBIGUOUS, with a list of where it looked and what it saw. */
teeny_status teeny_compiler_find(char **out_path);

/* A place that was looked at. Strings are good during the call. */
typedef struct teeny_compiler_place {
    const char *path;    /* of a teenyc, or of the directory or variable that has none */
    const char *problem; /* why there is none; NULL: there is one */
} teeny_compiler_place;

/* Hands every place where a teenyc is looked for to `visit`, in order: TEENYC_PATH, where it is
 * set, the toolchain directories, and PATH. Where each would be taken is teeny_compiler_find's to
 * say. */
void teeny_compiler_search(
    void (*visit)(const teeny_compiler_place *place, void *user), void *user);

/* Asks the teenyc at `path` which build it is; the answer is remembered, in the process and in the
 * cache, by path, inode, size and time of the last change. Errors: TEENY_COMPILER_FAILED,
 * TEENY_COMPILER_TIMEOUT. */
teeny_status teeny_compiler_identify(
    const teeny_cache *cache, const char *path, teeny_compiler *out_compiler);
void teeny_compiler_free(teeny_compiler *compiler);

/* False where another file has taken its place since it was identified: which of the two did what
 * was done meanwhile cannot be told. */
bool teeny_compiler_is_unchanged(const teeny_compiler *compiler);

/* The compiler that entry `name` of the open level TEENY_CACHE_COMPILERS tells of. False: there is
 * none, or its file is not any more the one that was asked. */
bool teeny_compiler_recall(int level, const char *name, teeny_compiler *out_compiler);

/* Runs it: the files that it made are in `out_entry`, with the source. They lie in a temporary
 * directory too, which the caller leaves. On failure neither is left. */
teeny_status teeny_compiler_run(const teeny_compiler *compiler, const teeny_cache *cache,
    const teeny_request *request, teeny_entry *out_entry, teeny_file_place *out_place);

/* How many seconds a run may take; 0 where TEENYC_TIMEOUT is no such number, which the run itself
 * refuses. */
int64_t teeny_compiler_time_limit(void);

/* Runs arguments[0] with a time limit. Only a run that ends by itself is TEENY_OK, whatever its
 * exit status; `purpose` says in messages what it was run for. */
teeny_status teeny_compiler_spawn(
    const char *const *arguments, const char *purpose, teeny_process_result *out_result);

#endif
