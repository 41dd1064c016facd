/* Files and directories: what is followed, what is left behind. */
#include "base/files.h"

#include "support.h"

#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static void test_write_and_read_back(void **state)
{
    (void)state;
    const char *path = support_path("file");
    teeny_bytes bytes;
    assert_int_equal(teeny_file_write(AT_FDCWD, path, "a\0b", 3, true), 0);
    assert_int_equal(teeny_file_read(AT_FDCWD, path, 3, &bytes), 0);
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "a\0b\0", 4);
    teeny_bytes_free(&bytes);
    assert_int_equal(teeny_file_read(AT_FDCWD, path, 2, &bytes), EFBIG);
    assert_int_equal(teeny_file_write(AT_FDCWD, path, "x", 1, false), EEXIST);
}

static void test_only_regular_files_are_read(void **state)
{
    (void)state;
    teeny_bytes bytes;
    assert_int_equal(mkfifo(support_path("fifo"), 0600), 0);
    assert_int_equal(teeny_file_read(AT_FDCWD, support_path("fifo"), 10, &bytes), EINVAL);
    assert_int_equal(teeny_file_read(AT_FDCWD, "/dev/null", 10, &bytes), EINVAL);
    assert_int_equal(teeny_file_read(AT_FDCWD, support_directory(), 10, &bytes), EISDIR);
    support_write_file(support_path("file"), "text");
    assert_int_equal(symlink("file", support_path("link")), 0);
    assert_int_equal(teeny_file_read(AT_FDCWD, support_path("link"), 10, &bytes), ELOOP);
    assert_int_equal(teeny_file_read_named(support_path("link"), 10, &bytes), 0);
    assert_string_equal(bytes.data, "text");
    teeny_bytes_free(&bytes);
    assert_int_equal(teeny_file_read_named(support_directory(), 10, &bytes), EISDIR);
    assert_int_equal(teeny_file_read(AT_FDCWD, support_path("none"), 10, &bytes), ENOENT);
}

static void test_remove_tree_does_not_follow_links(void **state)
{
    (void)state;
    support_write_file(support_path("kept"), "text");
    assert_int_equal(mkdir(support_path("tree"), 0700), 0);
    assert_int_equal(mkdir(support_path("tree/deep"), 0700), 0);
    support_write_file(support_path("tree/deep/file"), "text");
    assert_int_equal(symlink(support_directory(), support_path("tree/link")), 0);
    assert_int_equal(teeny_remove_tree(AT_FDCWD, support_path("tree")), 0);
    assert_int_equal(access(support_path("tree"), F_OK), -1);
    assert_int_equal(access(support_path("kept"), F_OK), 0);
    assert_int_equal(teeny_remove_tree(AT_FDCWD, support_path("tree")), 0);
}

static void grow_old(const char *name)
{
    const struct utimbuf long_ago = {1000, 1000};
    assert_int_equal(utime(support_path(name), &long_ago), 0);
}

/* Who works in a directory is told from who died in it by the lock, not by the time. */
static void test_stale_temporaries_go_and_others_stay(void **state)
{
    (void)state;
    teeny_temporary stale, fresh, busy;
    int directory = open(support_directory(), O_RDONLY | O_DIRECTORY);
    assert_int_equal(teeny_temporary_make(directory, &stale), 0);
    assert_int_equal(teeny_temporary_make(directory, &fresh), 0);
    assert_int_equal(teeny_temporary_make(directory, &busy), 0);
    assert_int_equal(mkdir(support_path("other"), 0700), 0);
    grow_old(stale.name);
    grow_old(busy.name);
    grow_old("other");
    close(stale.directory);
    close(fresh.directory);
    assert_int_equal(teeny_temporary_remove_stale(directory), 1);
    assert_int_equal(access(support_path(stale.name), F_OK), -1);
    assert_int_equal(access(support_path(fresh.name), F_OK), 0);
    assert_int_equal(access(support_path(busy.name), F_OK), 0);
    assert_int_equal(access(support_path("other"), F_OK), 0);
    teeny_temporary_remove(directory, &busy);
    assert_int_equal(access(support_path(busy.name), F_OK), -1);
    close(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_write_and_read_back),
        SUPPORT_TEST(test_only_regular_files_are_read),
        SUPPORT_TEST(test_remove_tree_does_not_follow_links),
        SUPPORT_TEST(test_stale_temporaries_go_and_others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
