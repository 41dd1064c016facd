/* Which captured pieces a kernel reaches, and the file that they become. */
#include "runtime/text.h"

#include "kernels.h"
#include "support.h"

static const char unit_a, unit_b;

/* A module of at most 8 pieces; `add` fills it. */
static teeny_text pieces[8];
static const teeny_text *listed[8];
static size_t count;

static teeny_text *add(teeny_text_kind kind, const void *unit, const char *name, const char *body)
{
    static const teeny_text empty = {.version = TEENY_DESCRIPTOR_VERSION,
        .file = "kernels.c",
        .name = "",
        .result = "",
        .parameters = "",
        .meta = "",
        .body = ""};
    teeny_text *piece = &pieces[count];
    *piece = empty;
    piece->kind = kind;
    piece->unit = unit;
    piece->name = name;
    piece->body = body;
    piece->order = (uint32_t)count;
    piece->line = 10 * ((uint32_t)count + 1);
    if (kind == TEENY_TEXT_DEVICE) {
        piece->result = "f32";
        piece->parameters = "(f32 x)";
    }
    listed[count++] = piece;
    return piece;
}

static int start(void **state)
{
    (void)state;
    count = 0;
    return 0;
}

/* A kernel in unit a, whose module is all pieces added. The caller frees nothing: the text is kept
 * until the next call. */
static teeny_status gather(const char *body, const char **out_source)
{
    static teeny_string source;
    teeny_string_free(&source);
    teeny_kernel kernel = {.arguments_size = 8};
    kernel.text = *add(TEENY_TEXT_KERNEL, &unit_a, "k", body);
    listed[count - 1] = &kernel.text;
    kernel.text.parameters = "(f32 *out)";
    kernel.text.meta = "BLOCK = 64";
    kernel.text.module_begin = listed;
    kernel.text.module_end = listed + count;
    teeny_status status = teeny_text_gather(&kernel, &source);
    *out_source = teeny_string_text(&source);
    return status;
}

#define HEAD "/* teeny source 1 */\n#include <teeny/kernel.h>\n"

static void test_kernel_alone(void **state)
{
    (void)state;
    const char *source;
    assert_ok(gather("{ tl_store(out, 0, 1.0f); }", &source));
    assert_string_equal(source,
        HEAD "#line 10 \"kernels.c\"\n"
             "TEENY_KERNEL(k, (f32 *out), META(BLOCK = 64), { tl_store(out, 0, 1.0f); });\n");
}

static void test_what_is_reached_comes_in_source_order(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DECL, &unit_a, "", "enum { TILE = 64 };");
    add(TEENY_TEXT_TYPE, &unit_a, "T", "f16");
    add(TEENY_TEXT_DEVICE, &unit_a, "unused", "{ return x; }");
    add(TEENY_TEXT_DEVICE, &unit_a, "inner", "{ return x * TILE; }");
    add(TEENY_TEXT_DEVICE, &unit_a, "outer", "{ return inner(x); }");
    assert_ok(gather("{ T t; outer(1); }", &source));
    assert_string_equal(source,
        HEAD "#line 10 \"kernels.c\"\nTEENY_DECL(enum { TILE = 64 };);\n"
             "#line 20 \"kernels.c\"\nTEENY_TYPE(T, f16);\n"
             "#line 40 \"kernels.c\"\nTEENY_DEVICE(f32, inner, (f32 x), { return x * TILE; });\n"
             "#line 50 \"kernels.c\"\nTEENY_DEVICE(f32, outer, (f32 x), { return inner(x); });\n"
             "#line 60 \"kernels.c\"\nTEENY_KERNEL(k, (f32 *out), META(BLOCK = 64), "
             "{ T t; outer(1); });\n");
}

static void test_parameters_and_results_reach_types(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DECL, &unit_a, "", "typedef struct { i32 at; } place;");
    add(TEENY_TEXT_DEVICE, &unit_a, "find", "{ return 0; }")->result = "place";
    assert_ok(gather("{ find(1); }", &source));
    assert_contains(source, "TEENY_DECL(typedef struct { i32 at; } place;);");
}

static void test_words_of_the_language_reach_nothing(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DECL, &unit_a, "", "typedef struct { i32 first; } pair;");
    assert_ok(gather("{ i32 second; struct s; /* pair */ tl_print(\"pair\"); }", &source));
    assert_null(strstr(source, "typedef"));
}

static void test_recursion_ends(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DEVICE, &unit_a, "ping", "{ return pong(x); }");
    add(TEENY_TEXT_DEVICE, &unit_a, "pong", "{ return ping(x); }");
    assert_ok(gather("{ ping(1); }", &source));
    assert_contains(source, "pong, (f32 x)");
}

