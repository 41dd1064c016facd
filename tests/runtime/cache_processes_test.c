/* Many processes and threads that want one kernel at once: one of them compiles it. */
#define _GNU_SOURCE 1 /* F_OFD_SETLK */
#include "kernels.h"
#include "support.h"

#include "base/files.h"
#include "runtime/cache/lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 64 };

static int gate[2]; /* children wait until its writing end is closed */

static void wait_at_gate(void)
{
    char byte;
    close(gate[1]);
    while (read(gate[0], &byte, 1) > 0)
        ;
}

/* Compiles and compares every file with what the fake teenyc makes. */
static bool compile_right(void)
{
    teeny_artifact *artifact;
    if (teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, &artifact) != TEENY_OK) {
        print_error("%s\n", teeny_message());
        return false;
    }
    teeny_bytes code;
    bool right = teeny_file_read(AT_FDCWD, teeny_artifact_path(artifact), 65536, &code) == 0;
    right = right && strstr(code.data, ".visible .entry vector_add()") &&
            strstr(teeny_artifact_metadata(artifact), "arguments-bytes = 32");
    teeny_bytes_free(&code);
    teeny_artifact_destroy(artifact);
    return right;
}

static void *compile_in_thread(void *unused)
{
    (void)unused;
    return compile_right() ? &gate : NULL;
}

static bool compile_in_threads(int count)
{
    pthread_t threads[MANY];
    bool right = true;
    for (int i = 0; i < count; i++)
        right &= pthread_create(&threads[i], NULL, compile_in_thread, NULL) == 0;
    for (int i = 0; right && i < count; i++) {
        void *result;
        pthread_join(threads[i], &result);
        right &= result != NULL;
    }
    return right;
}

static pid_t start(bool (*body)(int), int argument)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child)
        return child;
    wait_at_gate();
    _exit(body(argument) ? 0 : 1);
}

static void start_all(pid_t *children, int count, bool (*body)(int), int argument)
{
    assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
    for (int i = 0; i < count; i++)
        children[i] = start(body, argument);
    close(gate[0]);
    close(gate[1]);
}

static void expect_all_right(const pid_t *children, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        wrong += status != 0;
    }
    assert_int_equal(wrong, 0);
}

static bool compile_once(int unused)
{
    (void)unused;
    return compile_right();
}

static void test_processes_compile_once(void **state)
{
    (void)state;
    pid_t children[MANY];
    setenv("FAKE_TEENYC", "slow", 1);
    start_all(children, MANY, compile_once, 0);
    expect_all_right(children, MANY);
    assert_int_equal(support_compilations(), 1);
    assert_int_equal(system("test -z \"$(find $TEENYC_CACHE_DIR -name '.teeny-*')\""), 0);
}

static void test_threads_compile_once(void **state)
{
    (void)state;
    uint64_t hits = teeny_cache_count(TEENY_CACHE_HITS);
    uint64_t misses = teeny_cache_count(TEENY_CACHE_MISSES);
    setenv("FAKE_TEENYC", "slow", 1);
    assert_true(compile_in_threads(MANY));
    assert_int_equal(support_compilations(), 1);
    assert_int_equal(teeny_cache_count(TEENY_CACHE_HITS) - hits, MANY - 1);
    assert_int_equal(teeny_cache_count(TEENY_CACHE_MISSES) - misses, 1);
}

static void test_threads_of_processes_compile_once(void **state)
{
    (void)state;
    pid_t children[MANY];
    setenv("FAKE_TEENYC", "slow", 1);
    start_all(children, MANY, compile_in_threads, MANY);
    expect_all_right(children, MANY);
    assert_int_equal(support_compilations(), 1);
}

static void wait_for_compilations(int count)
{
    while (support_compilations() < count)
        usleep(1000);
}

