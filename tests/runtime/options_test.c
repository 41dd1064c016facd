/* Options: what they become on teenyc's command line, and which are refused before it runs. */
#include "kernels.h"
#include "support.h"

#include "runtime/options.h"
#include "runtime/request.h"

static void expect_arguments(const teeny_options *options, const char *expected)
{
    char **arguments;
    char joined[2048] = "";
    size_t count;
    assert_ok(teeny_options_arguments(options, "k", "sm_90", "ptx", NULL, &arguments, &count));
    for (size_t i = 0; i < count; i++) {
        strcat(joined, i ? " " : "");
        strcat(joined, arguments[i]);
    }
    assert_null(arguments[count]);
    assert_string_equal(joined, expected);
    teeny_arguments_free(arguments);
}

static void test_defaults(void **state)
{
    (void)state;
    const teeny_options options = {0};
    expect_arguments(&options, "--kernel k --target sm_90 --emit ttir,ptx,metadata");
}

static void test_everything(void **state)
{
    (void)state;
    const teeny_options options = {
        .num_warps = 8,
        .num_stages = 3,
        .ptx_version = "8.2",
        .keep = "ttgir,llir",
        .meta = {{"ZETA", -1}, {"BLOCK", 256}},
        .types = {{"T", "f16"}, {"A", "bf16"}},
    };
    expect_arguments(&options,
        "--kernel k --target sm_90 -D BLOCK=256 -D ZETA=-1 --type A=bf16 --type T=f16 "
        "--num-warps 8 --num-stages 3 --ptx-version 8.2 --emit ttir,ptx,metadata,ttgir,llir");
}

static void expect_refusal(teeny_options options, const char *part)
{
    char **arguments;
    size_t count;
    assert_fails(teeny_options_arguments(&options, "k", "sm_90", "ptx", NULL, &arguments, &count),
        TEENY_OPTION_INVALID);
    assert_contains(teeny_message(), part);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal((teeny_options){.num_warps = -4}, "num-warps is -4");
    expect_refusal((teeny_options){.num_stages = -1}, "num-stages is -1");
    expect_refusal((teeny_options){.ptx_version = "8.2 --emit x"}, "no version of PTX");
    expect_refusal((teeny_options){.ptx_version = ""}, "no version of PTX");
    expect_refusal((teeny_options){.keep = "../x"}, "no list of stages");
    expect_refusal((teeny_options){.meta = {{"BLOCK=1 -D X", 1}}}, "cannot be the name of a meta");
    expect_refusal((teeny_options){.meta = {{"", 1}}}, "cannot be the name of a meta");
    expect_refusal((teeny_options){.meta = {{"1A", 1}}}, "cannot be the name of a meta");
    expect_refusal((teeny_options){.meta = {{"A", 1}, {"B", 1}, {"A", 2}}}, "meta A is set twice");
    expect_refusal((teeny_options){.types = {{"T", NULL}}}, "type T is given no element type");
    expect_refusal((teeny_options){.types = {{"T", "f16,"}}}, "type T is given no element type");
    expect_refusal(
        (teeny_options){.types = {{"T", "f16"}, {"T", "f32"}}}, "type T is chosen twice");
}

static void test_all_the_metas_there_may_be(void **state)
{
    (void)state;
    static char names[TEENY_META_LIMIT][8];
    teeny_options options = {0};
    for (int i = 0; i < TEENY_META_LIMIT; i++) {
        snprintf(names[i], sizeof names[i], "M%d", i);
        options.meta[i] = (teeny_meta_value){names[i], i};
    }
    for (int i = 0; i < TEENY_TYPE_LIMIT; i++)
        options.types[i] = (teeny_type_choice){names[i], "f16"};
    options.num_warps = options.num_stages = 1;
    options.ptx_version = "8.0";
    options.keep = "llir";
    char **arguments;
    size_t count;
    assert_ok(teeny_options_arguments(&options, "k", "sm_90", "ptx", NULL, &arguments, &count));
    assert_int_equal(count, 12 + 2 * (TEENY_META_LIMIT + TEENY_TYPE_LIMIT));
    teeny_arguments_free(arguments);
}