static void test_own_unit_comes_before_others(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DEVICE, &unit_b, "twice", "{ return x + x; }");
    add(TEENY_TEXT_DEVICE, &unit_a, "twice", "{ return 2 * x; }");
    assert_ok(gather("{ twice(1); }", &source));
    assert_contains(source, "{ return 2 * x; }");
    assert_null(strstr(source, "x + x"));
}

static void test_helper_of_another_unit_brings_its_own(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DECL, &unit_a, "", "enum { OWN = 1 };");
    add(TEENY_TEXT_DECL, &unit_b, "", "enum { SIZE = 8, n };");
    add(TEENY_TEXT_DEVICE, &unit_b, "twice", "{ return x * SIZE; }");
    assert_ok(gather("{ i32 n = OWN; twice(1); }", &source));
    const char *size = strstr(source, "SIZE = 8"), *own = strstr(source, "OWN = 1");
    assert_non_null(size);
    assert_non_null(own);
    assert_true(size < own);
}

static void test_declaration_of_another_unit_is_not_reached_by_a_common_word(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DECL, &unit_b, "", "typedef struct { i32 n; } other;");
    assert_ok(gather("{ i32 n = 0; }", &source));
    assert_null(strstr(source, "other"));
}

static void test_equal_texts_are_one(void **state)
{
    (void)state;
    const char *source;
    static const char unit_c;
    add(TEENY_TEXT_DEVICE, &unit_b, "twice", "{ return x + x; }");
    add(TEENY_TEXT_DEVICE, &unit_c, "twice", "{ return x + x; }");
    assert_ok(gather("{ twice(1); }", &source));
    const char *first = strstr(source, "TEENY_DEVICE");
    assert_non_null(first);
    assert_null(strstr(first + 1, "TEENY_DEVICE"));
}

static void test_two_texts_of_one_name_are_an_error(void **state)
{
    (void)state;
    const char *source;
    static const char unit_c;
    add(TEENY_TEXT_DEVICE, &unit_b, "twice", "{ return x + x; }")->file = "b.c";
    add(TEENY_TEXT_DEVICE, &unit_c, "twice", "{ return 2 * x; }")->file = "c.c";
    assert_fails(gather("{ twice(1); }", &source), TEENY_KERNEL_INVALID);
    assert_contains(teeny_message(), "two different texts of `twice`");
    assert_contains(teeny_message(), "b.c:10");
    assert_contains(teeny_message(), "c.c:20");
}

static void test_file_names_are_escaped(void **state)
{
    (void)state;
    const char *source;
    add(TEENY_TEXT_DEVICE, &unit_a, "twice", "{ return x; }")->file = "a \"b\"\\c.h";
    pieces[0].line = 0;
    assert_ok(gather("{ twice(1); }", &source));
    assert_contains(source, "#line 1 \"a \\\"b\\\"\\\\c.h\"\n");
}

static void test_other_versions_are_refused(void **state)
{
    (void)state;
    teeny_kernel kernel = {.text = *add(TEENY_TEXT_KERNEL, &unit_a, "k", "{}")};
    assert_ok(teeny_text_check(&kernel));
    kernel.text.version = TEENY_DESCRIPTOR_VERSION + 1;
    assert_fails(teeny_text_check(&kernel), TEENY_INVALID_ARGUMENT);
    kernel.text.version = TEENY_DESCRIPTOR_VERSION;
    kernel.text.kind = TEENY_TEXT_DEVICE;
    assert_fails(teeny_text_check(&kernel), TEENY_INVALID_ARGUMENT);
}

static void test_captured_kernel(void **state)
{
    (void)state;
    teeny_string source = {0};
    assert_ok(teeny_text_gather(&teeny_kernel_vector_add, &source));
    assert_contains(source.data, "TEENY_KERNEL(vector_add, (f32");
    assert_contains(source.data, "META(BLOCK = 1024), { tl_tile(i32, BLOCK) i =");
    assert_contains(source.data, "kernels.h\"\n");
    assert_null(strstr(source.data, "half"));
    teeny_string_free(&source);
}

#define TEXT_TEST(test) cmocka_unit_test_setup(test, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEXT_TEST(test_kernel_alone),
        TEXT_TEST(test_what_is_reached_comes_in_source_order),
        TEXT_TEST(test_parameters_and_results_reach_types),
        TEXT_TEST(test_words_of_the_language_reach_nothing),
        TEXT_TEST(test_recursion_ends),
        TEXT_TEST(test_own_unit_comes_before_others),
        TEXT_TEST(test_helper_of_another_unit_brings_its_own),
        TEXT_TEST(test_declaration_of_another_unit_is_not_reached_by_a_common_word),
        TEXT_TEST(test_equal_texts_are_one),
        TEXT_TEST(test_two_texts_of_one_name_are_an_error),
        TEXT_TEST(test_file_names_are_escaped),
        TEXT_TEST(test_other_versions_are_refused),
        TEXT_TEST(test_captured_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
