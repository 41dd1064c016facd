/* What clang says about a kernel's text, told to the user: at the user's place, in the language's
 * words where there are some, and without what only follows from it. */
#ifndef TEENY_FRONTEND_CLANG_REPORTER_H
#define TEENY_FRONTEND_CLANG_REPORTER_H

#include "frontend/clang/bridge.h"
#include "frontend/diagnostics.h"
#include "frontend/operation_calls.h"
#include "frontend/source.h"

/* All zero but the first three, at the start of a text. */
typedef struct clang_reporter {
    arena *arena;
    const source *source;
    diagnostics *diagnostics;
    bool is_shown; /* whether the last error was, in clang's words: its notes follow it */
    const operation_call *calls; /* of the text, read at its first error */
    bool has_worded;             /* an error in words of our own, in the statement at `worded` */
    ast_place worded;
} clang_reporter;

/* A clang_report; `context` is a clang_reporter. */
void clang_reporter_report(void *context, const clang_diagnostic *said);

#endif
