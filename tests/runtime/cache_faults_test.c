/* The cache when the file system fails it: at each call in turn a call fails, fails from then on,
 * is the last one of a killed process, or finds that somebody has deleted the whole cache. */
#define _GNU_SOURCE 1 /* O_TMPFILE, AT_FDCWD */
#include "file_faults.h"
#include "kernels.h"
#include "support.h"

#include "base/directory.h"
#include "base/files.h"
#include "runtime/cache/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Compiles one of several kernels. Whatever becomes of the cache, the artifact is there and right.
 */
static bool compile(int block)
{
    teeny_options options = {.meta = {{"BLOCK", block}}};
    teeny_artifact *artifact;
    int64_t value = 0;
    assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", &options, &artifact));
    bool hit = teeny_artifact_hit(artifact);
    assert_ok(teeny_artifact_meta(artifact, "BLOCK", &value));
    assert_int_equal(value, block);
    teeny_artifact_destroy(artifact);
    return hit;
}

static void age_temporaries(void)
{
    char command[1024];
    snprintf(command, sizeof command, "find '%s' -name '.teeny-*' -exec touch -d 2000-01-01 {} +",
        support_path("cache"));
    assert_int_equal(system(command), 0);
}

static bool has_temporaries(const char *path)
{
    char command[1024];
    snprintf(command, sizeof command, "test -n \"$(find '%s' -name '.teeny-*' 2>/dev/null)\"",
        support_path(path));
    return system(command) == 0;
}

static int expect_intact(int level, const char *name, void *context)
{
    int *count = context;
    teeny_entry entry;
    if (name[0] == '.')
        return 0;
    if (teeny_entry_examine(level, name, name, &entry) != TEENY_ENTRY_INTACT)
        fail_msg("the entry %s is there, but not whole", name);
    teeny_entry_free(&entry);
    ++*count;
    return 0;
}

/* Every entry that is there is whole. Returns how many there are. */
static int expect_whole_entries(void)
{
    int count = 0;
    int level = open(support_path("cache/0123456789abcdef"), O_RDONLY | O_DIRECTORY);
    if (level < 0)
        return 0;
    teeny_directory_walk(level, expect_intact, &count);
    close(level);
    return count;
}

/* After the trouble everything is as it should be. */
static void expect_recovery(void)
{
    compile(64);
    assert_true(compile(64));
    expect_whole_entries();
}

/* Runs `body` with the plan for the first call, then for the second, until there are no more. */
static int for_each_call(enum action action, enum call call, int error, void (*body)(void))
{
    int nth = 1;
    for (;; nth++) {
        plan.action = action;
        plan.call = call;
        plan.error = error;
        plan.nth = nth;
        plan.seen = 0;
        body();
        bool reached = plan.seen >= nth;
        plan.action = NOTHING;
        expect_recovery();
        if (!reached)
            return nth - 1;
        assert_true(nth < 1000);
    }
}

static void hit(void)
{
    compile(64);
}

/* Goes on with an empty cache. */
static void anew(void (*body)(void))
{
    enum action action = plan.action;
    plan.action = NOTHING;
    support_remove(support_path("cache"));
    plan.action = action;
    body();
}

static void compile_anew(void)
{
    anew(hit);
}

/* Goes on with a damaged entry, which has to make way for a new one. */
static void damaged(void (*body)(void))
{
    enum action action = plan.action;
    plan.action = NOTHING;
    support_remove(support_path("cache"));
    compile(64);
    assert_int_equal(
        system("truncate -s 3 $TEENYC_CACHE_DIR/0123456789abcdef/*/vector_add.ptx"), 0);
    plan.action = action;
    body();
}

static void replace(void)
{
    damaged(hit);
}

static const struct {
    enum call call;
    int error;
} faults[] = {
    {OPENAT, EIO},
    {OPENAT, EMFILE},
    {MKDIRAT, ENOSPC},
    {MKDIRAT, EROFS},
    {RENAMEAT, EIO},
    {RENAMEAT, ENOENT},
    {UNLINKAT, ENOTEMPTY},
    {FSTATAT, EIO},
    {FSTAT, ESTALE},
    {FSYNC, EIO},
    {FSYNC, EINVAL},
    {WRITE, ENOSPC},
    {PWRITE, ENOSPC},
    {FLOCK, ENOLCK},
    {FCNTL, ENOLCK},
    {FCNTL, EINVAL},
    {UTIMENSAT, EROFS},
};

static void fail_everywhere(void (*body)(void))
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        for_each_call(FAIL_ONCE, faults[i].call, faults[i].error, body);
        for_each_call(FAIL_ON, faults[i].call, faults[i].error, body);
    }
}

static void test_faults_while_publishing(void **state)
{
    (void)state;
    fail_everywhere(compile_anew);
}

