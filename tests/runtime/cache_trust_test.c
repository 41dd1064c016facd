/* What others could have written is never used, at any level: the cache, a compiler's level, an
 * entry, a file. And what is altered, at whatever byte of whatever file, is never used either.
 *
 * cache_directory_test.c has the cache's own directory in detail.
 */
#include "kernels.h"
#include "support.h"

#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEVEL "cache/0123456789abcdef"

static bool compile(void)
{
    teeny_artifact *artifact;
    assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, &artifact));
    assert_contains(teeny_artifact_metadata(artifact), "kernel = vector_add\n");
    bool hit = teeny_artifact_hit(artifact);
    teeny_artifact_destroy(artifact);
    return hit;
}

/* DIRECTORY/LEVEL/KEY, or what is in it, of the one entry that there is; good until the next call.
 */
static const char *entry_path(const char *name)
{
    static char path[1024];
    path[0] = '\0';
    DIR *level = opendir(support_path(LEVEL));
    assert_non_null(level);
    for (struct dirent *entry; (entry = readdir(level));)
        if (entry->d_name[0] != '.')
            snprintf(path, sizeof path, "%s/%s%s", support_path(LEVEL), entry->d_name, name);
    closedir(level);
    assert_true(path[0] != '\0');
    return path;
}

enum outcome { HIT, MISS, UNSAFE };

static void expect(enum outcome outcome, const char *path, const char *what)
{
    teeny_artifact *artifact = NULL;
    uint64_t hits = teeny_cache_count(TEENY_CACHE_HITS);
    teeny_status status = teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, &artifact);
    bool hit = teeny_cache_count(TEENY_CACHE_HITS) > hits;
    teeny_artifact_destroy(artifact);
    enum outcome found = status == TEENY_CACHE_UNSAFE ? UNSAFE : hit ? HIT : MISS;
    if (found != outcome || (status != TEENY_OK && status != TEENY_CACHE_UNSAFE))
        fail_msg("%s %s: outcome %d instead of %d, %s", path, what, found, outcome,
            teeny_status_name(status));
}

/* Where there is something to trust, and what becomes of it when it cannot be trusted. */
static const struct {
    const char *path; /* "/..." is in the entry */
    enum outcome outcome;
} trusted[] = {
    {"cache", UNSAFE},
    {LEVEL, MISS},
    {"/", MISS},
    {"/manifest", MISS},
    {"/vector_add.ptx", MISS},
    {"/vector_add.metadata", MISS},
    {"/vector_add.c", MISS},
    {"/vector_add.ttir", MISS},
};

static const char *place_of(size_t i)
{
    static char path[1024];
    const char *found =
        trusted[i].path[0] == '/' ? entry_path(trusted[i].path) : support_path(trusted[i].path);
    snprintf(path, sizeof path, "%s", found);
    if (path[strlen(path) - 1] == '/')
        path[strlen(path) - 1] = '\0';
    return path;
}

/* Runs `spoil` on each thing that is trusted, in a new cache. */
static void spoil_each(void (*spoil)(const char *path, mode_t mode), mode_t mode, const char *what)
{
    for (size_t i = 0; i < sizeof trusted / sizeof trusted[0]; i++) {
        support_remove(support_path("cache"));
        compile();
        expect(HIT, "all", "untouched");
        const char *path = place_of(i);
        spoil(path, mode);
        expect(trusted[i].outcome, path, what);
    }
}

static void expect_distrust(const char *name, const char *why, const char *cure)
{
    char expected[2048];
    teeny_cache_upkeep done;
    compile();
    assert_null(strstr(support_log(), "not permitted"));
    snprintf(expected, sizeof expected,
        "%s in the cache cannot be used: %s, and what lies there would run: `%s %s`",
        support_path(name), why, cure, support_path(name));
    assert_contains(support_log(), expected);
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.distrusted, 1);
    assert_ok(teeny_cache_clear(&done));
    assert_int_equal(done.distrusted, 1);
}

