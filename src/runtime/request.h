/* One compilation, fully spelled out: the source, teenyc's arguments, and the key of both. */
#ifndef TEENY_RUNTIME_REQUEST_H
#define TEENY_RUNTIME_REQUEST_H

#include "base/checksum.h"
#include "base/string_builder.h"

#include <teeny/compile.h>

/* The version of the kernel environment (teeny/kernel.h) that this libteeny belongs to. */
#define TEENY_ENVIRONMENT_VERSION 1

typedef struct teeny_request {
    const teeny_kernel *kernel;
    const char *name;   /* the kernel's */
    const char *object; /* the stage that runs: "ptx" or "image"; "cubin" where embedded; static */
    const char *magic;  /* how an image begins; NULL for others */
    bool no_compile;    /* no teenyc is to be started for it */
    teeny_string source;
    char **arguments; /* what follows the file's name; NULL-terminated */
    size_t argument_count;
    teeny_checksum key; /* of all that decides what comes out */
} teeny_request;

/* Checks target and options and gathers the kernel's text. `options` may be NULL, and so may
 * `specialise`, what is known about the arguments as teenyc's option has it. The result is
 * freed with teeny_request_free. Errors: as teeny_compile_kernel. */
teeny_status teeny_request_make(const teeny_kernel *kernel, const char *target,
    const teeny_options *options, const char *specialise, teeny_request *out_request);

void teeny_request_free(teeny_request *request);

#endif
