/* base/c_lexer.h: texts beside the tokens they hold, and that no text ends a token outside of it.
 */
#include "base/c_lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_TOKENS = 16, RANDOM_TEXTS = 20000, LONGEST_RANDOM_TEXT = 40 };

/* A letter a token: Identifier, Number, String, Character, Punctuator, Directive. */
static const char kind_letters[] = {
    [C_TOKEN_END] = '.',
    [C_TOKEN_IDENTIFIER] = 'I',
    [C_TOKEN_NUMBER] = 'N',
    [C_TOKEN_STRING] = 'S',
    [C_TOKEN_CHARACTER] = 'C',
    [C_TOKEN_PUNCTUATOR] = 'P',
    [C_TOKEN_DIRECTIVE] = 'D',
};

typedef struct lexer_case {
    const char *text;
    const char *kinds;
    const char *tokens[MOST_TOKENS];
} lexer_case;

static const lexer_case cases[] = {
    {"", "", {0}},
    {" \t\r\n\v\f", "", {0}},
    {"a _b $c d9", "IIII", {"a", "_b", "$c", "d9"}},
    {"caf\xc3\xa9 x", "II", {"caf\xc3\xa9", "x"}},
    {"1 0x1fUL 1.5e+3f .5 1e-9 0x1p-3 1'0", "NNNNNNNC",
        {"1", "0x1fUL", "1.5e+3f", ".5", "1e-9", "0x1p-3", "1", "'0"}},
    {"1+2", "NPN", {"1", "+", "2"}},
    {"0xe+1", "N", {"0xe+1"}}, /* one preprocessing number, as in C */
    {"a.b ...", "IPIPPP", {"a", ".", "b", ".", ".", "."}},
    {"x<<=1", "IPPPN", {"x", "<", "<", "=", "1"}},
    {"\"a\" \"\\\"\" \"\\\\\" u8\"x\"", "SSSIS", {"\"a\"", "\"\\\"\"", "\"\\\\\"", "u8", "\"x\""}},
    {"'a' '\\'' L'x'", "CCIC", {"'a'", "'\\''", "L", "'x'"}},
    {"\"/* no comment */\" x", "SI", {"\"/* no comment */\"", "x"}},
    {"\"// no comment\" x", "SI", {"\"// no comment\"", "x"}},
    {"'//' x", "CI", {"'//'", "x"}},
    {"\"(\" ')'", "SC", {"\"(\"", "')'"}},
    /* Unterminated: to the end of the line, or of the text. */
    {"\"abc\nx", "SI", {"\"abc", "x"}},
    {"'abc\nx", "CI", {"'abc", "x"}},
    {"\"abc", "S", {"\"abc"}},
    {"\"abc\\", "S", {"\"abc\\"}},
    {"a /* b", "I", {"a"}},
    {"a /*", "I", {"a"}},
    {"a /", "IP", {"a", "/"}},
    /* Comments and splices are white space. */
    {"a/* b */c", "II", {"a", "c"}},
    {"a/**/c", "II", {"a", "c"}},
    {"a/*/ b */c", "II", {"a", "c"}},
    {"a/* \" */c", "II", {"a", "c"}},
    {"a// b ' \"\nc", "II", {"a", "c"}},
    {"a// b \\\n still \nc", "II", {"a", "c"}},
    {"a// b \\\r\n still \r\nc", "II", {"a", "c"}},
    {"a \\\n b", "II", {"a", "b"}},
    {"a \\\r\n b", "II", {"a", "b"}},
    {"\"a\\\nb\" c", "SI", {"\"a\\\nb\"", "c"}},
    {"\"a\\\r\nb\" c", "SI", {"\"a\\\r\nb\"", "c"}},
    {"a \\ b", "IPI", {"a", "\\", "b"}},
    /* Directives: one token each, where they begin a line. */
    {"#define A 1\nx", "DI", {"#define A 1", "x"}},
    {"  # if B\nx", "DI", {"# if B", "x"}},
    {"/* c */ #if B\nx", "DI", {"#if B", "x"}},
    {"a # b", "IPI", {"a", "#", "b"}},
    {"a \\\n # b", "IPI", {"a", "#", "b"}},
    {"a \\\r\n # b", "IPI", {"a", "#", "b"}},
    {"#define A \\\n 1\nx", "DI", {"#define A \\\n 1", "x"}},
    {"#define A \\\r\n 1\r\nx", "DI", {"#define A \\\r\n 1\r", "x"}},
    {"#if B /* over\nlines */ x\ny", "DI", {"#if B /* over\nlines */ x", "y"}},
    {"#define A \"/*\"\nx /* c */", "DI", {"#define A \"/*\"", "x"}},
    {"#define A '\"'\nx", "DI", {"#define A '\"'", "x"}},
    {"#define A // see *.c/*.h\nx /* c */", "DI", {"#define A // see *.c/*.h", "x"}},
    {"#include <sys/types.h>\nx", "DI", {"#include <sys/types.h>", "x"}},
    {"#error don't /* c\nx */\ny", "DIPPI", {"#error don't /* c", "x", "*", "/", "y"}},
    {"#", "D", {"#"}},
};

