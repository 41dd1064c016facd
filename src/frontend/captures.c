/* Finds the captured pieces of a file; see captures.h. */
#include "frontend/captures.h"

#include <stdlib.h>
#include <string.h>

#include "base/c_lexer.h"
#include "frontend/capture_check.h"
#include "frontend/conditionals.h"
#include "frontend/realign.h"
#include "frontend/source.h"

enum { MOST_ARGUMENTS = 4, DEEPEST_INCLUDE = 64 };

/* The macros: how many arguments each has before the rest, which is one, and which is which. */
typedef struct capture_macro {
    const char *spelling;
    capture_kind kind;
    unsigned num_arguments;
    const char *usage;
} capture_macro;

static const capture_macro macros[] = {
    {"TEENY_KERNEL", CAPTURE_KERNEL, 4,
        "TEENY_KERNEL(name, (parameters), META(NAME = default, ...), { body })"},
    {"TEENY_DEVICE", CAPTURE_DEVICE, 4, "TEENY_DEVICE(result, name, (parameters), { body })"},
    {"TEENY_DECL", CAPTURE_DECL, 1, "TEENY_DECL(declarations)"},
    {"TEENY_TYPE", CAPTURE_TYPE, 2, "TEENY_TYPE(name, element type)"},
};

typedef struct reader {
    arena *arena;
    diagnostics *diagnostics;
    const source_file *file;
    const char *shown_file;
    size_t line_begin; /* the offset whose line is `line`, as shown */
    unsigned line;
    unsigned depth; /* of includes */
    const source_file **seen;
    size_t num_seen;
    const capture **link; /* where the next capture goes */
    realigner *realigner; /* NULL: a scan of one file, which follows nothing and reports nothing */
} reader;

static source_slice slice_of(const reader *reader, size_t begin, size_t end)
{
    return (source_slice){
        .file = reader->file,
        .begin = begin,
        .end = end,
        .shown_file = reader->shown_file,
        .line = reader->line + (unsigned)(source_file_line(reader->file, begin) -
                                          source_file_line(reader->file, reader->line_begin)),
    };
}

/* Reports an error of the table at an offset, but for a scan. */
#define report(reader, at, ...)                                                                    \
    ((reader)->realigner                                                                           \
            ? diagnostics_error((reader)->diagnostics, place_of(reader, at), __VA_ARGS__)          \
            : (void)0)

static diagnostic_place place_of(const reader *reader, size_t at)
{
    return source_slice_place(slice_of(reader, at, at), at);
}

/* `#line N "file"` and the compilers' `# N "file"`: what follows is shown under other names. */
static bool read_line_directive(reader *reader, c_token directive)
{
    const char *text = reader->file->text;
    c_lexer lexer = teeny_lexer_start(text, directive.begin + 1, directive.end);
    lexer.at_line_start = false;
    c_token number = teeny_lexer_next(&lexer);
    if (teeny_token_is(&lexer, number, "line"))
        number = teeny_lexer_next(&lexer);
    if (number.kind != C_TOKEN_NUMBER)
        return false;
    c_token name = teeny_lexer_next(&lexer);
    if (name.kind == C_TOKEN_STRING && name.end - name.begin >= 2)
        reader->shown_file = source_unquote(reader->arena, text, name.begin + 1, name.end - 1);
    reader->line = (unsigned)strtoul(text + number.begin, NULL, 10);
    reader->line_begin = directive.end + (directive.end < reader->file->length);
    return true;
}

static bool read_file(reader *reader);

static const char *beside(arena *arena, const char *path, const char *name, size_t length)
{
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' || !slash)
        return arena_copy(arena, name, length);
    return arena_format(arena, "%.*s/%.*s", (int)(slash - path), path, (int)length, name);
}

static bool was_seen(const reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->num_seen; i++)
        if (strcmp(reader->seen[i]->name, name) == 0)
            return true;
    return false;
}

/* A header of the user's own may hold helpers. One that cannot be read beside the file is left to
 * the host compiler: it knows more directories than we do. */
