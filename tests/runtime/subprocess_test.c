/* Starting a program from a host in any state, and a program that does anything. */
#define _GNU_SOURCE 1 /* pipe2, clearenv */
#include "base/subprocess.h"

#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static teeny_process_result run(const char *script, int64_t milliseconds)
{
    const char *arguments[] = {"/bin/sh", "-c", script, NULL};
    teeny_process_result result;
    assert_int_equal(teeny_process_run(arguments, milliseconds, 65536, &result), 0);
    return result;
}

static void expect(const char *script, teeny_process_end end, int code, const char *output)
{
    teeny_process_result result = run(script, 20000);
    assert_int_equal(result.end, end);
    assert_int_equal(result.code, code);
    assert_string_equal(result.output, output);
    teeny_process_result_free(&result);
}

static void test_exit_status_and_both_outputs(void **state)
{
    (void)state;
    teeny_process_result result = run("echo out; echo err >&2; exit 7", 20000);
    assert_int_equal(result.end, TEENY_PROCESS_EXITED);
    assert_int_equal(result.code, 7);
    assert_string_equal(result.output, "out\n");
    assert_string_equal(result.errors, "err\n");
    assert_false(result.truncated);
    teeny_process_result_free(&result);
}

static void test_signal_is_told(void **state)
{
    (void)state;
    expect("kill -SEGV $$", TEENY_PROCESS_SIGNALED, SIGSEGV, "");
}

static void test_program_that_is_not_there(void **state)
{
    (void)state;
    const char *arguments[] = {"/nonexistent/program", NULL};
    teeny_process_result result;
    assert_int_equal(teeny_process_run(arguments, 1000, 100, &result), ENOENT);
    arguments[0] = "/etc/passwd";
    assert_int_equal(teeny_process_run(arguments, 1000, 100, &result), EACCES);
}

static int64_t milliseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

static void expect_timeout(const char *script)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    teeny_process_result result = run(script, 300);
    assert_int_equal(result.end, TEENY_PROCESS_TIMED_OUT);
    assert_in_range(milliseconds_since(&start), 290, 60 * 1000); /* not the 100 s of `sleep` */
    teeny_process_result_free(&result);
}

static void test_hanging_programs_are_killed(void **state)
{
    (void)state;
    expect_timeout("sleep 100");
    expect_timeout("trap '' TERM INT HUP; while :; do :; done");
    expect_timeout("exec >&- 2>&-; sleep 100");
    expect_timeout("yes");
    expect_timeout("yes >&2");
    expect_timeout("kill -STOP $$");
}

