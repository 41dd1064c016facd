/* What the runtime's tests share; see support.h. */
#define _GNU_SOURCE 1 /* asprintf, setgroups */
#include "support.h"

#include "base/environment.h"
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SKIPS = 77, NOBODY = 65534, PATH_SIZE = 512, LOG_SIZE = 16384 };

static char directory[PATH_SIZE];
static char log_text[LOG_SIZE];
static int descriptors_before;
static bool is_child;

static void collect(teeny_log_level level, const char *line, void *context)
{
    (void)level;
    (void)context;
    size_t length = strlen(log_text);
    snprintf(log_text + length, sizeof log_text - length, "%s\n", line);
}

const char *support_log(void)
{
    return log_text;
}

static void clear_environment(void)
{
    for (int i = 0; i < TEENY_VARIABLE_COUNT; i++) {
        const char *name = teeny_environment_name((teeny_variable)i);
        if (strncmp(name, "TEENY", 5) == 0 || strncmp(name, "XDG", 3) == 0 ||
            strncmp(name, "NVTX", 4) == 0)
            unsetenv(name);
    }
    unsetenv("TMPDIR");
    unsetenv("FAKE_TEENYC");
    unsetenv("FAKE_SCRATCH");
    unsetenv("FAKE_SHARED");
    unsetenv("FAKE_BUILD");
    unsetenv("NVTX_STUB_REFUSE");
}

int support_descriptors(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++)
        count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

static int set_up(const char *pattern)
{
    descriptors_before = support_descriptors();
    strcpy(directory, pattern);
    if (!mkdtemp(directory))
        return -1;
    clear_environment();
    setenv("TEENYC_PATH", FAKE_TEENYC_PATH, 1);
    setenv("TEENYC_CACHE_DIR", support_path("cache"), 1);
    setenv("FAKE_LOG", support_path("log"), 1);
    setenv("TMPDIR", directory, 1); /* what others leave in /tmp is not ours to judge */
    setenv("HOME", directory, 1);
    log_text[0] = '\0';
    teeny_set_log(collect, NULL);
    return 0;
}

int support_setup(void **state)
{
    (void)state;
    return set_up("/tmp/teeny-test-XXXXXX");
}

int support_setup_in_memory(void **state)
{
    bool there = access("/dev/shm", W_OK | X_OK) == 0;
    return there ? set_up("/dev/shm/teeny-test-XXXXXX") : support_setup(state);
}

int support_teardown(void **state)
{
    (void)state;
    teeny_set_log(NULL, NULL);
    support_remove(directory);
    if (support_descriptors() == descriptors_before)
        return 0;
    print_error(
        "the test leaves %d descriptors open\n", support_descriptors() - descriptors_before);
    return -1;
}

int support_open_cpu(void **state, teeny_device **out_device, teeny_stream **out_stream)
{
    int failed = support_setup(state);
    assert_ok(teeny_device_open("cpu", out_device));
    assert_ok(teeny_stream_create(*out_device, out_stream));
    return failed;
}

int support_close_cpu(void **state, teeny_device *device, teeny_stream *stream)
{
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return support_teardown(state);
}

const char *support_directory(void)
{
    return directory;
}

const char *support_path(const char *name)
{
    static char paths[16][2 * PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

int support_compilations(void)
{
    FILE *file = fopen(support_path("log"), "r");
    int count = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        count += c == '\n';
    if (file)
        fclose(file);
    return count;
}

void support_write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

const char *support_script(const char *name, const char *body)
{
    const char *path = support_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", body);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

void support_install_fake(const char *path)
{
    char command[4 * PATH_SIZE];
    snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s')\" && cp '%s' '%s'", path,
        FAKE_TEENYC_PATH, path);
    assert_int_equal(system(command), 0);
}

void support_install_build(const char *name, const char *build)
{
    support_install_fake(support_path(name));
    setenv("TEENYC_PATH", support_path(name), 1);
    setenv("FAKE_BUILD", build, 1);
}

void support_remove(const char *path)
{
    teeny_remove_tree(AT_FDCWD, path);
}

void support_skip(const char *reason_format, ...)
{
    char reason[PATH_SIZE];
    va_list list;
    va_start(list, reason_format);
    vsnprintf(reason, sizeof reason, reason_format, list);
    va_end(list);
    print_message("skipped: %s\n", reason);
    if (is_child) {
        fflush(NULL);
        _exit(CHILD_SKIPS);
    }
    skip();
    abort(); /* cmocka does not say that skip() never returns */
}

/* In the child: gives up all rights, and sees whether the tests' programs can still be reached. */
static void become_nobody(void)
{
    if (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
        support_skip("becoming another user: %s", strerror(errno));
    if (access(FAKE_TEENYC_PATH, X_OK) < 0)
        support_skip("the build directory cannot be reached without rights");
}

static void run_child(void (*body)(void), bool as_nobody)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* A failed assertion must end the child, not go on with the parent's next test. */
        setenv("CMOCKA_TEST_ABORT", "1", 1);
        is_child = true;
        if (as_nobody)
            become_nobody();
        body();
        fflush(NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == CHILD_SKIPS)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

void support_in_child(void (*body)(void))
{
    run_child(body, false);
}

void support_as_nobody(void (*body)(void))
{
    if (geteuid() != 0)
        support_skip("becoming another user needs root");
    run_child(body, true);
}

void support_assert_status(
    teeny_status found, teeny_status expected, const char *call, const char *file, int line)
{
    if (found == expected)
        return;
    print_error("%s:%d: %s\n  is %s, not %s; its message: %s\n", file, line, call,
        teeny_status_name(found), teeny_status_name(expected), teeny_message());
    _fail(file, line);
}

void support_assert_contains(const char *text, const char *part, const char *file, int line)
{
    if (text && strstr(text, part))
        return;
    print_error("%s:%d: \"%s\"\n  does not contain \"%s\"\n", file, line, text, part);
    _fail(file, line);
}
