/* See realign.h. */
#include "frontend/realign.h"

#include <stdlib.h>
#include <string.h>

#include "base/c_lexer.h"

static c_lexer lexer_of(source_slice slice)
{
    c_lexer lexer = teeny_lexer_start(slice.file->text, slice.begin, slice.end);
    lexer.at_line_start = false;
    return lexer;
}

static bool is_same_token(const c_lexer *a, c_token x, const c_lexer *b, c_token y)
{
    size_t length = x.end - x.begin;
    return x.kind == y.kind && length == y.end - y.begin &&
           memcmp(a->text + x.begin, b->text + y.begin, length) == 0;
}

static bool has_same_tokens(source_slice one, source_slice other)
{
    if (!one.file || !other.file)
        return one.file == other.file;
    c_lexer a = lexer_of(one), b = lexer_of(other);
    for (;;) {
        c_token x = teeny_lexer_next(&a), y = teeny_lexer_next(&b);
        if (!is_same_token(&a, x, &b, y))
            return false;
        if (x.kind == C_TOKEN_END)
            return true;
    }
}

static bool is_same_text(const capture *one, const capture *other)
{
    return one->kind == other->kind && strcmp(one->name, other->name) == 0 &&
           has_same_tokens(one->result, other->result) &&
           has_same_tokens(one->parameters, other->parameters) &&
           has_same_tokens(one->body, other->body);
}

static const capture *captures_of(realigner *realigner, const char *file_name)
{
    if (realigner->file_name && strcmp(realigner->file_name, file_name) == 0)
        return realigner->captures;
    const source_file *file = source_file_find(realigner->arena, file_name);
    realigner->file_name = file_name;
    realigner->captures = file ? captures_scan(realigner->arena, file) : NULL;
    return realigner->captures;
}

/* The compilers differ in which line of a macro __LINE__ is: of several equal texts the nearest. */
static unsigned distance(const capture *one, const capture *other)
{
    return (unsigned)labs((long)one->whole.line - (long)other->whole.line);
}

void realign_capture(realigner *realigner, capture *capture)
{
    if (strcmp(capture->whole.shown_file, capture->whole.file->name) == 0 ||
        strcmp(capture->whole.shown_file, "-") == 0)
        return;
    const struct capture *best = NULL;
    for (const struct capture *each = captures_of(realigner, capture->whole.shown_file); each;
        each = each->next)
        if (is_same_text(capture, each) &&
            (!best || distance(each, capture) < distance(best, capture)))
            best = each;
    if (!best)
        return;
    capture->whole = best->whole;
    capture->result = best->result;
    capture->parameters = best->parameters;
    capture->body = best->body;
}