static bool asks_for_debugger(const teeny_options *options, const char *target, const char *object)
{
    char **arguments;
    size_t count;
    bool asks = false;
    assert_ok(teeny_options_arguments(options, "k", target, object, NULL, &arguments, &count));
    for (size_t i = 0; i < count; i++)
        asks |= strcmp(arguments[i], "--debug") == 0;
    teeny_arguments_free(arguments);
    return asks;
}

/* By the option or by the variable; a GPU's code stays the same. */
static void test_debugger(void **state)
{
    (void)state;
    const teeny_options plain = {0}, debugged = {.debug = true};
    assert_false(asks_for_debugger(&plain, "cpu", "image"));
    assert_true(asks_for_debugger(&debugged, "cpu", "image"));
    assert_true(asks_for_debugger(&debugged, "emu", "image"));
    assert_false(asks_for_debugger(&debugged, "sm_90", "ptx"));
    setenv("TEENY_DEBUG", "1", 1);
    assert_true(asks_for_debugger(&plain, "cpu", "image"));
    setenv("TEENY_DEBUG", "0", 1);
    assert_false(asks_for_debugger(&plain, "cpu", "image"));
    unsetenv("TEENY_DEBUG");
}

static void test_targets(void **state)
{
    (void)state;
    const char *const unknown[] = {"", "sm_", "sm_x", "cpu2", "emu2", "gfx90a", "CPU"};
    teeny_artifact *artifact;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, unknown[i], NULL, &artifact),
            TEENY_UNKNOWN_TARGET);
    assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, NULL, NULL, &artifact),
        TEENY_UNKNOWN_TARGET);
    assert_int_equal(support_compilations(), 0);
}

/* Requests of all these options must have different keys. */
static void test_every_option_is_in_the_key(void **state)
{
    (void)state;
    const teeny_options options[] = {
        {0},
        {.num_warps = 4},
        {.num_stages = 4},
        {.ptx_version = "4"},
        {.keep = "llir"},
        {.meta = {{"A", 1}}},
        {.meta = {{"A", 2}}},
        {.meta = {{"B", 1}}},
        {.types = {{"A", "f16"}}},
        {.types = {{"A", "f32"}}},
    };
    enum { COUNT = sizeof options / sizeof options[0] };
    const char *const targets[] = {"cpu", "sm_80", "sm_90", "sm_90a"};
    teeny_checksum keys[COUNT * 4];
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < 4; j++) {
            teeny_request request;
            assert_ok(teeny_request_make(
                &teeny_kernel_vector_add, targets[j], &options[i], NULL, &request));
            keys[count++] = request.key;
            teeny_request_free(&request);
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(keys[i].text, keys[j].text);
}

static void test_order_of_metas_is_not_in_the_key(void **state)
{
    (void)state;
    const teeny_options one = {.meta = {{"A", 1}, {"B", 2}}}, two = {.meta = {{"B", 2}, {"A", 1}}};
    teeny_request first, second;
    assert_ok(teeny_request_make(&teeny_kernel_vector_add, "cpu", &one, NULL, &first));
    assert_ok(teeny_request_make(&teeny_kernel_vector_add, "cpu", &two, NULL, &second));
    assert_string_equal(first.key.text, second.key.text);
    teeny_request_free(&first);
    teeny_request_free(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_defaults),
        SUPPORT_TEST(test_everything),
        SUPPORT_TEST(test_refusals),
        SUPPORT_TEST(test_all_the_metas_there_may_be),
        SUPPORT_TEST(test_debugger),
        SUPPORT_TEST(test_targets),
        SUPPORT_TEST(test_every_option_is_in_the_key),
        SUPPORT_TEST(test_order_of_metas_is_not_in_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