static void test_group_is_killed_with_it(void **state)
{
    (void)state;
    char script[1024];
    const char *path = support_path("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    struct pollfd reader = {open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), POLLIN, 0};
    snprintf(script, sizeof script, "exec 9>'%s'; sleep 100 & exit 3", path);
    expect(script, TEENY_PROCESS_EXITED, 3, "");
    /* Nobody has the other end any more. */
    assert_int_equal(poll(&reader, 1, 60 * 1000), 1);
    assert_true(reader.revents & POLLHUP);
    close(reader.fd);
}

static void test_long_output_is_cut(void **state)
{
    (void)state;
    teeny_process_result result = run("head -c 300000 /dev/zero; echo end >&2", 20000);
    assert_int_equal(result.end, TEENY_PROCESS_EXITED);
    assert_int_equal(result.output_size, 65536);
    assert_string_equal(result.errors, "end\n");
    assert_true(result.truncated);
    teeny_process_result_free(&result);
}

static void ignore_children(void)
{
    signal(SIGCHLD, SIG_IGN);
    expect("exit 5", TEENY_PROCESS_EXITED, 5, "");
    expect("kill -ABRT $$", TEENY_PROCESS_SIGNALED, SIGABRT, "");
}

static volatile sig_atomic_t signals_seen, children_seen;

static void reap_all(int number)
{
    (void)number;
    signals_seen++;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        children_seen++;
}

static void reap_children(void)
{
    signal(SIGCHLD, reap_all);
    for (int i = 0; i < 20; i++)
        expect("exit 5", TEENY_PROCESS_EXITED, 5, "");
    assert_int_equal(signals_seen, 0);
    assert_int_equal(children_seen, 0);
}

static void discard_children(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    sigaction(SIGCHLD, &action, NULL);
    expect("exit 5", TEENY_PROCESS_EXITED, 5, "");
}

static void test_host_may_do_anything_with_sigchld(void **state)
{
    (void)state;
    support_in_child(ignore_children);
    support_in_child(reap_children);
    support_in_child(discard_children);
}

static void *reap_forever(void *stop)
{
    while (!atomic_load((atomic_bool *)stop))
        if (waitpid(-1, NULL, 0) < 0)
            usleep(100);
    return NULL;
}

static void test_host_with_a_thread_that_reaps_everything(void **state)
{
    (void)state;
    pthread_t thread;
    atomic_bool stop = false;
    pthread_create(&thread, NULL, reap_forever, &stop);
    for (int i = 0; i < 20; i++)
        expect("exit 5", TEENY_PROCESS_EXITED, 5, "");
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
}

static void test_program_starts_with_a_clean_slate(void **state)
{
    (void)state;
    struct rlimit core;
    assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
    core.rlim_cur = core.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_CORE, &core), 0);
    int inherited = open("/dev/null", O_RDONLY); /* not close-on-exec */
    sigset_t block, before;
    sigfillset(&block);
    signal(SIGUSR1, SIG_IGN);
    pthread_sigmask(SIG_SETMASK, &block, &before);
    expect("grep -E '^Sig(Blk|Ign)' /proc/self/status | cut -f2; ls /proc/self/fd | tr '\\n' ' '; "
           "ulimit -c; cat",
        TEENY_PROCESS_EXITED, 0, "0000000000000000\n0000000000000000\n0 1 2 3 0\n");
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, &before, &now);
    assert_int_equal(sigismember(&now, SIGUSR2), 1);
    signal(SIGUSR1, SIG_DFL);
    close(inherited);
}

static void test_directory_and_environment_are_the_hosts(void **state)
{
    (void)state;
    char before[4096], after[4096], expected[4200];
    assert_non_null(getcwd(before, sizeof before));
    setenv("SUBPROCESS_TEST", "value", 1);
    snprintf(expected, sizeof expected, "%s value\n", before);
    expect("echo \"$(pwd) $SUBPROCESS_TEST\"", TEENY_PROCESS_EXITED, 0, expected);
    assert_string_equal(getcwd(after, sizeof after), before);
}

static void test_what_is_put_into_the_host_stays_there(void **state)
{
    (void)state;
    setenv("LD_PRELOAD", "/nonexistent/preloaded.so", 1);
    setenv("LD_AUDIT", "/nonexistent/audit.so", 1);
    setenv("LD_LIBRARY_PATH", "/nonexistent", 1);
    teeny_process_result result =
        run("echo ${LD_PRELOAD-none} ${LD_AUDIT-none} $LD_LIBRARY_PATH", 20000);
    unsetenv("LD_PRELOAD");
    unsetenv("LD_AUDIT");
    unsetenv("LD_LIBRARY_PATH");
    assert_string_equal(result.output, "none none /nonexistent\n");
    assert_string_equal(result.errors, "");
    teeny_process_result_free(&result);
}

static void empty_the_environment(void)
{
    clearenv();
    expect("echo ${HOME-none}", TEENY_PROCESS_EXITED, 0, "none\n");
}

static void open_ten_thousand_files(void)
{
    enum { FILES = 10000 };
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = FILES + 100;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
        support_skip("only %llu open files are allowed", (unsigned long long)limit.rlim_max);
    for (int i = 0; i < FILES; i++)
        assert_true(dup(0) >= 0);
    expect("ls /proc/self/fd | tr '\\n' ' '", TEENY_PROCESS_EXITED, 0, "0 1 2 3 ");
}

static void test_host_with_ten_thousand_files(void **state)
{
    (void)state;
    support_in_child(open_ten_thousand_files);
}

static void have_little_stack(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 128 * 1024;
    assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
    expect("ulimit -s", TEENY_PROCESS_EXITED, 0, "8192\n");
    limit.rlim_cur = limit.rlim_max = 1024 * 1024;
    assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
    expect("ulimit -s", TEENY_PROCESS_EXITED, 0, "1024\n");
}

