/* Which teenyc is taken, and what is said where there is none or more than one. */
#include "runtime/compiler.h"

#include "support.h"

#include <sys/stat.h>
#include <unistd.h>

static void expect_found(const char *path)
{
    char *found = NULL;
    assert_ok(teeny_compiler_find(&found));
    assert_string_equal(found, path);
    free(found);
}

static void expect_failure(teeny_status status, const char *part)
{
    char *found = NULL;
    assert_fails(teeny_compiler_find(&found), status);
    assert_null(found);
    assert_contains(teeny_message(), part);
}

/* No TEENYC_PATH, a PATH of the test's own, and a HOME without toolchains. */
static int setup(void **state)
{
    int failed = support_setup(state);
    unsetenv("TEENYC_PATH");
    setenv("PATH", "/bin:/usr/bin", 1);
    return failed;
}

static const char *install_toolchain(const char *name)
{
    char relative[256];
    snprintf(relative, sizeof relative, ".local/share/teeny/toolchains/%s/bin/teenyc", name);
    const char *path = support_path(relative);
    support_install_fake(path);
    return path;
}

static void test_configured_path_wins(void **state)
{
    (void)state;
    install_toolchain("teenyc-1");
    setenv("TEENYC_PATH", FAKE_TEENYC_PATH, 1);
    expect_found(FAKE_TEENYC_PATH);
}

static void test_configured_path_that_is_wrong_is_an_error(void **state)
{
    (void)state;
    install_toolchain("teenyc-1");
    setenv("TEENYC_PATH", "/nonexistent/teenyc", 1);
    expect_failure(TEENY_COMPILER_NOT_FOUND, "/nonexistent/teenyc, which is not there");
    assert_int_equal(symlink("loop", support_path("loop")), 0);
    setenv("TEENYC_PATH", support_path("loop"), 1);
    expect_failure(TEENY_COMPILER_NOT_FOUND, "/loop, which is a loop of symbolic links");
    setenv("TEENYC_PATH", support_directory(), 1);
    expect_failure(TEENY_COMPILER_NOT_FOUND, ", which is a directory, not an executable file");
    support_write_file(support_path("text"), "text");
    setenv("TEENYC_PATH", support_path("text"), 1);
    expect_failure(TEENY_COMPILER_NOT_FOUND, "/text, which is not an executable file");
}

static void test_only_toolchain_is_taken(void **state)
{
    (void)state;
    const char *path = install_toolchain("my-teenyc-0.1");
    support_install_fake(support_path(".local/share/teeny/toolchains/other/bin/teenyc"));
    support_install_fake(support_path("bin/teenyc"));
    setenv("PATH", support_path("bin"), 1);
    expect_found(path);
}

static void test_data_directory_of_the_environment(void **state)
{
    (void)state;
    const char *path = support_path("data/teeny/toolchains/teenyc/bin/teenyc");
    support_install_fake(path);
    setenv("XDG_DATA_HOME", support_path("data"), 1);
    expect_found(path);
}

static void test_several_toolchains_are_an_error_that_lists_them(void **state)
{
    (void)state;
    install_toolchain("teenyc-1");
    install_toolchain("teenyc-2");
    expect_failure(TEENY_COMPILER_AMBIGUOUS, "there are 2 toolchains");
    assert_contains(teeny_message(), "toolchains/teenyc-1/bin/teenyc");
    assert_contains(teeny_message(), "toolchains/teenyc-2/bin/teenyc");
    assert_contains(teeny_message(), "TEENYC_PATH");
}

static void test_toolchain_without_program_is_listed(void **state)
{
    (void)state;
    const char *path = install_toolchain("teenyc-1");
    assert_int_equal(chmod(path, 0600), 0);
    expect_failure(
        TEENY_COMPILER_NOT_FOUND, "toolchains/teenyc-1/bin/teenyc: not an executable file");
}

static void test_path_is_searched_last(void **state)
{
    (void)state;
    char path[2048];
    support_install_fake(support_path("bin/teenyc"));
    snprintf(path, sizeof path, "/bin::relative:%s:/usr/bin", support_path("bin"));
    setenv("PATH", path, 1);
    expect_found(support_path("bin/teenyc"));
}

static void test_relative_parts_of_path_are_passed_over(void **state)
{
    (void)state;
    support_install_fake(support_path("teenyc"));
    assert_int_equal(chdir(support_directory()), 0);
    setenv("PATH", ":.:", 1);
    expect_failure(TEENY_COMPILER_NOT_FOUND, "no teenyc was found");
    assert_int_equal(chdir("/"), 0);
}

static void test_none_is_an_error_that_lists_the_places(void **state)
{
    (void)state;
    expect_failure(TEENY_COMPILER_NOT_FOUND, "no teenyc was found");
    assert_contains(teeny_message(), "/lib/teeny/toolchains");
    assert_contains(teeny_message(), support_path(".local/share/teeny/toolchains"));
    assert_contains(teeny_message(), "PATH, which is /bin:/usr/bin");
    assert_contains(teeny_message(), "set TEENYC_PATH");
    assert_int_equal(system("mkdir -p ~/.local/share/teeny/toolchains/gcc"), 0);
    expect_failure(TEENY_COMPILER_NOT_FOUND, "nothing with `teenyc` in its name");
}

#define FIND_TEST(test) cmocka_unit_test_setup_teardown(test, setup, support_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIND_TEST(test_configured_path_wins),
        FIND_TEST(test_configured_path_that_is_wrong_is_an_error),
        FIND_TEST(test_only_toolchain_is_taken),
        FIND_TEST(test_data_directory_of_the_environment),
        FIND_TEST(test_several_toolchains_are_an_error_that_lists_them),
        FIND_TEST(test_toolchain_without_program_is_listed),
        FIND_TEST(test_path_is_searched_last),
        FIND_TEST(test_relative_parts_of_path_are_passed_over),
        FIND_TEST(test_none_is_an_error_that_lists_the_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
