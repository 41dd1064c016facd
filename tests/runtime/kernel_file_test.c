/* Kernels from text at run time: how they are found, read whole, launched, and given back. */
#include "support.h"

#include "base/string_builder.h"
#include "runtime/kernel_text.h"

#include <pthread.h>
#include <unistd.h>

/* Has the parameters of fake_kernel.c: the fake compiler looks at nothing else. */
static const char text[] =
    "#include <teeny/kernel.h>\n"
    "/* TEENY_KERNEL(comment, */\n"
    "#define TEENY_KERNEL_OF_MINE TEENY_KERNEL(macro, (f32 *x), META(), {})\n"
    "TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024), "
    "{});\n";
static const char two[] =
    "TEENY_KERNEL(first, (), META(), {});\nTEENY_KERNEL(\n  second, (), META(), {});";

struct arguments {
    float *out;
    const float *x, *y;
    int32_t n;
};

static teeny_device *device;
static teeny_stream *stream;

static int open_cpu(void **state)
{
    return support_open_cpu(state, &device, &stream);
}

static int close_cpu(void **state)
{
    return support_close_cpu(state, device, stream);
}

/* ---- Which kernel ---------------------------------------------------------------------------- */

static void expect_choice(const char *in, const char *name, const char *expected)
{
    const teeny_kernel *kernel;
    assert_ok(teeny_kernel_from_text(in, "a.c", name, &kernel));
    assert_string_equal(kernel->text.name, expected);
    teeny_kernel_release(kernel);
}

static void expect_refusal(const char *in, const char *name, const char *part)
{
    const teeny_kernel *kernel = NULL;
    assert_fails(teeny_kernel_from_text(in, "dir/a.c", name, &kernel), TEENY_KERNEL_INVALID);
    assert_string_equal(teeny_message(), part);
    assert_null(kernel);
}

