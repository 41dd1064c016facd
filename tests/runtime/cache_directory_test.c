/* The cache directory: what it may be, and what is done where it is not. */
#include "kernels.h"
#include "support.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static teeny_status compile(teeny_artifact **out_artifact)
{
    return teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, out_artifact);
}

static void expect_unsafe(const char *part)
{
    teeny_artifact *artifact = NULL;
    assert_fails(compile(&artifact), TEENY_CACHE_UNSAFE);
    assert_null(artifact);
    assert_contains(teeny_message(), part);
    assert_int_equal(support_compilations(), 0);
}

/* Compiles twice, the second time with no entry either; the files are there while it lasts. */
static void expect_uncached(const char *warning)
{
    char path[1024] = "";
    for (int i = 0; i < 2; i++) {
        teeny_artifact *artifact;
        assert_ok(compile(&artifact));
        assert_false(teeny_artifact_cached(artifact));
        assert_false(teeny_artifact_hit(artifact));
        snprintf(path, sizeof path, "%s", teeny_artifact_path(artifact));
        assert_int_equal(access(path, R_OK), 0);
        teeny_artifact_destroy(artifact);
        assert_int_equal(access(path, F_OK), -1);
    }
    assert_contains(support_log(), warning);
    const char *second = strstr(strstr(support_log(), "cannot be used") + 1, "cannot be used");
    assert_null(second);
}

static void test_is_made_private(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    struct stat status;
    umask(0);
    setenv("TEENYC_CACHE_DIR", support_path("deep/down/cache"), 1);
    assert_ok(compile(&artifact));
    assert_true(teeny_artifact_cached(artifact));
    assert_int_equal(stat(support_path("deep/down/cache"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    teeny_artifact_destroy(artifact);
    umask(022);
}

static void test_relative_path_becomes_absolute(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    assert_int_equal(chdir(support_directory()), 0);
    setenv("TEENYC_CACHE_DIR", "relative", 1);
    assert_ok(compile(&artifact));
    assert_memory_equal(
        teeny_artifact_path(artifact), support_path("relative"), strlen(support_path("relative")));
    teeny_artifact_destroy(artifact);
    assert_int_equal(chdir("/"), 0);
}

static void test_readable_by_others_is_fine(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    assert_int_equal(mkdir(support_path("cache"), 0755), 0);
    assert_ok(compile(&artifact));
    assert_true(teeny_artifact_cached(artifact));
    teeny_artifact_destroy(artifact);
}

static void test_writable_by_others_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(support_path("cache"), 0700), 0);
    assert_int_equal(chmod(support_path("cache"), 0777), 0);
    expect_unsafe("mode 0777");
    assert_int_equal(chmod(support_path("cache"), 0720), 0);
    expect_unsafe("mode 0720");
    assert_int_equal(chmod(support_path("cache"), 01702), 0);
    expect_unsafe("mode 1702");
}

static void test_symbolic_link_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(support_path("real"), 0700), 0);
    assert_int_equal(symlink("real", support_path("cache")), 0);
    expect_unsafe("is a symbolic link");
    assert_int_equal(unlink(support_path("cache")), 0);
    assert_int_equal(symlink("nowhere", support_path("cache")), 0);
    expect_unsafe("is a symbolic link");
}

static void test_file_is_refused(void **state)
{
    (void)state;
    support_write_file(support_path("cache"), "");
    assert_int_equal(chmod(support_path("cache"), 0600), 0);
    expect_unsafe("is not a directory");
}

static void compile_in_foreign_directory(void)
{
    expect_unsafe("belongs to user 0");
}

static void test_foreign_directory_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(support_path("cache"), 0755), 0);
    assert_int_equal(chmod(support_directory(), 0755), 0);
    support_as_nobody(compile_in_foreign_directory);
}

/* The default name is somebody else's: the uid is appended. The machine's own directory of that
 * name is left alone, which takes a /tmp of the test's own. */
static void compile_with_default_name(void)
{
    teeny_artifact *artifact;
    char expected[64];
    unsetenv("TEENYC_CACHE_DIR");
    /* Nothing compiled yet is no error: nobody asked for another directory. */
    assert_int_equal(system("said=$('" TEENY_COMMAND_PATH "' cache list) && test \"$said\" = "
                            "\"there is no directory /tmp/teenyc_cache-$(id -u) yet: "
                            "no kernel was compiled\""),
        0);
    assert_ok(compile(&artifact));
    snprintf(expected, sizeof expected, "/tmp/teenyc_cache-%u/", (unsigned)geteuid());
    assert_memory_equal(teeny_artifact_path(artifact), expected, strlen(expected));
    teeny_artifact_destroy(artifact);
    snprintf(expected, sizeof expected, "/tmp/teenyc_cache-%u", (unsigned)geteuid());
    support_remove(expected);
}

static void test_default_name_of_somebody_else(void **state)
{
    (void)state;
    struct stat status;
    if (geteuid() != 0)
        support_skip("becoming another user needs root");
    bool made = mkdir("/tmp/teenyc_cache", 0700) == 0;
    if (lstat("/tmp/teenyc_cache", &status) < 0 || status.st_uid != 0)
        support_skip("/tmp/teenyc_cache is another user's already");
    chmod(support_directory(), 0777);
    support_as_nobody(compile_with_default_name);
    if (made)
        rmdir("/tmp/teenyc_cache");
}

