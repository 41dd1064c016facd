/* clang as a C function: text in, tree out (ast.h).
 *
 * The text is read with the teeny environment alone: no file system, no system headers, always as
 * 64-bit little-endian GNU C17, whatever the machine and the target are.
 */
#ifndef TEENY_FRONTEND_CLANG_BRIDGE_H
#define TEENY_FRONTEND_CLANG_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "frontend/ast.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A header that the text may include, by the name that it includes it by. */
typedef struct clang_header {
    const char *name; /* "teeny/kernel.h" */
    const char *text;
} clang_header;

typedef enum clang_severity { CLANG_ERROR, CLANG_NOTE } clang_severity;

/* What kind of mistake it is, where the frontend has its own words for it. */
typedef enum clang_mistake {
    CLANG_OTHER_MISTAKE,
    CLANG_UNKNOWN_NAME,    /* the name stands at `place` */
    CLANG_FAILED_ASSERTION /* `message` is the assertion's own text */
} clang_mistake;

typedef struct clang_diagnostic {
    clang_severity severity;
    clang_mistake mistake;
    ast_place place;
    const char *message; /* valid during the call */
} clang_diagnostic;

typedef void clang_report(void *context, const clang_diagnostic *diagnostic);

/* Parses `text`. Gives the functions that it defines, in order, or false after at least one error
 * was reported. Everything given lives in `arena`. */
bool clang_parse(arena *arena, const char *text, const clang_header *headers, size_t num_headers,
    clang_report *report, void *context, const ast_function **out_functions);

#ifdef __cplusplus
}
#endif

#endif
