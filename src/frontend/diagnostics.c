/* The sink of diagnostics.h. */
#include "frontend/diagnostics.h"

#include <string.h>

/* What is shown of a longer line: so many bytes before the caret, and behind it. */
enum { WIDEST_LINE = 200, WINDOW_BEFORE = 100, WINDOW_BEHIND = 60, LONGEST_HASHED = 512 };

static const char *const severity_names[] = {
    [DIAGNOSTIC_ERROR] = "error",
    [DIAGNOSTIC_WARNING] = "warning",
    [DIAGNOSTIC_NOTE] = "note",
    [DIAGNOSTIC_REMARK] = "remark",
};

static const char *const notes[NUM_DIAGNOSTICS] = {
#define DIAGNOSTIC(id, message, note, explanation) [DIAGNOSTIC_##id] = (note),
#include "frontend/diagnostics.def"
#undef DIAGNOSTIC
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

/* Inside a character of UTF-8, behind its first byte. */
static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static bool is_control(char c)
{
    return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7f;
}

static void print_text(FILE *out, const char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        fputc(is_control(text[i]) ? '?' : text[i], out);
}

/* The line, or the part of a long one around the column, and a caret under the column. Tabs stay
 * tabs, and a character of several bytes is one column wide, so that the caret stands right. */
static void print_line(FILE *out, diagnostic_place place)
{
    if (!place.text || !place.column)
        return;
    size_t length = strcspn(place.text, "\r\n"), caret = place.column - 1;
    if (caret > length)
        return;
    size_t begin = 0, end = length;
    if (length > WIDEST_LINE) {
        begin = caret > WINDOW_BEFORE ? caret - WINDOW_BEFORE : 0;
        end = length - caret > WINDOW_BEHIND ? caret + WINDOW_BEHIND : length;
    }
    while (begin > 0 && is_continuation(place.text[begin]))
        begin--;
    while (end < length && is_continuation(place.text[end]))
        end++;
    const char *cut = begin > 0 ? "..." : "";
    fprintf(out, "%5u | %s", place.line, cut);
    print_text(out, place.text, begin, end);
    fprintf(out, "%s\n      | %*s", end < length ? "..." : "", (int)strlen(cut), "");
    for (size_t i = begin; i < caret; i++)
        if (!is_continuation(place.text[i]))
            fputc(place.text[i] == '\t' ? '\t' : ' ', out);
    fputs("^\n", out);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_error(diagnostic_place place, const char *format, va_list arguments)
{
    char message[LONGEST_HASHED];
    vsnprintf(message, sizeof message, format, arguments);
    uint64_t hash = hash_text(0xcbf29ce484222325u, place.file ? place.file : "");
    return hash_text(hash ^ ((uint64_t)place.line << 32 | place.column), message);
}

/* Whether this error was shown; from now on it was. */
static bool was_shown(diagnostics *diagnostics, uint64_t hash)
{
    for (size_t i = 0; i < diagnostics->num_shown && i < DIAGNOSTICS_REMEMBERED; i++)
        if (diagnostics->shown[i] == hash)
            return true;
    diagnostics->shown[diagnostics->num_shown++ % DIAGNOSTICS_REMEMBERED] = hash;
    return false;
}

/* Counts an error and decides whether it is shown. */
static void count_error(
    diagnostics *diagnostics, diagnostic_place place, const char *format, va_list arguments)
{
    diagnostics->num_errors++;
    if (diagnostics->is_silent)
        return;
    bool is_full = diagnostics->limit && diagnostics->num_shown >= diagnostics->limit;
    diagnostics->is_muted = is_full || was_shown(diagnostics, hash_error(place, format, arguments));
    if (is_full && diagnostics->num_shown++ == diagnostics->limit)
        fputs("teenyc: further errors are not shown\n", diagnostics->out);
}

static void report_list(diagnostics *diagnostics, diagnostic_severity severity,
    diagnostic_place place, const char *format, va_list arguments)
{
    if (severity == DIAGNOSTIC_ERROR) {
        va_list copy;
        va_copy(copy, arguments);
        count_error(diagnostics, place, format, copy);
        va_end(copy);
    } else if (severity != DIAGNOSTIC_NOTE) {
        diagnostics->is_muted = false;
    }
    if (diagnostics->is_muted || diagnostics->is_silent)
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
    report_list(diagnostics, severity, place, format, arguments);
    va_end(arguments);
}

/* A note says the same every time: once is enough, and not for an error that is not shown. */
static void report_note(diagnostics *diagnostics, diagnostic_place place, diagnostic_id id)
{
    if (!*notes[id] || diagnostics->has_noted[id] || diagnostics->is_muted)
        return;
    diagnostics->has_noted[id] = true;
    place.text = NULL; /* the line was shown */
    diagnostics_report(diagnostics, DIAGNOSTIC_NOTE, place, "%s", notes[id]);
}

void diagnostics_report_entry_list(diagnostics *diagnostics, diagnostic_place place,
    diagnostic_id id, const char *format, va_list arguments)
{
    report_list(diagnostics, DIAGNOSTIC_ERROR, place, format, arguments);
    report_note(diagnostics, place, id);
}

void diagnostics_report_entry(
    diagnostics *diagnostics, diagnostic_place place, diagnostic_id id, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_report_entry_list(diagnostics, place, id, format, arguments);
    va_end(arguments);
}
