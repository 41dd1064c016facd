/* See conditionals.h. */
#include "frontend/conditionals.h"

#include <string.h>

typedef enum truth { IS_FALSE, IS_TRUE, IS_UNKNOWN } truth;

typedef enum directive_kind { OPENS, ALTERS, CLOSES } directive_kind;

typedef truth condition_reader(c_lexer *lexer);

static bool is_last(c_lexer *lexer)
{
    return teeny_lexer_next(lexer).kind == C_TOKEN_END;
}

/* `0` or another plain number. */
static truth read_expression(c_lexer *lexer)
{
    c_token number = teeny_lexer_next(lexer);
    if (number.kind != C_TOKEN_NUMBER || !is_last(lexer))
        return IS_UNKNOWN;
    return teeny_token_is(lexer, number, "0") ? IS_FALSE : IS_TRUE;
}

static truth read_defined(c_lexer *lexer)
{
    c_token name = teeny_lexer_next(lexer);
    if (teeny_token_is(lexer, name, "TEENYC"))
        return IS_TRUE;
    return teeny_token_is(lexer, name, "__cplusplus") ? IS_FALSE : IS_UNKNOWN;
}

static truth read_undefined(c_lexer *lexer)
{
    truth defined = read_defined(lexer);
    return defined == IS_UNKNOWN ? IS_UNKNOWN : defined == IS_TRUE ? IS_FALSE : IS_TRUE;
}

static truth always(c_lexer *lexer)
{
    (void)lexer;
    return IS_TRUE;
}

static const struct {
    const char *word;
    directive_kind kind;
    condition_reader *read;
} directives[] = {
    {"if", OPENS, read_expression},
    {"ifdef", OPENS, read_defined},
    {"ifndef", OPENS, read_undefined},
    {"elif", ALTERS, read_expression},
    {"elifdef", ALTERS, read_defined},
    {"elifndef", ALTERS, read_undefined},
    {"else", ALTERS, always},
    {"endif", CLOSES, always},
};

static void enter(conditionals *conditionals, truth condition)
{
    if (conditionals->depth++ >= DEEPEST_CONDITIONAL)
        return;
    conditional *entered = &conditionals->open[conditionals->depth - 1];
    entered->was_alive = conditionals->is_alive;
    entered->is_settled = condition == IS_TRUE;
    conditionals->is_alive &= condition != IS_FALSE;
}

static void alter(conditionals *conditionals, truth condition)
{
    if (conditionals->depth == 0 || conditionals->depth > DEEPEST_CONDITIONAL)
        return;
    conditional *altered = &conditionals->open[conditionals->depth - 1];
    conditionals->is_alive = altered->was_alive && !altered->is_settled && condition != IS_FALSE;
    altered->is_settled |= condition == IS_TRUE;
}

static void leave(conditionals *conditionals)
{
    if (conditionals->depth == 0)
        return;
    if (--conditionals->depth < DEEPEST_CONDITIONAL)
        conditionals->is_alive = conditionals->open[conditionals->depth].was_alive;
}

void conditionals_read(conditionals *conditionals, const char *text, c_token directive)
{
    c_lexer lexer = teeny_lexer_start(text, directive.begin + 1, directive.end);
    lexer.at_line_start = false;
    c_token word = teeny_lexer_next(&lexer);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (!teeny_token_is(&lexer, word, directives[i].word))
            continue;
        truth condition = directives[i].read(&lexer);
        if (directives[i].kind == OPENS)
            enter(conditionals, condition);
        else if (directives[i].kind == ALTERS)
            alter(conditionals, condition);
        else
            leave(conditionals);
        return;
    }
}
