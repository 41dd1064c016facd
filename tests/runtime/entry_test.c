/* Cache entries: read back whole, and never when anything about them is off. */
#include "runtime/cache/entry.h"

#include "support.h"

#include "runtime/cache/manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEY "0123456789abcdef0123456789abcdef"
#define OTHER_KEY "ffffffffffffffffffffffffffffffff"

static teeny_bytes bytes_of(const char *text)
{
    return (teeny_bytes){strdup(text), strlen(text)};
}

static int open_directory(void)
{
    int directory = open(support_directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(directory >= 0);
    return directory;
}

static void publish(const char *text)
{
    teeny_entry entry = {0};
    int directory = open_directory();
    assert_true(teeny_entry_add(&entry, "k.ptx", bytes_of(text)));
    assert_true(teeny_entry_add(&entry, "k.metadata", bytes_of("metadata")));
    assert_int_equal(teeny_entry_publish(directory, "entry", KEY, &entry), 0);
    teeny_entry_free(&entry);
    close(directory);
}

static bool is_there(const char *key)
{
    teeny_entry entry;
    int directory = open_directory();
    bool found = teeny_entry_read(directory, "entry", key, &entry);
    if (found)
        teeny_entry_free(&entry);
    close(directory);
    return found;
}

static void expect_text(const char *text)
{
    teeny_entry entry;
    int directory = open_directory();
    assert_true(teeny_entry_read(directory, "entry", KEY, &entry));
    assert_int_equal(entry.count, 2);
    assert_string_equal(teeny_entry_find(&entry, "k.ptx")->data, text);
    assert_null(teeny_entry_find(&entry, "k.none"));
    teeny_entry_free(&entry);
    close(directory);
}

static int count_names(void)
{
    int count = 0;
    char command[1024];
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", support_directory());
    FILE *pipe = popen(command, "r");
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void test_published_entry_is_read_back(void **state)
{
    (void)state;
    assert_false(is_there(KEY));
    publish("text");
    expect_text("text");
    assert_false(is_there(OTHER_KEY));
    assert_int_equal(count_names(), 1);
    struct stat status;
    assert_int_equal(stat(support_path("entry"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
}

static void test_intact_entry_stays(void **state)
{
    (void)state;
    publish("first");
    publish("second");
    expect_text("first");
    assert_int_equal(count_names(), 1);
}

/* Flips one bit of one byte, checks, and flips it back. */
static void alter_each_byte(const char *name)
{
    int file = open(support_path(name), O_RDWR);
    assert_true(file >= 0);
    off_t size = lseek(file, 0, SEEK_END);
    for (off_t at = 0; at < size; at++) {
        unsigned char byte;
        assert_int_equal(pread(file, &byte, 1, at), 1);
        byte ^= 1U << at % 8;
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
        if (is_there(KEY))
            fail_msg("%s: byte %ld altered unnoticed", name, (long)at);
        byte ^= 1U << at % 8;
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
    }
    close(file);
    assert_true(is_there(KEY));
}

static void test_any_altered_byte_is_a_miss(void **state)
{
    (void)state;
    publish("some text that is long enough");
    alter_each_byte("entry/k.ptx");
    alter_each_byte("entry/k.metadata");
    alter_each_byte("entry/manifest");
}

static void truncate_to_each_size(const char *name)
{
    teeny_bytes whole;
    assert_int_equal(teeny_file_read(AT_FDCWD, support_path(name), 65536, &whole), 0);
    for (size_t size = 0; size < whole.size; size++) {
        assert_int_equal(truncate(support_path(name), (off_t)size), 0);
        assert_false(is_there(KEY));
        assert_int_equal(unlink(support_path(name)), 0);
        teeny_file_write(AT_FDCWD, support_path(name), whole.data, whole.size, false);
    }
    assert_true(is_there(KEY));
    teeny_bytes_free(&whole);
}

static void test_any_truncation_is_a_miss(void **state)
{
    (void)state;
    publish("some text");
    truncate_to_each_size("entry/k.ptx");
    truncate_to_each_size("entry/manifest");
}

static void test_missing_or_longer_file_is_a_miss(void **state)
{
    (void)state;
    publish("text");
    FILE *file = fopen(support_path("entry/k.ptx"), "a");
    fputc('x', file);
    fclose(file);
    assert_false(is_there(KEY));
    unlink(support_path("entry/k.ptx"));
    assert_false(is_there(KEY));
    unlink(support_path("entry/manifest"));
    assert_false(is_there(KEY));
}

static void test_linked_or_open_entry_is_a_miss(void **state)
{
    (void)state;
    publish("text");
    assert_int_equal(chmod(support_path("entry"), 0770), 0);
    assert_false(is_there(KEY));
    assert_int_equal(chmod(support_path("entry"), 0700), 0);
    assert_true(is_there(KEY));
    assert_int_equal(rename(support_path("entry/k.ptx"), support_path("elsewhere")), 0);
    assert_int_equal(symlink("../elsewhere", support_path("entry/k.ptx")), 0);
    assert_false(is_there(KEY));
    assert_int_equal(rename(support_path("elsewhere"), support_path("entry/k.ptx")), 0);
    assert_int_equal(rename(support_path("entry"), support_path("real")), 0);
    assert_int_equal(symlink("real", support_path("entry")), 0);
    assert_false(is_there(KEY));
}

/* Something else in a file's place is as bad as altered bytes. */
static void test_what_is_no_file_is_damage(void **state)
{
    (void)state;
    teeny_entry entry;
    publish("text");
    int directory = open_directory();
    assert_int_equal(unlink(support_path("entry/k.ptx")), 0);
    assert_int_equal(mkdir(support_path("entry/k.ptx"), 0700), 0);
    assert_int_equal(teeny_entry_examine(directory, "entry", KEY, &entry), TEENY_ENTRY_DAMAGED);
    assert_int_equal(rmdir(support_path("entry/k.ptx")), 0);
    assert_int_equal(mkfifo(support_path("entry/k.ptx"), 0600), 0);
    assert_int_equal(teeny_entry_examine(directory, "entry", KEY, &entry), TEENY_ENTRY_DAMAGED);
    close(directory);
}

static void test_damaged_entry_is_replaced(void **state)
{
    (void)state;
    publish("first");
    assert_int_equal(truncate(support_path("entry/k.ptx"), 1), 0);
    publish("second");
    expect_text("second");
    assert_int_equal(count_names(), 1);
}

static void test_anything_in_the_way_is_replaced(void **state)
{
    (void)state;
    support_write_file(support_path("entry"), "a file where the entry belongs");
    publish("text");
    expect_text("text");
    assert_int_equal(count_names(), 1);
}

/* The file may just have been moved away by another process. */
static void damage(const char *name)
{
    int file = open(support_path(name), O_WRONLY | O_TRUNC);
    if (file >= 0)
        close(file);
}

static void publish_and_read(void)
{
    for (int i = 0; i < 20; i++) {
        publish("the same");
        if (i % 4 == 3)
            damage("entry/k.ptx");
    }
}

/* Whatever they do to each other, no process ever reads something else than what was written. */
static void test_processes_race_on_one_entry(void **state)
{
    (void)state;
    pid_t children[4];
    fflush(NULL);
    for (int i = 0; i < 4; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            setenv("CMOCKA_TEST_ABORT", "1", 1);
            publish_and_read();
            _exit(0);
        }
    }
    for (int i = 0; i < 200; i++) {
        teeny_entry entry;
        int directory = open_directory();
        if (teeny_entry_read(directory, "entry", KEY, &entry)) {
            assert_string_equal(teeny_entry_find(&entry, "k.ptx")->data, "the same");
            teeny_entry_free(&entry);
        }
        close(directory);
    }
    for (int i = 0; i < 4; i++) {
        int status;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    publish("the same");
    expect_text("the same");
    assert_int_equal(count_names(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_published_entry_is_read_back),
        SUPPORT_TEST(test_intact_entry_stays),
        SUPPORT_TEST(test_any_altered_byte_is_a_miss),
        SUPPORT_TEST(test_any_truncation_is_a_miss),
        SUPPORT_TEST(test_missing_or_longer_file_is_a_miss),
        SUPPORT_TEST(test_linked_or_open_entry_is_a_miss),
        SUPPORT_TEST(test_what_is_no_file_is_damage),
        SUPPORT_TEST(test_damaged_entry_is_replaced),
        SUPPORT_TEST(test_anything_in_the_way_is_replaced),
        SUPPORT_TEST(test_processes_race_on_one_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