static void have_odd_mask(void)
{
    umask(0777);
    expect("umask", TEENY_PROCESS_EXITED, 0, "0077\n");
    assert_int_equal(umask(0), 0777);
}

static void test_hosts_in_odd_states(void **state)
{
    (void)state;
    support_in_child(empty_the_environment);
    support_in_child(have_little_stack);
    support_in_child(have_odd_mask);
}

static atomic_bool forking_stops;

static void *fork_and_wait(void *argument)
{
    while (!atomic_load(&forking_stops)) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    return argument;
}

static void test_other_threads_fork_meanwhile(void **state)
{
    (void)state;
    pthread_t threads[3];
    atomic_store(&forking_stops, false);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fork_and_wait, NULL), 0);
    for (int i = 0; i < 50; i++)
        expect("echo x; exit 9", TEENY_PROCESS_EXITED, 9, "x\n");
    atomic_store(&forking_stops, true);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static void *close_soon(void *writing)
{
    usleep(20 * 1000);
    close(*(int *)writing);
    return NULL;
}

/* As a compiler that is just being installed, or whose writing end a child of the host still has.
 */
static void test_program_that_is_still_being_written(void **state)
{
    (void)state;
    const char *path = support_path("program"), *arguments[] = {path, "--version", NULL};
    support_install_fake(path);
    int writing = open(path, O_WRONLY | O_CLOEXEC);
    teeny_process_result result;
    assert_int_equal(teeny_process_run(arguments, 20000, 1000, &result), ETXTBSY);
    pthread_t thread;
    pthread_create(&thread, NULL, close_soon, &writing);
    assert_int_equal(teeny_process_run(arguments, 20000, 1000, &result), 0);
    pthread_join(thread, NULL);
    assert_contains(result.output, "teenyc 0.1.0");
    teeny_process_result_free(&result);
}

static void close_standard_descriptors(void)
{
    close(0);
    close(1);
    close(2);
    int before = support_descriptors();
    teeny_process_result result = run("echo out; echo err >&2; cat", 20000);
    if (strcmp(result.output, "out\n") != 0 || strcmp(result.errors, "err\n") != 0)
        _exit(1);
    if (support_descriptors() != before)
        _exit(3);
    teeny_process_result_free(&result);
}

static void test_host_without_standard_descriptors(void **state)
{
    (void)state;
    support_in_child(close_standard_descriptors);
}

static void test_nothing_leaks(void **state)
{
    (void)state;
    int before = support_descriptors();
    for (int i = 0; i < 50; i++)
        expect("exit 0", TEENY_PROCESS_EXITED, 0, "");
    assert_int_equal(support_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void *run_many(void *argument)
{
    (void)argument;
    for (int i = 0; i < 10; i++)
        expect("echo x; exit 9", TEENY_PROCESS_EXITED, 9, "x\n");
    return NULL;
}

static void test_many_threads(void **state)
{
    (void)state;
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, NULL), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_exit_status_and_both_outputs),
        SUPPORT_TEST(test_signal_is_told),
        SUPPORT_TEST(test_program_that_is_not_there),
        SUPPORT_TEST(test_hanging_programs_are_killed),
        SUPPORT_TEST(test_group_is_killed_with_it),
        SUPPORT_TEST(test_long_output_is_cut),
        SUPPORT_TEST(test_host_may_do_anything_with_sigchld),
        SUPPORT_TEST(test_host_with_a_thread_that_reaps_everything),
        SUPPORT_TEST(test_program_starts_with_a_clean_slate),
        SUPPORT_TEST(test_directory_and_environment_are_the_hosts),
        SUPPORT_TEST(test_what_is_put_into_the_host_stays_there),
        SUPPORT_TEST(test_host_with_ten_thousand_files),
        SUPPORT_TEST(test_hosts_in_odd_states),
        SUPPORT_TEST(test_other_threads_fork_meanwhile),
        SUPPORT_TEST(test_program_that_is_still_being_written),
        SUPPORT_TEST(test_host_without_standard_descriptors),
        SUPPORT_TEST(test_nothing_leaks),
        SUPPORT_TEST(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