/* The warning names the level that is to blame, and its cure, not the cache around it. */
static void test_a_level_that_is_not_trusted_is_named(void **state)
{
    (void)state;
    compile();
    assert_int_equal(chmod(support_path(LEVEL), 0775), 0);
    expect_distrust(LEVEL, "others may write to it", "chmod 700");
    assert_int_equal(rename(support_path(LEVEL), support_path("elsewhere")), 0);
    assert_int_equal(symlink(support_path("elsewhere"), support_path(LEVEL)), 0);
    expect_distrust(LEVEL, "it is a symbolic link", "rm -r");
    assert_int_equal(unlink(support_path(LEVEL)), 0);
    compile();
    teeny_cache_upkeep done;
    assert_ok(teeny_cache_collect(NULL, &done));
    assert_int_equal(done.distrusted, 0);
}

static void open_to(const char *path, mode_t mode)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(chmod(path, (status.st_mode & 07777) | mode), 0);
}

static void test_what_others_may_write_is_not_trusted(void **state)
{
    (void)state;
    spoil_each(open_to, 0020, "writable by the group");
    spoil_each(open_to, 0002, "writable by all");
    spoil_each(open_to, 01777, "as open as /tmp");
}

static void test_what_others_may_read_is_trusted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof trusted / sizeof trusted[0]; i++) {
        support_remove(support_path("cache"));
        compile();
        open_to(place_of(i), 0055);
        expect(HIT, place_of(i), "readable by all");
    }
}

static void make_link(const char *path, mode_t mode)
{
    (void)mode;
    support_remove(support_path("real"));
    assert_int_equal(rename(path, support_path("real")), 0);
    assert_int_equal(symlink(support_path("real"), path), 0);
}

static void test_symbolic_links_are_not_followed(void **state)
{
    (void)state;
    spoil_each(make_link, 0, "behind a symbolic link");
}

static void give_away(const char *path, mode_t mode)
{
    (void)mode;
    assert_int_equal(lchown(path, 65534, (gid_t)-1), 0);
}

static void test_what_others_own_is_not_trusted(void **state)
{
    (void)state;
    if (geteuid() != 0)
        support_skip("giving a file to another user needs root");
    spoil_each(give_away, 0, "of another user");
}

/* root's, which even another user's own cache cannot make his. */
static void use_files_of_root(void)
{
    assert_false(compile());
}

static void test_another_user_does_not_trust_root(void **state)
{
    (void)state;
    if (geteuid() != 0)
        support_skip("becoming another user needs root");
    compile();
    assert_int_equal(chmod(support_directory(), 0777), 0);
    assert_int_equal(chown(support_path("cache"), 65534, 65534), 0);
    assert_int_equal(chown(support_path(LEVEL), 65534, 65534), 0);
    open_to(entry_path(""), 0055);
    support_as_nobody(use_files_of_root);
}

static void compile_in_child(void)
{
    assert_false(compile());
}

/* What compilers said is remembered there too, and a lie about it would choose among entries. Each
 * child asks the cache, for its memory is its own. */
static void test_remembered_answers_are_not_trusted_either(void **state)
{
    (void)state;
    support_install_fake(support_path("teenyc"));
    setenv("TEENYC_PATH", support_path("teenyc"), 1);
    support_in_child(compile_in_child);
    setenv("FAKE_BUILD", "aaaa", 1);
    assert_int_equal(chmod(support_path("cache/compilers"), 0777), 0);
    support_in_child(compile_in_child);
    assert_int_equal(access(support_path("cache/aaaa"), F_OK), 0);
}

static void write_back(const char *path, const teeny_bytes *whole)
{
    assert_int_equal(unlink(path), 0);
    assert_int_equal(teeny_file_write(AT_FDCWD, path, whole->data, whole->size, false), 0);
}

