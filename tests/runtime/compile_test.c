/* teeny_compile_kernel: hits, misses, which build an entry is of, and life without a compiler. */
#include "kernels.h"
#include "support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static teeny_artifact *compile(const char *target, const teeny_options *options)
{
    teeny_artifact *artifact = NULL;
    assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, target, options, &artifact));
    return artifact;
}

/* Compiles, and tells whether it was a hit. */
static bool hits(const char *target, const teeny_options *options)
{
    teeny_artifact *artifact = compile(target, options);
    bool hit = teeny_artifact_hit(artifact);
    assert_true(teeny_artifact_cached(artifact));
    assert_int_equal(access(teeny_artifact_path(artifact), R_OK), 0);
    teeny_artifact_destroy(artifact);
    return hit;
}

static void test_second_time_is_a_hit(void **state)
{
    (void)state;
    assert_false(hits("sm_90", NULL));
    assert_true(hits("sm_90", NULL));
    assert_false(hits("cpu", NULL));
    assert_true(hits("cpu", NULL));
    assert_int_equal(support_compilations(), 2);
    const teeny_options options = {.meta = {{"BLOCK", 64}}};
    assert_false(hits("cpu", &options));
    assert_true(hits("cpu", &options));
}

static void test_artifact_says_what_it_is(void **state)
{
    (void)state;
    const teeny_options options = {.meta = {{"BLOCK", 256}}, .keep = "ttgir"};
    teeny_artifact *artifact = compile("sm_90", &options);
    int64_t value = 0;
    const char *path = teeny_artifact_path(artifact);
    assert_string_equal(path + strlen(path) - strlen("/vector_add.ptx"), "/vector_add.ptx");
    assert_memory_equal(path, support_path("cache/0123456789abcdef/"),
        strlen(support_path("cache/0123456789abcdef/")));
    const char *const stages[] = {"source", "ttir", "ttgir", "ptx", "metadata"};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        assert_int_equal(access(teeny_artifact_stage(artifact, stages[i]), R_OK), 0);
    assert_null(teeny_artifact_stage(artifact, "llir"));
    assert_contains(teeny_artifact_metadata(artifact), "teeny metadata 1\nkernel = vector_add\n");
    assert_ok(teeny_artifact_meta(artifact, "BLOCK", &value));
    assert_int_equal(value, 256);
    assert_fails(teeny_artifact_meta(artifact, "BLOKC", &value), TEENY_OPTION_INVALID);
    assert_contains(teeny_message(), "has no meta BLOKC; it has: BLOCK");
    teeny_artifact_destroy(artifact);
}

static void test_null_arguments(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    assert_fails(teeny_compile_kernel(NULL, "cpu", NULL, &artifact), TEENY_INVALID_ARGUMENT);
    assert_fails(
        teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, NULL), TEENY_INVALID_ARGUMENT);
    teeny_artifact_destroy(NULL);
}

static void test_text_decides(void **state)
{
    (void)state;
    teeny_kernel changed = teeny_kernel_vector_add;
    teeny_artifact *artifact;
    assert_false(hits("cpu", NULL));
    changed.text.body = "{ /* something else */ }";
    assert_ok(teeny_compile_kernel(&changed, "cpu", NULL, &artifact));
    assert_false(teeny_artifact_hit(artifact));
    teeny_artifact_destroy(artifact);
    assert_int_equal(support_compilations(), 2);
}

static void test_arguments_of_another_size_are_refused(void **state)
{
    (void)state;
    teeny_kernel changed = teeny_kernel_vector_add;
    teeny_artifact *artifact;
    changed.arguments_size = 40;
    assert_fails(teeny_compile_kernel(&changed, "cpu", NULL, &artifact), TEENY_COMPILER_FAILED);
    assert_contains(teeny_message(), "are 32 bytes to it and 40 to this program");
}

static void alter(const char *path)
{
    int file = open(path, O_RDWR);
    char byte;
    assert_int_equal(pread(file, &byte, 1, 20), 1);
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, 20), 1);
    close(file);
}

static void test_damaged_entry_is_compiled_again(void **state)
{
    (void)state;
    const char *const stages[] = {"image", "metadata", "ttir", "source"};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        teeny_artifact *artifact = compile("cpu", NULL);
        if (strcmp(stages[i], "ttir") == 0)
            assert_int_equal(truncate(teeny_artifact_stage(artifact, stages[i]), 3), 0);
        else
            alter(teeny_artifact_stage(artifact, stages[i]));
        teeny_artifact_destroy(artifact);
        assert_false(hits("cpu", NULL));
        assert_true(hits("cpu", NULL));
    }
}

static void test_entries_belong_to_a_build(void **state)
{
    (void)state;
    support_install_build("one", "aaaa");
    assert_false(hits("cpu", NULL));
    support_install_build("two", "bbbb");
    assert_false(hits("cpu", NULL));
    setenv("TEENYC_PATH", support_path("one"), 1);
    assert_true(hits("cpu", NULL));
    assert_int_equal(access(support_path("cache/aaaa"), F_OK), 0);
    assert_int_equal(access(support_path("cache/bbbb"), F_OK), 0);
}

