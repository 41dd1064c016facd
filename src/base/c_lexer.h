/* C's tokens, as far as finding and comparing captured text needs them.
 *
 * Comments and line splices are white space; a preprocessor directive is one token, to the end of
 * its logical line. Numbers are preprocessing numbers. Nothing is allocated, nothing fails: an
 * unterminated literal or comment ends at the end of its line or of the text.
 */
#ifndef TEENY_BASE_C_LEXER_H
#define TEENY_BASE_C_LEXER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum c_token_kind {
    C_TOKEN_END,
    C_TOKEN_IDENTIFIER,
    C_TOKEN_NUMBER,
    C_TOKEN_STRING,
    C_TOKEN_CHARACTER,
    C_TOKEN_PUNCTUATOR, /* one character: `<<=` is three tokens, which compares as well */
    C_TOKEN_DIRECTIVE,
} c_token_kind;

typedef struct c_token {
    c_token_kind kind;
    size_t begin, end; /* offsets into the text */
} c_token;

typedef struct c_lexer {
    const char *text;
    size_t length;
    size_t at;
    bool at_line_start; /* only white space since the last newline: `#` begins a directive */
} c_lexer;

/* Starts at `begin`, which must not be inside a token; `end` is the first offset not looked at. */
c_lexer teeny_lexer_start(const char *text, size_t begin, size_t end);

c_token teeny_lexer_next(c_lexer *lexer);

/* Whether the token's text is `spelling`. */
bool teeny_token_is(const c_lexer *lexer, c_token token, const char *spelling);

#endif