static void test_faults_while_replacing(void **state)
{
    (void)state;
    for_each_call(FAIL_ONCE, ANY_CALL, EIO, replace);
    for_each_call(FAIL_ON, RENAMEAT, EIO, replace);
    for_each_call(FAIL_ON, UNLINKAT, ENOTEMPTY, replace);
}

static void test_faults_during_a_hit(void **state)
{
    (void)state;
    compile(64);
    assert_true(for_each_call(FAIL_ONCE, ANY_CALL, EIO, hit) > 10);
    for_each_call(FAIL_ON, ANY_CALL, EIO, hit);
}

/* Without locks, and on a disk that cannot be synced or cannot note times, it still is a cache. */
static void test_refusals_that_change_nothing(void **state)
{
    (void)state;
    static const struct {
        enum call call;
        int error;
    } harmless[] = {{FCNTL, ENOLCK}, {FLOCK, ENOLCK}, {UTIMENSAT, EPERM}, {PWRITE, ENOSPC}};
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        support_remove(support_path("cache"));
        plan.call = harmless[i].call;
        plan.error = harmless[i].error;
        plan.nth = 1;
        plan.action = FAIL_ON;
        assert_false(compile(64));
        assert_true(compile(64));
        plan.action = NOTHING;
    }
}

static void test_cache_deleted_at_each_call(void **state)
{
    (void)state;
    uint64_t uncached = teeny_cache_count(TEENY_CACHE_UNCACHED);
    assert_true(for_each_call(DELETE_CACHE, ANY_CALL, 0, compile_anew) > 30);
    assert_int_equal(teeny_cache_count(TEENY_CACHE_UNCACHED), uncached);
    assert_true(for_each_call(DELETE_CACHE, ANY_CALL, 0, hit) > 10);
}

static int killed, left_behind;

/* Compiles in a child that dies on the way, or gets through at last. */
static void die_while_compiling(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setenv("CMOCKA_TEST_ABORT", "1", 1);
        compile(64);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    plan.action = NOTHING;
    bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    assert_true(was_killed || status == 0);
    killed += was_killed;
    plan.seen = was_killed ? plan.nth : 0;
}

/* What the dead left behind goes with the next entry that is written beside it, once it is a minute
 * old; elsewhere it waits for gc. */
static void die_while_publishing(void)
{
    anew(die_while_compiling);
    expect_whole_entries();
    if (!has_temporaries("cache"))
        return;
    left_behind++;
    age_temporaries();
    compile(128);
    assert_false(has_temporaries("cache/0123456789abcdef"));
    assert_ok(teeny_cache_collect(NULL, NULL));
    assert_false(has_temporaries("cache"));
}

static void die_while_replacing(void)
{
    damaged(die_while_compiling);
}

static void test_killed_at_each_call(void **state)
{
    (void)state;
    killed = 0;
    int calls = for_each_call(DIE, ANY_CALL, 0, die_while_publishing);
    assert_int_equal(calls, killed);
    assert_true(killed > 30);
    assert_true(left_behind > 10);
    for_each_call(DIE, ANY_CALL, 0, die_while_replacing);
}

static int rounds = 60; /* with the argument `soak` many more */

/* The same at moments that are not calls: writers that die at random, again and again. */
static void write_until_killed(void)
{
    for (int block = 1;; block++)
        compile(block);
}

static void test_killed_at_random(void **state)
{
    (void)state;
    enum { WRITERS = 2 };
    unsigned seed = (unsigned)time(NULL);
    print_message("seed %u\n", seed);
    srand(seed);
    for (int round = 0; round < rounds; round++) {
        pid_t writers[WRITERS];
        fflush(NULL);
        for (int i = 0; i < WRITERS; i++)
            if ((writers[i] = fork()) == 0)
                write_until_killed();
        usleep((useconds_t)(rand() % 60000));
        for (int i = 0; i < WRITERS; i++) {
            kill(writers[i], SIGKILL);
            assert_int_equal(waitpid(writers[i], &(int){0}, 0), writers[i]);
        }
        expect_whole_entries();
    }
    assert_true(expect_whole_entries() > 10);
    age_temporaries();
    support_write_file(support_path("cache/0123456789abcdef/.teeny-file"), "no directory");
    compile(100000);
    assert_int_equal(unlink(support_path("cache/0123456789abcdef/.teeny-file")), 0);
    assert_false(has_temporaries("cache/0123456789abcdef"));
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "soak") == 0)
        rounds = 1000;
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST_IN_MEMORY(test_faults_while_publishing),
        SUPPORT_TEST_IN_MEMORY(test_faults_while_replacing),
        SUPPORT_TEST_IN_MEMORY(test_faults_during_a_hit),
        SUPPORT_TEST_IN_MEMORY(test_refusals_that_change_nothing),
        SUPPORT_TEST_IN_MEMORY(test_cache_deleted_at_each_call),
        SUPPORT_TEST_IN_MEMORY(test_killed_at_each_call),
        SUPPORT_TEST_IN_MEMORY(test_killed_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
