/* The sink of diagnostics.h. */
#include "frontend/diagnostics.h"

#include <string.h>

static const char *const severity_names[] = {
    [DIAGNOSTIC_ERROR] = "error",
    [DIAGNOSTIC_WARNING] = "warning",
    [DIAGNOSTIC_NOTE] = "note",
};

static void print_place(FILE *out, diagnostic_place place)
{
    if (!place.file) {
        fputs("teenyc: ", out);
        return;
    }
    fprintf(out, "%s:", place.file);
    if (place.line)
        fprintf(out, "%u:", place.line);
    if (place.line && place.column)
        fprintf(out, "%u:", place.column);
    fputc(' ', out);
}

/* The line, and a caret under its column; tabs stay tabs so that the caret stands right. */
static void print_line(FILE *out, diagnostic_place place)
{
    if (!place.text || !place.column)
        return;
    size_t length = strcspn(place.text, "\r\n");
    if (place.column > length + 1)
        return;
    fprintf(out, "%5u | %.*s\n      | ", place.line, (int)length, place.text);
    for (size_t i = 0; i + 1 < place.column; i++)
        fputc(place.text[i] == '\t' ? '\t' : ' ', out);
    fputs("^\n", out);
}

void diagnostics_report_list(diagnostics *diagnostics, diagnostic_severity severity,
    diagnostic_place place, const char *format, va_list arguments)
{
    if (severity == DIAGNOSTIC_ERROR)
        diagnostics->num_errors++;
    if (diagnostics->limit && diagnostics->num_errors > diagnostics->limit)
        return;
    print_place(diagnostics->out, place);
    fprintf(diagnostics->out, "%s: ", severity_names[severity]);
    vfprintf(diagnostics->out, format, arguments);
    fputc('\n', diagnostics->out);
    print_line(diagnostics->out, place);
}

void diagnostics_report(diagnostics *diagnostics, diagnostic_severity severity,
    diagnostic_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_report_list(diagnostics, severity, place, format, arguments);
    va_end(arguments);
}