static void expect_no_hit(const char *path, const char *how, size_t at)
{
    teeny_artifact *artifact;
    setenv("FAKE_TEENYC", "fault", 1); /* a compilation would put things right */
    teeny_status status = teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, &artifact);
    unsetenv("FAKE_TEENYC");
    if (status == TEENY_OK)
        fail_msg("%s: %s %zu unnoticed", path, how, at);
}

/* Each byte is changed, each length cut, and a few lengths added; then it is as it was. */
static void alter_everywhere(const char *path)
{
    teeny_bytes whole, altered;
    assert_int_equal(teeny_file_read(AT_FDCWD, path, 1 << 20, &whole), 0);
    for (size_t at = 0; at < whole.size; at++) {
        altered = whole;
        whole.data[at] ^= (char)(1 << at % 8);
        write_back(path, &whole);
        expect_no_hit(path, "a change of byte", at);
        whole.data[at] ^= (char)(1 << at % 8);
        altered.size = at;
        write_back(path, &altered);
        expect_no_hit(path, "a cut to length", at);
    }
    char *longer = calloc(1, whole.size + 64);
    memcpy(longer, whole.data, whole.size);
    for (size_t more = 1; more <= 64; more *= 2) {
        altered = (teeny_bytes){longer, whole.size + more};
        write_back(path, &altered);
        expect_no_hit(path, "more bytes", more);
    }
    free(longer);
    write_back(path, &whole);
    expect(HIT, path, "as it was");
    teeny_bytes_free(&whole);
}

static void test_an_entry_altered_anywhere_is_never_used(void **state)
{
    (void)state;
    compile();
    unsetenv("TEENYC_PATH"); /* a compilation would put things right */
    setenv("PATH", "/bin", 1);
    alter_everywhere(entry_path("/vector_add.metadata"));
    alter_everywhere(entry_path("/vector_add.ptx"));
    alter_everywhere(entry_path("/vector_add.ttir"));
    alter_everywhere(entry_path("/manifest"));
}

/* These two only help: whatever is in them, kernels compile and are found again. */
static void test_other_files_may_hold_anything(void **state)
{
    (void)state;
    static const char *const names[] = {"cache/lock", "cache/usage"};
    static const char *const contents[] = {
        "", "rubbish", "teeny usage 1\nbytes 99999999999999999999\ncounted 1\n"};
    compile();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t j = 0; j < sizeof contents / sizeof contents[0]; j++) {
            support_remove(support_path(LEVEL));
            support_remove(support_path(names[i]));
            support_write_file(support_path(names[i]), contents[j]);
            assert_false(compile());
            assert_true(compile());
        }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        support_remove(support_path(LEVEL));
        support_remove(support_path(names[i]));
        support_write_file(support_path("kept"), "kept");
        assert_int_equal(symlink(support_path("kept"), support_path(names[i])), 0);
        assert_false(compile());
        assert_true(compile());
        teeny_bytes kept;
        assert_int_equal(teeny_file_read(AT_FDCWD, support_path("kept"), 10, &kept), 0);
        assert_string_equal(kept.data, "kept");
        teeny_bytes_free(&kept);
        support_remove(support_path(names[i]));
        assert_int_equal(mkfifo(support_path(names[i]), 0600), 0);
        assert_true(compile());
        support_remove(support_path(LEVEL));
        assert_false(compile());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST_IN_MEMORY(test_what_others_may_write_is_not_trusted),
        SUPPORT_TEST_IN_MEMORY(test_what_others_may_read_is_trusted),
        SUPPORT_TEST(test_a_level_that_is_not_trusted_is_named),
        SUPPORT_TEST_IN_MEMORY(test_symbolic_links_are_not_followed),
        SUPPORT_TEST_IN_MEMORY(test_what_others_own_is_not_trusted),
        SUPPORT_TEST(test_another_user_does_not_trust_root),
        SUPPORT_TEST(test_remembered_answers_are_not_trusted_either),
        SUPPORT_TEST_IN_MEMORY(test_an_entry_altered_anywhere_is_never_used),
        SUPPORT_TEST_IN_MEMORY(test_other_files_may_hold_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
