/* Diagnostics: `file:line:col: error: message`, the line itself, and a caret.
 *
 * One sink for a run: the frontend, the passes and the code generators all report here. Errors are
 * counted; a run that counted any gives no output.
 */
#ifndef TEENY_FRONTEND_DIAGNOSTICS_H
#define TEENY_FRONTEND_DIAGNOSTICS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef enum diagnostic_severity {
    DIAGNOSTIC_ERROR,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_NOTE,
} diagnostic_severity;

/* A resolved place. `file` NULL: no place; `line` 0: the file as a whole. */
typedef struct diagnostic_place {
    const char *file;
    unsigned line, column; /* from 1; column 0: unknown */
    const char *text;      /* the line, which ends at a newline or zero byte; or NULL */
} diagnostic_place;

typedef struct diagnostics {
    FILE *out;
    size_t num_errors;
    size_t limit; /* errors shown; the rest are only counted */
} diagnostics;

void diagnostics_report(diagnostics *diagnostics, diagnostic_severity severity,
    diagnostic_place place, const char *format, ...) __attribute__((format(printf, 4, 5)));
void diagnostics_report_list(diagnostics *diagnostics, diagnostic_severity severity,
    diagnostic_place place, const char *format, va_list arguments);

#endif