/* The owner dies in the middle of it: its lock goes with it, and one of the others takes over. */
static void test_killed_owner_leaves_no_lock(void **state)
{
    (void)state;
    enum { OTHERS = 8 };
    pid_t owner, others[OTHERS];
    setenv("FAKE_TEENYC", "hang", 1); /* its compiler dies with it */
    start_all(&owner, 1, compile_once, 0);
    wait_for_compilations(1);
    unsetenv("FAKE_TEENYC");
    start_all(others, OTHERS, compile_once, 0);
    usleep(50 * 1000);
    kill(owner, SIGKILL);
    assert_int_equal(waitpid(owner, &(int){0}, 0), owner);
    expect_all_right(others, OTHERS);
    assert_int_equal(support_compilations(), 2);
}

/* The owner is stopped and never comes back: the others wait as long as a compilation may take, and
 * then do without the lock. */
static void test_stopped_owner_is_waited_for_only_so_long(void **state)
{
    (void)state;
    pid_t owner;
    setenv("FAKE_TEENYC", "hang", 1);
    start_all(&owner, 1, compile_once, 0);
    wait_for_compilations(1);
    kill(owner, SIGSTOP);
    unsetenv("FAKE_TEENYC");
    setenv("TEENYC_TIMEOUT", "2", 1); /* of which a busy machine may take some for compiling */
    uint64_t waits = teeny_cache_count(TEENY_CACHE_WAITS);
    assert_true(compile_right());
    assert_int_equal(teeny_cache_count(TEENY_CACHE_WAITS) - waits, 1);
    assert_int_equal(support_compilations(), 2);
    kill(owner, SIGKILL);
    waitpid(owner, &(int){0}, 0);
}

/* A child that the program forks while it compiles has the lock's file open too. */
static void test_forked_child_keeps_no_lock(void **state)
{
    (void)state;
    teeny_lock lock, other;
    assert_int_equal(mkdir(support_path("cache"), 0700), 0);
    int directory = open(support_path("cache"), O_RDONLY | O_DIRECTORY);
    assert_int_equal(teeny_lock_take(directory, 7, &lock), TEENY_LOCK_TAKEN);
    assert_int_equal(teeny_lock_take(directory, 7, &other), TEENY_LOCK_BUSY);
    pid_t child = fork();
    if (child == 0) {
        alarm(20); /* in case this test fails */
        pause();
        _exit(0);
    }
    teeny_lock_leave(&lock);
    assert_int_equal(teeny_lock_take(directory, 7, &other), TEENY_LOCK_TAKEN);
    teeny_lock_leave(&other);
    kill(child, SIGKILL);
    waitpid(child, &(int){0}, 0);
    close(directory);
}

static bool compile_as_build(const char *name, const char *build)
{
    setenv("TEENYC_PATH", support_path(name), 1);
    setenv("FAKE_BUILD", build, 1);
    return compile_right();
}

static bool compile_by_number(int odd)
{
    return odd ? compile_as_build("one", "aaaa") : compile_as_build("two", "bbbb");
}

static void test_two_compilers_side_by_side(void **state)
{
    (void)state;
    pid_t odd[MANY / 2], even[MANY / 2];
    support_install_fake(support_path("one"));
    support_install_fake(support_path("two"));
    setenv("FAKE_TEENYC", "slow", 1);
    start_all(odd, MANY / 2, compile_by_number, 1);
    start_all(even, MANY / 2, compile_by_number, 0);
    expect_all_right(odd, MANY / 2);
    expect_all_right(even, MANY / 2);
    assert_int_equal(support_compilations(), 2);
    assert_int_equal(system("test $(ls $TEENYC_CACHE_DIR/aaaa | wc -l) = 1"), 0);
    assert_int_equal(system("test $(ls $TEENYC_CACHE_DIR/bbbb | wc -l) = 1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_processes_compile_once),
        SUPPORT_TEST(test_threads_compile_once),
        SUPPORT_TEST(test_threads_of_processes_compile_once),
        SUPPORT_TEST(test_killed_owner_leaves_no_lock),
        SUPPORT_TEST(test_stopped_owner_is_waited_for_only_so_long),
        SUPPORT_TEST(test_forked_child_keeps_no_lock),
        SUPPORT_TEST(test_two_compilers_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
