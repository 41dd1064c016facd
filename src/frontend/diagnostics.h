/* Diagnostics: `file:line:col: error: message`, the line itself, and a caret.
 *
 * One sink for a run: the frontend, the passes and the code generators all report here. Errors are
 * counted; a run that counted any gives no output. An error that was shown before, such as one in a
 * helper that several kernels call, is counted and not shown again.
 *
 * What the frontend says is a table, diagnostics.def: it reports by name, `diagnostics_error(sink,
 * place, TILE_SIZE)`, with the arguments that the message's format asks for.
 */
#ifndef TEENY_FRONTEND_DIAGNOSTICS_H
#define TEENY_FRONTEND_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum diagnostic_severity {
    DIAGNOSTIC_ERROR,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_NOTE,
    DIAGNOSTIC_REMARK, /* of the compiler about its own work, where it was asked for */
} diagnostic_severity;

typedef enum diagnostic_id {
#define DIAGNOSTIC(id, message, note, explanation) DIAGNOSTIC_##id,
#include "frontend/diagnostics.def"
#undef DIAGNOSTIC
    NUM_DIAGNOSTICS
} diagnostic_id;

/* The messages as constants: compilers check the arguments of what reports them by name. */
#define DIAGNOSTIC(id, message, note, explanation)                                                 \
    static const char diagnostic_message_##id[] __attribute__((unused)) = message;
#include "frontend/diagnostics.def"
#undef DIAGNOSTIC

enum { DIAGNOSTICS_REMEMBERED = 32 };

/* A resolved place. `file` NULL: no place; `line` 0: the file as a whole. */
typedef struct diagnostic_place {
    const char *file;
    unsigned line, column; /* from 1, a column is a byte; column 0: unknown */
    const char *text;      /* begins with the line; NULL: not known */
} diagnostic_place;

/* All zero but `out`, and `limit` where there is one, at the start. */
typedef struct diagnostics {
    FILE *out;
    size_t num_errors;
    size_t limit; /* errors shown, 0: all; the rest are only counted */
    size_t num_shown;
    uint64_t shown[DIAGNOSTICS_REMEMBERED]; /* a hash of each: the last ones, in a ring */
    bool is_silent;                         /* nothing is shown, errors are counted */
    bool is_muted;                          /* the last error was not shown: nor are its notes */
    bool has_noted[NUM_DIAGNOSTICS];        /* whose note was shown */
} diagnostics;

/* Reports an error by its name in the table, with its note where it is the first of its kind. */
#define diagnostics_error(diagnostics, place, id, ...)                                             \
    diagnostics_report_entry(                                                                      \
        diagnostics, place, DIAGNOSTIC_##id, diagnostic_message_##id __VA_OPT__(, ) __VA_ARGS__)

void diagnostics_report_entry(diagnostics *diagnostics, diagnostic_place place, diagnostic_id id,
    const char *format, ...) __attribute__((format(printf, 4, 5)));
void diagnostics_report_entry_list(diagnostics *diagnostics, diagnostic_place place,
    diagnostic_id id, const char *format, va_list arguments);

/* Reports in words of the caller's own. */
void diagnostics_report(diagnostics *diagnostics, diagnostic_severity severity,
    diagnostic_place place, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