static bool read_include(reader *outer, c_token directive)
{
    const char *text = outer->file->text;
    c_lexer lexer = teeny_lexer_start(text, directive.begin + 1, directive.end);
    lexer.at_line_start = false;
    c_token word = teeny_lexer_next(&lexer);
    c_token name = teeny_lexer_next(&lexer);
    size_t length = name.end - name.begin;
    bool is_quoted = name.kind == C_TOKEN_STRING && length > 2 && text[name.end - 1] == '"';
    if (!teeny_token_is(&lexer, word, "include") || !is_quoted || outer->depth >= DEEPEST_INCLUDE ||
        !outer->realigner)
        return true;
    const char *path = beside(outer->arena, outer->file->name, text + name.begin + 1, length - 2);
    const source_file *file = was_seen(outer, path) ? NULL : source_file_find(outer->arena, path);
    if (!file)
        return true;
    reader inner = *outer;
    inner.file = file;
    inner.shown_file = file->name;
    inner.line = 1;
    inner.line_begin = 0;
    inner.depth++;
    bool is_right = read_file(&inner);
    outer->seen = inner.seen;
    outer->num_seen = inner.num_seen;
    outer->link = inner.link;
    return is_right;
}

/* Splits a macro's arguments at commas that no parenthesis encloses; the last takes the rest. Gives
 * the number of arguments, 0 where the parentheses do not close. `*out_end` is behind the `)`. */
static unsigned split_arguments(const reader *reader, const capture_macro *macro, size_t open,
    source_slice arguments[MOST_ARGUMENTS], size_t *out_end)
{
    c_lexer lexer = teeny_lexer_start(reader->file->text, open + 1, reader->file->length);
    lexer.at_line_start = false;
    size_t begin = open + 1;
    unsigned count = 0, depth = 1;
    for (;;) {
        c_token token = teeny_lexer_next(&lexer);
        if (token.kind == C_TOKEN_END)
            return 0;
        if (token.kind != C_TOKEN_PUNCTUATOR)
            continue;
        char c = reader->file->text[token.begin];
        depth += c == '(';
        depth -= c == ')';
        bool splits = c == ',' && depth == 1 && count + 1 < macro->num_arguments;
        if (!splits && depth > 0)
            continue;
        arguments[count++] = slice_of(reader, begin, token.begin);
        begin = token.end;
        if (depth == 0) {
            *out_end = token.end;
            return count;
        }
    }
}

/* Without the white space and comments around it. */
static source_slice trimmed(const reader *reader, source_slice slice)
{
    c_lexer lexer = teeny_lexer_start(slice.file->text, slice.begin, slice.end);
    lexer.at_line_start = false;
    c_token first = teeny_lexer_next(&lexer);
    size_t end = first.end;
    for (c_token each = first; each.kind != C_TOKEN_END; each = teeny_lexer_next(&lexer))
        end = each.end;
    return slice_of(reader, first.begin, end);
}

static bool is_name(source_slice slice)
{
    c_lexer lexer = teeny_lexer_start(slice.file->text, slice.begin, slice.end);
    return teeny_lexer_next(&lexer).kind == C_TOKEN_IDENTIFIER &&
           teeny_lexer_next(&lexer).kind == C_TOKEN_END;
}

/* Whether the slice is one pair of parentheses from its begin to its end. */
static bool is_parenthesised(source_slice slice)
{
    c_lexer lexer = teeny_lexer_start(slice.file->text, slice.begin, slice.end);
    size_t depth = 0;
    do {
        c_token token = teeny_lexer_next(&lexer);
        depth += teeny_token_is(&lexer, token, "(");
        depth -= depth && teeny_token_is(&lexer, token, ")");
    } while (depth && lexer.at < slice.end);
    return slice.begin < slice.end && lexer.at == slice.end && depth == 0 &&
           slice.file->text[slice.begin] == '(';
}

/* What stands in META's parentheses. */
static bool unwrap_meta(const reader *reader, source_slice written, source_slice *out_meta)
{
    c_lexer lexer = teeny_lexer_start(written.file->text, written.begin, written.end);
    lexer.at_line_start = false;
    c_token word = teeny_lexer_next(&lexer);
    c_token open = teeny_lexer_next(&lexer);
    source_slice list = slice_of(reader, open.begin, written.end);
    bool is_meta = teeny_token_is(&lexer, word, "META") && is_parenthesised(list);
    if (is_meta)
        *out_meta = trimmed(reader, slice_of(reader, open.end, written.end - 1));
    return is_meta;
}

static const char *text_of(arena *arena, source_slice slice)
{
    return arena_copy(arena, slice.file->text + slice.begin, slice.end - slice.begin);
}

