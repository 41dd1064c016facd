/* See capture_check.h. */
#include "frontend/capture_check.h"

#include <string.h>

#include "base/c_lexer.h"
#include "frontend/source.h"

typedef struct checker {
    arena *arena;
    diagnostics *diagnostics;
    const capture *capture;
    const char *macro;
} checker;

static const char *text_of(const checker *checker, c_token token)
{
    const char *text = checker->capture->whole.file->text;
    return arena_copy(checker->arena, text + token.begin, token.end - token.begin);
}

static diagnostic_place place_of(const checker *checker, c_token token)
{
    return source_slice_place(checker->capture->whole, token.begin);
}

/* A lexer behind the '#' of a directive. */
static c_lexer inside(const checker *checker, c_token directive)
{
    const char *text = checker->capture->whole.file->text;
    c_lexer lexer = teeny_lexer_start(text, directive.begin + 1, directive.end);
    lexer.at_line_start = false;
    return lexer;
}

static bool is_meta(const checker *checker, const char *name)
{
    source_slice meta = checker->capture->meta;
    if (!meta.file)
        return false;
    c_lexer lexer = teeny_lexer_start(meta.file->text, meta.begin, meta.end);
    bool is_named = false;
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
        if (is_named && teeny_token_is(&lexer, token, "="))
            return true;
        is_named = token.kind == C_TOKEN_IDENTIFIER && teeny_token_is(&lexer, token, name);
    }
    return false;
}

/* The preprocessor knows no META: it would take 0 for it. */
static void check_condition(const checker *checker, c_lexer lexer, const char *word)
{
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
        if (token.kind != C_TOKEN_IDENTIFIER)
            continue;
        const char *name = text_of(checker, token);
        if (is_meta(checker, name))
            diagnostics_error(
                checker->diagnostics, place_of(checker, token), META_IN_DIRECTIVE, name, word);
    }
}

/* C leaves directives inside a macro's arguments undefined; the host compilers agree on the
 * conditional ones, whose outcome is what they capture. */
static void check_directive(const checker *checker, c_token directive)
{
    static const struct {
        const char *word;
        bool has_condition;
    } allowed[] = {
        {"if", true},
        {"ifdef", true},
        {"ifndef", true},
        {"elif", true},
        {"elifdef", true},
        {"elifndef", true},
        {"else", false},
        {"endif", false},
        {"error", false},
    };
    c_lexer lexer = inside(checker, directive);
    c_token word = teeny_lexer_next(&lexer);
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        if (!teeny_token_is(&lexer, word, allowed[i].word))
            continue;
        if (allowed[i].has_condition)
            check_condition(checker, lexer, allowed[i].word);
        return;
    }
    diagnostics_error(
        checker->diagnostics, place_of(checker, directive), DIRECTIVE_INSIDE, checker->macro);
}

/* The operations' functions and their macros' variables: teeny_op_load, teeny_mask_. */
static bool is_own_name(const char *name, size_t length)
{
    static const char own[] = "teeny_", operation[] = "teeny_op_";
    return (length >= sizeof operation && strncmp(name, operation, sizeof operation - 1) == 0) ||
           (length >= sizeof own && strncmp(name, own, sizeof own - 1) == 0 &&
               name[length - 1] == '_');
}

void capture_check(
    arena *arena, diagnostics *diagnostics, const capture *capture, const char *macro)
{
    checker checker = {arena, diagnostics, capture, macro};
    source_slice whole = capture->whole;
    c_lexer lexer = teeny_lexer_start(whole.file->text, whole.begin, whole.end);
    for (c_token token; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
        if (token.kind == C_TOKEN_DIRECTIVE)
            check_directive(&checker, token);
        else if (teeny_token_is(&lexer, token, "_Pragma"))
            diagnostics_error(diagnostics, place_of(&checker, token), DIRECTIVE_INSIDE, macro);
        else if (token.kind == C_TOKEN_IDENTIFIER &&
                 is_own_name(whole.file->text + token.begin, token.end - token.begin))
            diagnostics_error(
                diagnostics, place_of(&checker, token), ENVIRONMENT_NAME, text_of(&checker, token));
    }
}
