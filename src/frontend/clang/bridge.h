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
    CLANG_OTHER_MISTAKE,          /* `message` is clang's own text */
    CLANG_UNKNOWN_NAME,           /* the name stands in `message`, between quotes */
    CLANG_FAILED_ASSERTION,       /* `message` is the assertion's own text */
    CLANG_NO_POINTER,             /* types[0] is used as one */
    CLANG_NO_STRUCT,              /* the same */
    CLANG_NO_TILE,                /* elements of what has none */
    CLANG_ENUMERATOR_TOO_LARGE,   /* no int */
    CLANG_TILE_DIMENSIONS,        /* too few, too many, or none that a tile can have */
    CLANG_TILE_SIZE,              /* too many elements */
    CLANG_TILE_ELEMENT,           /* a tile of what is no element type */
    CLANG_DIMENSION_NOT_CONSTANT, /* a dimension is known at run time alone */
    CLANG_ARGUMENT_NOT_CONSTANT,  /* the same of another argument */
    CLANG_TILE_CONDITION,         /* a condition is the tile types[0] */
    CLANG_TILE_LOGICAL,           /* && || or ! of the tile types[0] */
    CLANG_TILE_OPERATOR,          /* no operator of a tile: types[0], or types[1] */
    CLANG_TILES_DIFFER,           /* types[0] and types[1] meet, of which one or both are tiles */
    CLANG_TILE_CONVERTS /* `message`: a tile where another type is wanted, or the other way */
} clang_mistake;

typedef struct clang_diagnostic {
    clang_severity severity;
    clang_mistake mistake;
    ast_place place;
    /* All valid during the call. */
    const char *message;
    const char *types[2]; /* in the language's words, where they are said above; else "" */
    const char *written;  /* the operator at `place`; "" where an operation's macro has it */
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