static void test_choice(void **state)
{
    (void)state;
    expect_choice(text, NULL, "vector_add");
    expect_choice(text, "vector_add", "vector_add");
    expect_choice(two, "first", "first");
    expect_choice(two, "second", "second");
    expect_refusal(two, NULL, "dir/a.c: error: which kernel? It has: first, second");
    expect_refusal(
        two, "third", "dir/a.c: error: there is no kernel named 'third' here, but: first, second");
    expect_refusal(two, "firs",
        "dir/a.c: error: there is no kernel named 'firs' here, but: first, "
        "second");
    expect_refusal("int x;", NULL, "dir/a.c: error: no TEENY_KERNEL in this file");
    expect_refusal("", "x", "dir/a.c: error: no TEENY_KERNEL in this file");
    expect_refusal("TEENY_KERNEL(", NULL, "dir/a.c: error: no TEENY_KERNEL in this file");
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    const teeny_kernel *kernel;
    assert_fails(teeny_kernel_from_text(NULL, "a.c", NULL, &kernel), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_kernel_from_text(text, NULL, NULL, &kernel), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_kernel_from_text(text, "a.c", NULL, NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_kernel_from_file(NULL, NULL, &kernel), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_kernel_from_file("a.c", NULL, NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_kernel_from_file(support_path("none.c"), NULL, &kernel), TEENY_IO_FAILED);
    assert_contains(teeny_message(), "none.c: No such file or directory");
    assert_fails(teeny_kernel_from_file(support_directory(), NULL, &kernel), TEENY_IO_FAILED);
    FILE *file = fopen(support_path("zero.c"), "we");
    fwrite("a\0b", 1, 3, file);
    fclose(file);
    assert_fails(teeny_kernel_from_file(support_path("zero.c"), NULL, &kernel), TEENY_IO_FAILED);
    assert_contains(teeny_message(), "it is no text");
    teeny_kernel_release(NULL);
}

/* ---- The text -------------------------------------------------------------------------------- */

static void expect_whole(const char *in, const char *file, const char *expected)
{
    teeny_string whole;
    teeny_kernel_text_include(in, file, &whole);
    assert_false(whole.failed);
    assert_string_equal(teeny_string_text(&whole), expected);
    teeny_string_free(&whole);
}

static const char *format(const char *pattern)
{
    static teeny_string made;
    const char *at = support_directory();
    teeny_string_free(&made);
    teeny_string_format(&made, pattern, at, at, at, at);
    return teeny_string_text(&made);
}

static void test_includes(void **state)
{
    (void)state;
    expect_whole("a\n", "a.c", "#line 1 \"a.c\"\na\n");
    expect_whole("a", "q\"b\\.c", "#line 1 \"q\\\"b\\\\.c\"\na");
    expect_whole("#include \"none.h\"\n", "a.c", "#line 1 \"a.c\"\n#include \"none.h\"\n");
    expect_whole("#include <stdio.h>\n", "a.c", "#line 1 \"a.c\"\n#include <stdio.h>\n");
    support_write_file(support_path("b.h"), "b\n#include \"c.h\"\nb\n#include \"b.h\"\n");
    support_write_file(support_path("c.h"), "c");
    expect_whole("1\n/*\n*/ # include \"b.h\" /* why */\n4\n#include \"c.h\"\n6\n",
        support_path("a.c"),
        format("#line 1 \"%1$s/a.c\"\n1\n/*\n*/ "
               "#line 1 \"%1$s/b.h\"\nb\n#line 1 \"%1$s/c.h\"\nc\n#line 2 \"%1$s/b.h\"\n\nb\n"
               "\n#line 4 \"%1$s/b.h\"\n\n\n#line 3 \"%1$s/a.c\"\n\n4\n"
               "\n#line 5 \"%1$s/a.c\"\n\n6\n"));
}

/* ---- Any text -------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

/* Pieces that mean something to the reader, in any order: it answers, whatever it is given. */
static void test_any_text(void **state)
{
    (void)state;
    static const char *const pieces[] = {"TEENY_KERNEL", "(", "name", ",", ")", "#include \"b.h\"",
        "\n", "#", "include", "\"", "/*", "*/", "//", "\\", "\\\n", "'", "{", "0x1", " ", "\r\n",
        "#include \"", "b.h\"", "#line 3 \"x\"\n", "\xff"};
    uint32_t random = 20261130;
    support_write_file(support_path("b.h"), "#include \"b.h\"\nTEENY_KERNEL(b, (), META(), {});\n");
    for (int round = 0; round < 20000; round++) {
        teeny_string made = {0};
        const teeny_kernel *kernel;
        for (unsigned i = next_random(&random) % 24; i > 0; i--)
            teeny_string_add(
                &made, pieces[next_random(&random) % (sizeof pieces / sizeof *pieces)]);
        teeny_status status =
            teeny_kernel_from_text(teeny_string_text(&made), support_path("a.c"), NULL, &kernel);
        if (status == TEENY_OK)
            teeny_kernel_release(kernel);
        else if (status != TEENY_KERNEL_INVALID)
            fail_msg("round %d: %s", round, teeny_message());
        teeny_string_free(&made);
    }
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* As a program has it that knows a file's kernel by a header: no record is linked to it. */
TEENY_KERNEL_DECLARE(
    vector_add, (float *out, const float *x, const float *y, int32_t n), META(BLOCK = 1024));

static void launch(const teeny_kernel *kernel, teeny_function *function)
{
    float out[4] = {0}, x[4] = {1, 2, 3, 4}, y[4] = {10, 20, 30, 40};
    struct arguments arguments = {out, x, y, 4};
    if (function)
        assert_ok(
            TEENY_LAUNCH_FUNCTION(vector_add, function, stream, teeny_grid1(1), out, x, y, 4));
    else
        assert_ok(teeny_launch(stream, kernel, teeny_grid1(1), &arguments, sizeof arguments));
    assert_ok(teeny_stream_synchronize(stream));
    for (int i = 0; i < 4; i++)
        assert_true(out[i] == 11 * (float)(i + 1));
}

static void check_name(const teeny_hook_record *record, void *user)
{
    (*(unsigned *)user)++;
    assert_string_equal(record->kernel, "vector_add");
}

static void test_launches(void **state)
{
    (void)state;
    const teeny_kernel *kernel;
    teeny_function *function;
    teeny_options options = {.num_warps = 2};
    support_write_file(support_path("kernels.c"), text);
    assert_ok(teeny_kernel_from_file(support_path("kernels.c"), NULL, &kernel));
    launch(kernel, NULL);
    launch(kernel, NULL);
    assert_int_equal(support_compilations(), 1);
    assert_ok(teeny_load(device, kernel, &options, &function));
    assert_fails(teeny_launch(stream, kernel, teeny_grid1(1), &options, 8), TEENY_INVALID_ARGUMENT);
    assert_contains(
        teeny_message(), "the packed arguments are 8 bytes; the kernel's parameters take 32");
    teeny_kernel_release(kernel); /* the function lives on, and with it the kernel's name */
    unsigned heard = 0;
    teeny_hook hook = {.kinds = TEENY_HOOK_LAUNCH, .function = check_name, .user = &heard};
    teeny_hook_registration *registration;
    assert_ok(teeny_hook_register(&hook, &registration));
    launch(NULL, function);
    teeny_hook_unregister(registration);
    assert_int_equal(heard, 2);
    teeny_unload(function);
}

static void test_the_text_is_the_key(void **state)
{
    (void)state;
    const teeny_kernel *kernel;
    teeny_artifact *artifact;
    for (int i = 0; i < 3; i++) {
        teeny_string changed = {0};
        teeny_string_format(&changed, "%s%s", text, i == 2 ? "// more" : "");
        assert_ok(teeny_kernel_from_text(changed.data, "a.c", NULL, &kernel));
        assert_ok(teeny_compile_kernel(kernel, "cpu", NULL, &artifact));
        assert_int_equal(teeny_artifact_hit(artifact), i == 1);
        teeny_artifact_destroy(artifact);
        teeny_kernel_release(kernel);
        teeny_string_free(&changed);
    }
}

static void test_parameters(void **state)
{
    (void)state;
    const teeny_kernel *kernel;
    teeny_artifact *artifact;
    teeny_parameter parameter;
    assert_ok(teeny_kernel_from_text(text, "a.c", NULL, &kernel));
    assert_ok(teeny_compile_kernel(kernel, "cpu", NULL, &artifact));
    assert_int_equal(teeny_artifact_parameter_count(artifact), 4);
    assert_int_equal(teeny_artifact_arguments_size(artifact), 32);
    assert_ok(teeny_artifact_parameter(artifact, 1, &parameter));
    assert_string_equal(parameter.name, "x");
    assert_string_equal(parameter.kind, "pointer");
    assert_string_equal(parameter.element, "f32");
    assert_int_equal(parameter.offset, 8);
    assert_int_equal(parameter.bytes, 8);
    assert_ok(teeny_artifact_parameter(artifact, 3, &parameter));
    assert_string_equal(parameter.name, "n");
    assert_string_equal(parameter.kind, "i32");
    assert_string_equal(parameter.element, "");
    assert_fails(teeny_artifact_parameter(artifact, 4, &parameter), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_artifact_parameter(artifact, 0, NULL), TEENY_INVALID_ARGUMENT);
    teeny_artifact_destroy(artifact);
    teeny_kernel_release(kernel);
}

/* ---- Threads --------------------------------------------------------------------------------- */

static void *read_and_release(void *unused)
{
    bool good = true;
    (void)unused;
    for (int i = 0; i < 20; i++) {
        const teeny_kernel *kernel;
        teeny_function *function;
        teeny_options options = {0};
        good &= teeny_kernel_from_text(text, "a.c", NULL, &kernel) == TEENY_OK;
        good &= teeny_load(device, kernel, i % 2 ? &options : NULL, &function) == TEENY_OK;
        teeny_kernel_release(kernel);
        teeny_unload(function);
    }
    return good ? &device : NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_and_release, NULL), 0);
    for (int i = 0; i < 8; i++) {
        void *good;
        pthread_join(threads[i], &good);
        assert_non_null(good);
    }
    assert_int_equal(support_compilations(), 1);
}

#define CPU_TEST(test) cmocka_unit_test_setup_teardown(test, open_cpu, close_cpu)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_choice),
        SUPPORT_TEST(test_wrong_arguments),
        SUPPORT_TEST(test_includes),
        SUPPORT_TEST(test_any_text),
        CPU_TEST(test_launches),
        SUPPORT_TEST(test_the_text_is_the_key),
        SUPPORT_TEST(test_parameters),
        CPU_TEST(test_threads),
    };
    return cmocka_run_group_tests_name("kernel_file", tests, NULL, NULL);
}