static void check_case(const lexer_case *each)
{
    size_t length = strlen(each->text);
    c_lexer lexer = teeny_lexer_start(each->text, 0, length);
    char kinds[MOST_TOKENS + 1] = "";
    for (size_t i = 0; i < MOST_TOKENS; i++) {
        c_token token = teeny_lexer_next(&lexer);
        if (token.kind == C_TOKEN_END) {
            assert_int_equal(token.begin, length);
            break;
        }
        kinds[i] = kind_letters[token.kind];
        if (each->tokens[i] && !teeny_token_is(&lexer, token, each->tokens[i]))
            fail_msg("token %zu of <%s> is <%.*s>, not <%s>", i, each->text,
                (int)(token.end - token.begin), each->text + token.begin, each->tokens[i]);
    }
    if (strcmp(kinds, each->kinds) != 0)
        fail_msg("<%s> is %s, not %s", each->text, kinds, each->kinds);
}

static void test_tokens(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
}

static void test_part_of_a_text(void **state)
{
    (void)state;
    const char *text = "one (two, three) four";
    c_lexer lexer = teeny_lexer_start(text, 5, 15);
    assert_true(teeny_token_is(&lexer, teeny_lexer_next(&lexer), "two"));
    assert_true(teeny_token_is(&lexer, teeny_lexer_next(&lexer), ","));
    assert_true(teeny_token_is(&lexer, teeny_lexer_next(&lexer), "three"));
    assert_int_equal(teeny_lexer_next(&lexer).kind, C_TOKEN_END);
    assert_int_equal(teeny_lexer_next(&lexer).kind, C_TOKEN_END);
}

static void test_end_cuts_tokens(void **state)
{
    (void)state;
    const char *text = "/* a */ \"string\" #define x\\\n";
    for (size_t end = 0; end <= strlen(text); end++) {
        c_lexer lexer = teeny_lexer_start(text, 0, end);
        for (c_token token = {0}; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;)
            assert_true(token.begin < token.end && token.end <= end);
    }
}

static void test_spelling(void **state)
{
    (void)state;
    const char *text = "META METAL";
    c_lexer lexer = teeny_lexer_start(text, 0, strlen(text));
    c_token first = teeny_lexer_next(&lexer), second = teeny_lexer_next(&lexer);
    assert_true(teeny_token_is(&lexer, first, "META"));
    assert_false(teeny_token_is(&lexer, first, "MET"));
    assert_false(teeny_token_is(&lexer, first, "METAL"));
    assert_false(teeny_token_is(&lexer, second, "META"));
}

/* Characters that mean something to the lexer, in any order: it ends, moves on with each token, and
 * stays inside. The text fills its block, so that a sanitizer sees a read behind it. */
static void test_any_text_ends(void **state)
{
    (void)state;
    static const char alphabet[] = "\"'\\/*#\n\r \tab0.e+-(),<\x80\xff";
    const char *seed = getenv("LEXER_SEED");
    uint64_t random = seed ? strtoull(seed, NULL, 0) : 1;
    print_message("LEXER_SEED=%llu\n", (unsigned long long)random);
    for (int i = 0; i < RANDOM_TEXTS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t length = (size_t)(random >> 33) % LONGEST_RANDOM_TEXT;
        char *text = malloc(length ? length : 1);
        for (size_t at = 0; at < length; at++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[at] = alphabet[(random >> 33) % (sizeof alphabet - 1)];
        }
        c_lexer lexer = teeny_lexer_start(text, 0, length);
        size_t last = 0;
        for (c_token token = {0}; (token = teeny_lexer_next(&lexer)).kind != C_TOKEN_END;) {
            assert_true(token.begin >= last && token.begin < token.end && token.end <= length);
            last = token.end;
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_part_of_a_text),
        cmocka_unit_test(test_end_cuts_tokens),
        cmocka_unit_test(test_spelling),
        cmocka_unit_test(test_any_text_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
