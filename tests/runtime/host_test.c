/* The library in hosts in odd states: each compiles and launches, or is told what is in the way,
 * and lives on. */
#define _GNU_SOURCE 1 /* chroot */
#include "kernels.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { SIZE = 16 };

static teeny_status add(const char *device_name)
{
    teeny_device *device;
    teeny_stream *stream;
    float out[SIZE] = {0}, in[SIZE];
    for (int i = 0; i < SIZE; i++)
        in[i] = (float)i;
    teeny_status status = teeny_device_open(device_name, &device);
    if (status != TEENY_OK)
        return status;
    status = teeny_stream_create(device, &stream);
    if (status == TEENY_OK) {
        status = TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, in, in, SIZE);
        if (status == TEENY_OK)
            status = teeny_stream_synchronize(stream);
        teeny_stream_destroy(stream);
    }
    teeny_device_close(device);
    if (status == TEENY_OK)
        assert_true(out[SIZE - 1] == 2 * (SIZE - 1));
    return status;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void set_limit(int resource, rlim_t value)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(resource, &limit), 0);
    limit.rlim_cur = value;
    assert_int_equal(setrlimit(resource, &limit), 0);
}

/* As many as are open, and one more, and so on: each call that makes one fails in turn. */
static void run_out_of_descriptors(void)
{
    int open_now = support_descriptors(), more = 0;
    while (set_limit(RLIMIT_NOFILE, (rlim_t)(open_now + more)), add("cpu") != TEENY_OK) {
        assert_true(teeny_message()[0] != '\0');
        assert_true(++more < 40);
    }
    assert_true(more > 0);
    assert_int_equal(support_descriptors(), open_now);
}

/* A file longer than the limit is a signal that would end the host. */
static void run_into_the_limit_of_files(void)
{
    teeny_artifact *artifact;
    assert_ok(add("cpu"));
    set_limit(RLIMIT_FSIZE, 100);
    assert_fails(add("cpu"), TEENY_IO_FAILED);
    assert_contains(teeny_message(), "could not be mapped for execution: File too large");
    assert_int_not_equal(
        teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, &artifact), TEENY_OK);
    set_limit(RLIMIT_FSIZE, 0);
    assert_ok(teeny_cache_collect(NULL, NULL));
    sigset_t pending;
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGXFSZ), 0);
    set_limit(RLIMIT_FSIZE, RLIM_INFINITY);
    assert_ok(add("cpu"));
}

static void have_no_processes_left(void)
{
    set_limit(RLIMIT_NPROC, 0);
    assert_fails(add("cpu"), TEENY_OUT_OF_MEMORY);
    assert_contains(teeny_message(), "could not be started: Resource temporarily unavailable");
}

static void test_limits(void **state)
{
    (void)state;
    support_in_child(run_out_of_descriptors);
    support_in_child(run_into_the_limit_of_files);
    support_as_nobody(have_no_processes_left);
}

static void *add_in_thread(void *result)
{
    *(teeny_status *)result = add("cpu");
    return NULL;
}

static void test_thread_with_little_stack(void **state)
{
    (void)state;
    enum { LITTLE = 128 * 1024 }; /* with sanitizers, which take some themselves */
    pthread_t thread;
    pthread_attr_t attributes;
    teeny_status status = TEENY_UNSUPPORTED;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, LITTLE), 0);
    assert_int_equal(pthread_create(&thread, &attributes, add_in_thread, &status), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_ok(status);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* The place of the test is root's. */
static void be_nobody_with_a_mask(void)
{
    static const mode_t masks[] = {0777, 0, 0277};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "cache-%03o", (unsigned)masks[i]);
        setenv("TEENYC_CACHE_DIR", support_path(name), 1);
        umask(masks[i]);
        assert_ok(add("cpu"));
        teeny_artifact *artifact;
        assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact));
        assert_true(teeny_artifact_hit(artifact));
        teeny_artifact_destroy(artifact);
        assert_int_equal(umask(077), masks[i]);
    }
}

static void test_any_mask(void **state)
{
    (void)state;
    assert_int_equal(chmod(support_directory(), 0777), 0);
    support_as_nobody(be_nobody_with_a_mask);
}

static void be_nowhere(void)
{
    const char *place = support_path("gone");
    assert_int_equal(mkdir(place, 0700), 0);
    assert_int_equal(chdir(place), 0);
    assert_int_equal(rmdir(place), 0);
    assert_ok(add("cpu"));
    setenv("TEENYC_CACHE_DIR", "relative/cache", 1);
    assert_ok(add("cpu"));
    assert_contains(support_log(), "the cache relative/cache cannot be used");
}

static void test_directory_that_is_gone(void **state)
{
    (void)state;
    support_in_child(be_nowhere);
}

/* Nothing but the compiler, which needs no library, and a place to work in: no /proc, no /dev. */
static void be_locked_in(void)
{
    teeny_artifact *artifact;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "cp '%s' %s && mkdir -p %s/tmp", FAKE_TEENYC_STATIC_PATH,
        support_path("teenyc"), support_directory());
    assert_int_equal(system(path), 0);
    if (chroot(support_directory()) < 0 || chdir("/") < 0)
        support_skip("chroot: %s", strerror(errno));
    setenv("TEENYC_PATH", "/teenyc", 1);
    setenv("TEENYC_CACHE_DIR", "/cache", 1);
    unsetenv("TMPDIR");
    unsetenv("FAKE_LOG");
    for (int i = 0; i < 2; i++) {
        assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "sm_90", NULL, &artifact));
        assert_int_equal(teeny_artifact_hit(artifact), i);
        teeny_artifact_destroy(artifact);
    }
    teeny_device *device;
    assert_ok(teeny_device_open("cpu", &device));
    teeny_device_close(device);
}

static void test_root_without_proc_and_dev(void **state)
{
    (void)state;
    support_in_child(be_locked_in);
}

/* ---- Signals --------------------------------------------------------------------------------- */

static volatile sig_atomic_t ticks;

static void tick(int number)
{
    (void)number;
    ticks++;
}

/* A timer whose handler interrupts every call that can be interrupted. */
static void be_interrupted_all_the_time(void)
{
    struct sigaction action = {.sa_handler = tick};
    struct itimerval often = {{0, 300}, {0, 300}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 30; i++) {
        support_remove(support_path("cache"));
        assert_ok(add("cpu"));
        assert_ok(add("cpu"));
    }
    assert_true(ticks > 0);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

static void have_signals_pending(void)
{
    sigset_t some, pending, before, now;
    sigemptyset(&some);
    sigaddset(&some, SIGTERM);
    sigaddset(&some, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &some, &before);
    raise(SIGTERM);
    raise(SIGCHLD);
    assert_ok(add("cpu"));
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGTERM), 1);
    assert_int_equal(sigismember(&pending, SIGCHLD), 1);
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    for (int number = 1; number < NSIG; number++)
        assert_int_equal(sigismember(&now, number),
            sigismember(&before, number) == 1 || sigismember(&some, number) == 1);
}

static void test_signals(void **state)
{
    (void)state;
    support_in_child(be_interrupted_all_the_time);
    support_in_child(have_signals_pending);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_limits),
        SUPPORT_TEST(test_thread_with_little_stack),
        SUPPORT_TEST(test_any_mask),
        SUPPORT_TEST(test_directory_that_is_gone),
        SUPPORT_TEST(test_root_without_proc_and_dev),
        SUPPORT_TEST(test_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