static void compile_with_unreadable_directory(void)
{
    assert_int_equal(mkdir(support_path("mine"), 0700), 0);
    setenv("TEENYC_CACHE_DIR", support_path("mine/cache"), 1);
    assert_int_equal(mkdir(support_path("mine/cache"), 0300), 0);
    expect_uncached("cannot be used: Permission denied");
}

static void test_unreadable_directory_costs_a_warning(void **state)
{
    (void)state;
    assert_int_equal(chmod(support_directory(), 0777), 0);
    support_as_nobody(compile_with_unreadable_directory);
}

/* Hits still work; what is missing is compiled each time, with one warning. */
static void compile_in_read_only_directory(void)
{
    teeny_artifact *artifact;
    teeny_options options = {.meta = {{"BLOCK", 64}}};
    assert_int_equal(mkdir(support_path("mine"), 0700), 0);
    setenv("TEENYC_CACHE_DIR", support_path("mine/cache"), 1);
    assert_ok(compile(&artifact));
    teeny_artifact_destroy(artifact);
    assert_int_equal(system("chmod -R a-w $TEENYC_CACHE_DIR"), 0);
    for (int i = 0; i < 2; i++) {
        assert_ok(compile(&artifact));
        assert_true(teeny_artifact_hit(artifact));
        teeny_artifact_destroy(artifact);
        assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &artifact));
        assert_false(teeny_artifact_cached(artifact));
        teeny_artifact_destroy(artifact);
    }
    const char *warning = strstr(support_log(), "cannot be used: Permission denied");
    assert_non_null(warning);
    assert_null(strstr(warning + 1, "cannot be used"));
    assert_int_equal(system("chmod -R u+w $TEENYC_CACHE_DIR"), 0);
}

static void test_read_only_directory_still_gives_hits(void **state)
{
    (void)state;
    assert_int_equal(chmod(support_directory(), 0777), 0);
    support_as_nobody(compile_in_read_only_directory);
}

static void compile_without_parent(void)
{
    setenv("TEENYC_CACHE_DIR", "/proc/nowhere/cache", 1);
    expect_uncached("/proc/nowhere/cache cannot be used");
}

static void test_directory_that_cannot_be_made_costs_a_warning(void **state)
{
    (void)state;
    compile_without_parent();
}

static void mount_small(const char *options)
{
    assert_int_equal(mkdir(support_path("cache"), 0700), 0);
    if (mount("tmpfs", support_path("cache"), "tmpfs", 0, options) < 0)
        support_skip("mounting a small file system needs more rights");
}

static void fill_up(void)
{
    FILE *file = fopen(support_path("cache/ballast"), "w");
    for (int i = 0; file && i < 32; i++) {
        static const char block[1024];
        fwrite(block, 1, sizeof block, file);
        fflush(file);
    }
    if (file)
        fclose(file);
}

static void test_full_disk_costs_a_warning(void **state)
{
    (void)state;
    mount_small("size=16k,mode=0700");
    fill_up();
    expect_uncached("No space left on device");
    /* Nothing half-written is left behind. */
    char command[1024];
    snprintf(command, sizeof command, "test -z \"$(find '%s' -name '.teeny-*')\"",
        support_path("cache"));
    int left = system(command);
    umount2(support_path("cache"), MNT_DETACH);
    assert_int_equal(left, 0);
}

static void test_read_only_disk_still_gives_hits(void **state)
{
    (void)state;
    teeny_artifact *artifact;
    mount_small("size=1m,mode=0700");
    assert_ok(compile(&artifact));
    assert_true(teeny_artifact_cached(artifact));
    teeny_artifact_destroy(artifact);
    assert_int_equal(mount(NULL, support_path("cache"), NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    teeny_status hit = compile(&artifact);
    bool was_hit = hit == TEENY_OK && teeny_artifact_hit(artifact);
    if (hit == TEENY_OK)
        teeny_artifact_destroy(artifact);
    teeny_options options = {.meta = {{"BLOCK", 64}}};
    teeny_status miss = teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", &options, &artifact);
    bool was_cached = miss == TEENY_OK && teeny_artifact_cached(artifact);
    if (miss == TEENY_OK)
        teeny_artifact_destroy(artifact);
    umount2(support_path("cache"), MNT_DETACH);
    assert_true(was_hit);
    assert_int_equal(miss, TEENY_OK);
    assert_false(was_cached);
    assert_contains(support_log(), "Read-only file system");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_is_made_private),
        SUPPORT_TEST(test_relative_path_becomes_absolute),
        SUPPORT_TEST(test_readable_by_others_is_fine),
        SUPPORT_TEST(test_writable_by_others_is_refused),
        SUPPORT_TEST(test_symbolic_link_is_refused),
        SUPPORT_TEST(test_file_is_refused),
        SUPPORT_TEST(test_foreign_directory_is_refused),
        SUPPORT_TEST(test_default_name_of_somebody_else),
        SUPPORT_TEST(test_unreadable_directory_costs_a_warning),
        SUPPORT_TEST(test_read_only_directory_still_gives_hits),
        SUPPORT_TEST(test_directory_that_cannot_be_made_costs_a_warning),
        SUPPORT_TEST(test_full_disk_costs_a_warning),
        SUPPORT_TEST(test_read_only_disk_still_gives_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