static void test_compiler_that_changed_is_asked_again(void **state)
{
    (void)state;
    support_install_build("teenyc", "aaaa");
    assert_false(hits("cpu", NULL));
    const struct utimbuf earlier = {1000000000, 1000000000};
    assert_int_equal(utime(support_path("teenyc"), &earlier), 0);
    setenv("FAKE_BUILD", "bbbb", 1);
    assert_false(hits("cpu", NULL));
    assert_int_equal(access(support_path("cache/bbbb"), F_OK), 0);
}

static void hit_only(void)
{
    assert_true(hits("cpu", NULL));
}

/* The program is replaced by one that fails, with the same size and time: nothing runs it. */
static void test_hit_starts_no_process(void **state)
{
    (void)state;
    struct stat status;
    char command[2048];
    support_install_build("teenyc", "aaaa");
    const struct utimbuf fixed = {1000000000, 1000000000};
    assert_int_equal(utime(support_path("teenyc"), &fixed), 0);
    assert_false(hits("cpu", NULL));
    assert_int_equal(stat(support_path("teenyc"), &status), 0);
    snprintf(command, sizeof command, "printf '#!/bin/false' | dd of='%s' conv=notrunc status=none",
        support_path("teenyc"));
    assert_int_equal(system(command), 0);
    assert_int_equal(utime(support_path("teenyc"), &fixed), 0);
    support_in_child(hit_only);
    assert_true(hits("cpu", NULL));
    assert_int_equal(support_compilations(), 1);
}

static void test_without_compiler_the_newest_entry_is_taken(void **state)
{
    (void)state;
    support_install_build("one", "bbbb");
    assert_false(hits("cpu", NULL));
    support_install_build("two", "aaaa");
    assert_false(hits("cpu", NULL));
    unsetenv("TEENYC_PATH");
    setenv("PATH", "/bin", 1);
    teeny_artifact *artifact = compile("cpu", NULL);
    assert_true(teeny_artifact_hit(artifact));
    assert_contains(teeny_artifact_path(artifact), "/cache/aaaa/");
    alter(teeny_artifact_path(artifact));
    teeny_artifact_destroy(artifact);
    artifact = compile("cpu", NULL);
    assert_contains(teeny_artifact_path(artifact), "/cache/bbbb/");
    alter(teeny_artifact_path(artifact));
    teeny_artifact_destroy(artifact);
    assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact),
        TEENY_COMPILER_NOT_FOUND);
}

/* What is meant is one teenyc; the cache has what another one made. */
static void test_a_compiler_that_is_named_wrongly_is_an_error_even_with_an_entry(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    static const char *const wrong[] = {"/nonexistent/teenyc", "/etc/passwd", "/"};
    assert_false(hits("cpu", NULL));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        setenv("TEENYC_PATH", wrong[i], 1);
        assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact),
            TEENY_COMPILER_NOT_FOUND);
        assert_contains(teeny_message(), wrong[i]);
        setenv("TEENY_NO_COMPILE", "1", 1); /* none is used */
        assert_true(hits("cpu", NULL));
        unsetenv("TEENY_NO_COMPILE");
    }
}

static void test_without_compiler_and_entry(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    unsetenv("TEENYC_PATH");
    setenv("PATH", "/bin", 1);
    assert_fails(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact),
        TEENY_COMPILER_NOT_FOUND);
    assert_contains(teeny_message(), "kernel `vector_add` is not in the cache");
    assert_contains(teeny_message(), support_path("cache"));
    assert_contains(teeny_message(), "no teenyc was found");
}

static void test_nothing_is_left_in_the_temporary_directory(void **state)
{
    (void)state;
    assert_int_equal(mkdir(support_path("tmp"), 0700), 0);
    setenv("TMPDIR", support_path("tmp"), 1);
    assert_false(hits("cpu", NULL));
    assert_int_equal(rmdir(support_path("tmp")), 0);
}

/* Where the compiler's files went is told; they are in /tmp or in /dev/shm, whatever there is. */
static void test_a_temporary_directory_that_cannot_be_used(void **state)
{
    (void)state;
    setenv("TMPDIR", support_path("none"), 1);
    assert_false(hits("cpu", NULL));
    assert_contains(support_log(), "/none`, which is full, or cannot be written to");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_second_time_is_a_hit),
        SUPPORT_TEST(test_artifact_says_what_it_is),
        SUPPORT_TEST(test_null_arguments),
        SUPPORT_TEST(test_text_decides),
        SUPPORT_TEST(test_arguments_of_another_size_are_refused),
        SUPPORT_TEST(test_damaged_entry_is_compiled_again),
        SUPPORT_TEST(test_entries_belong_to_a_build),
        SUPPORT_TEST(test_compiler_that_changed_is_asked_again),
        SUPPORT_TEST(test_hit_starts_no_process),
        SUPPORT_TEST(test_without_compiler_the_newest_entry_is_taken),
        SUPPORT_TEST(test_a_compiler_that_is_named_wrongly_is_an_error_even_with_an_entry),
        SUPPORT_TEST(test_without_compiler_and_entry),
        SUPPORT_TEST(test_nothing_is_left_in_the_temporary_directory),
        SUPPORT_TEST(test_a_temporary_directory_that_cannot_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