/* Gives each argument its meaning. */
static bool fill_capture(const reader *reader, capture *capture, const source_slice *arguments)
{
    switch (capture->kind) {
    case CAPTURE_KERNEL:
        capture->name = text_of(reader->arena, arguments[0]);
        capture->parameters = arguments[1];
        capture->body = arguments[3];
        return is_name(arguments[0]) && is_parenthesised(arguments[1]) &&
               unwrap_meta(reader, arguments[2], &capture->meta);
    case CAPTURE_DEVICE:
        capture->result = arguments[0];
        capture->name = text_of(reader->arena, arguments[1]);
        capture->parameters = arguments[2];
        capture->body = arguments[3];
        return is_name(arguments[1]) && is_parenthesised(arguments[2]);
    case CAPTURE_DECL:
        capture->name = "";
        capture->body = arguments[0];
        return true;
    case CAPTURE_TYPE:
        capture->name = text_of(reader->arena, arguments[0]);
        capture->body = arguments[1];
        return is_name(arguments[0]);
    }
    return false;
}

/* False where what follows cannot be made sense of. */
static bool read_capture(reader *reader, const capture_macro *macro, c_token name, c_lexer *lexer)
{
    c_token open = teeny_lexer_next(lexer);
    if (!teeny_token_is(lexer, open, "("))
        return true; /* a mention, not a use */
    source_slice arguments[MOST_ARGUMENTS];
    size_t end;
    unsigned count = split_arguments(reader, macro, open.begin, arguments, &end);
    if (count == 0) {
        report(reader, name.begin, CAPTURE_UNCLOSED, macro->spelling);
        return false;
    }
    lexer->at = end;
    for (unsigned i = 0; i < count; i++)
        arguments[i] = trimmed(reader, arguments[i]);
    capture *made = arena_new(reader->arena, capture);
    made->kind = macro->kind;
    made->whole = slice_of(reader, name.begin, end);
    if (count < macro->num_arguments || !fill_capture(reader, made, arguments)) {
        report(reader, name.begin, CAPTURE_USAGE, macro->usage);
        return true;
    }
    if (reader->realigner) {
        capture_check(reader->arena, reader->diagnostics, made, macro->spelling);
        realign_capture(reader->realigner, made);
    }
    *reader->link = made;
    reader->link = &made->next;
    return true;
}

static const capture_macro *find_macro(const c_lexer *lexer, c_token token)
{
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (teeny_token_is(lexer, token, macros[i].spelling))
            return &macros[i];
    return NULL;
}

static bool read_file(reader *reader)
{
    const source_file **seen =
        arena_array(reader->arena, const source_file *, reader->num_seen + 1);
    if (reader->num_seen)
        memcpy(seen, reader->seen, sizeof *seen * reader->num_seen);
    seen[reader->num_seen++] = reader->file;
    reader->seen = seen;

    conditionals conditionals = {.is_alive = true};
    c_lexer lexer = teeny_lexer_start(reader->file->text, 0, reader->file->length);
    for (;;) {
        c_token token = teeny_lexer_next(&lexer);
        if (token.kind == C_TOKEN_END)
            return true;
        if (token.kind == C_TOKEN_DIRECTIVE)
            conditionals_read(&conditionals, reader->file->text, token);
        if (!conditionals.is_alive)
            continue;
        if (token.kind == C_TOKEN_DIRECTIVE && !read_line_directive(reader, token) &&
            !read_include(reader, token))
            return false;
        const capture_macro *macro =
            token.kind == C_TOKEN_IDENTIFIER ? find_macro(&lexer, token) : NULL;
        if (macro && !read_capture(reader, macro, token, &lexer))
            return false;
    }
}

static reader start(arena *arena, const source_file *file, diagnostics *diagnostics,
    realigner *realigner, const capture **out_captures)
{
    *out_captures = NULL;
    return (reader){
        .arena = arena,
        .diagnostics = diagnostics,
        .file = file,
        .shown_file = file->name,
        .line = 1,
        .link = out_captures,
        .realigner = realigner,
    };
}

bool captures_read_files(arena *arena, const source_file *file, diagnostics *diagnostics,
    const capture **out_captures, const source_file *const **out_files, size_t *out_num_files)
{
    realigner realigner = {.arena = arena};
    size_t errors = diagnostics->num_errors;
    reader reader = start(arena, file, diagnostics, &realigner, out_captures);
    bool is_read = read_file(&reader);
    *out_files = reader.seen;
    *out_num_files = reader.num_seen;
    return is_read && diagnostics->num_errors == errors;
}

bool captures_read(
    arena *arena, const source_file *file, diagnostics *diagnostics, const capture **out_captures)
{
    const source_file *const *files;
    size_t num_files;
    return captures_read_files(arena, file, diagnostics, out_captures, &files, &num_files);
}

const capture *captures_scan(arena *arena, const source_file *file)
{
    const capture *captures;
    reader reader = start(arena, file, NULL, NULL, &captures);
    read_file(&reader);
    return captures;
}
