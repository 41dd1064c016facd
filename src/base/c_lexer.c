/* The lexer of c_lexer.h. */
#include "base/c_lexer.h"

#include <string.h>

c_lexer teeny_lexer_start(const char *text, size_t begin, size_t end)
{
    return (c_lexer){.text = text, .length = end, .at = begin, .at_line_start = true};
}

static char peek(const c_lexer *lexer, size_t ahead)
{
    size_t at = lexer->at + ahead;
    return at < lexer->length ? lexer->text[at] : '\0';
}

static bool is_identifier_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

/* The characters of the line splice that stands here, 0 where none does. */
static size_t splice_length(const c_lexer *lexer)
{
    if (peek(lexer, 0) != '\\')
        return 0;
    if (peek(lexer, 1) == '\n')
        return 2;
    return peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3 : 0;
}

static void skip_line_comment(c_lexer *lexer)
{
    while (lexer->at < lexer->length && peek(lexer, 0) != '\n') {
        size_t splice = splice_length(lexer);
        lexer->at += splice ? splice : 1;
    }
}

static void skip_block_comment(c_lexer *lexer)
{
    lexer->at += 2;
    while (lexer->at < lexer->length && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
        lexer->at++;
    lexer->at += lexer->at < lexer->length ? 2 : 0;
}

static void skip_space(c_lexer *lexer)
{
    while (lexer->at < lexer->length) {
        char c = peek(lexer, 0);
        if (is_space(c)) {
            lexer->at_line_start |= c == '\n';
            lexer->at++;
        } else if (splice_length(lexer)) {
            lexer->at += splice_length(lexer);
        } else if (c == '/' && peek(lexer, 1) == '/') {
            skip_line_comment(lexer);
        } else if (c == '/' && peek(lexer, 1) == '*') {
            skip_block_comment(lexer);
        } else {
            return;
        }
    }
}

static void scan_literal(c_lexer *lexer, char quote)
{
    lexer->at++;
    while (lexer->at < lexer->length && peek(lexer, 0) != quote && peek(lexer, 0) != '\n') {
        size_t splice = splice_length(lexer);
        lexer->at += splice ? splice : peek(lexer, 0) == '\\' && peek(lexer, 1) ? 2 : 1;
    }
    lexer->at += peek(lexer, 0) == quote ? 1 : 0;
}

/* To the end of the line, over splices and comments. What looks like a comment inside a literal is
 * none; a single quote alone, as in `#error don't`, is a literal to the end of its line. */
static void scan_directive(c_lexer *lexer)
{
    while (lexer->at < lexer->length && peek(lexer, 0) != '\n') {
        char c = peek(lexer, 0), next = peek(lexer, 1);
        if (splice_length(lexer))
            lexer->at += splice_length(lexer);
        else if (c == '/' && next == '*')
            skip_block_comment(lexer);
        else if (c == '/' && next == '/')
            skip_line_comment(lexer);
        else if (c == '"' || c == '\'')
            scan_literal(lexer, c);
        else
            lexer->at++;
    }
}

static void scan_identifier(c_lexer *lexer)
{
    while (is_identifier_start(peek(lexer, 0)) || is_digit(peek(lexer, 0)))
        lexer->at++;
}

static void scan_number(c_lexer *lexer)
{
    for (char last = '\0';; last = peek(lexer, 0), lexer->at++) {
        char c = peek(lexer, 0);
        bool is_exponent_sign = (c == '+' || c == '-') && last && strchr("eEpP", last);
        if (!is_identifier_start(c) && !is_digit(c) && c != '.' && !is_exponent_sign)
            return;
    }
}

c_token teeny_lexer_next(c_lexer *lexer)
{
    skip_space(lexer);
    c_token token = {.kind = C_TOKEN_PUNCTUATOR, .begin = lexer->at, .end = lexer->at};
    bool at_line_start = lexer->at_line_start;
    lexer->at_line_start = false;
    char c = peek(lexer, 0);
    if (lexer->at >= lexer->length) {
        token.kind = C_TOKEN_END;
        return token;
    }
    if (c == '#' && at_line_start) {
        token.kind = C_TOKEN_DIRECTIVE;
        scan_directive(lexer);
    } else if (is_identifier_start(c)) {
        token.kind = C_TOKEN_IDENTIFIER;
        scan_identifier(lexer);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
        token.kind = C_TOKEN_NUMBER;
        scan_number(lexer);
    } else if (c == '"' || c == '\'') {
        token.kind = c == '"' ? C_TOKEN_STRING : C_TOKEN_CHARACTER;
        scan_literal(lexer, c);
    } else {
        lexer->at++;
    }
    if (lexer->at > lexer->length)
        lexer->at = lexer->length;
    token.end = lexer->at;
    return token;
}

bool teeny_token_is(const c_lexer *lexer, c_token token, const char *spelling)
{
    size_t length = token.end - token.begin;
    return strlen(spelling) == length && memcmp(lexer->text + token.begin, spelling, length) == 0;
}
