/* What the log says, to whom, and where TEENY_LOG sends it. */
#include "kernels.h"
#include "support.h"

#include "base/files.h"
#include "runtime/report.h"

#include <fcntl.h>
#include <unistd.h>

static float values[16];

static teeny_status launch(teeny_stream *stream, int64_t programs)
{
    return TEENY_LAUNCH(vector_add, stream, teeny_grid1(programs), values, values, values, 0);
}

/* Two launches that are right, one that is not, and a second load, with stdout and stderr in files.
 */
static void use(void)
{
    teeny_device *device;
    teeny_stream *stream;
    teeny_function *function;
    teeny_options options = {0};
    fflush(NULL);
    assert_true(freopen(support_path("stdout"), "w", stdout) != NULL);
    assert_true(freopen(support_path("stderr"), "w", stderr) != NULL);
    setvbuf(stderr, NULL, _IONBF, 0);
    assert_ok(teeny_device_open("cpu", &device));
    assert_ok(teeny_stream_create(device, &stream));
    assert_ok(launch(stream, 1));
    assert_ok(launch(stream, 2));
    assert_fails(launch(stream, -1), TEENY_INVALID_GRID);
    assert_ok(teeny_load(device, TEENY_KERNEL_OF(vector_add), &options, &function));
    teeny_unload(function);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

static const char *text_of(const char *name)
{
    static teeny_bytes bytes;
    fflush(NULL);
    teeny_bytes_free(&bytes);
    if (teeny_file_read(AT_FDCWD, support_path(name), 1 << 16, &bytes) != 0)
        return "(no file)";
    return bytes.data;
}

/* How many lines begin so. */
static int count(const char *text, const char *begin)
{
    int found = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        found += strncmp(line, begin, strlen(begin)) == 0;
    return found;
}

static void say_nothing_by_default(void)
{
    teeny_set_log(NULL, NULL);
    use();
    assert_string_equal(text_of("stderr"), "");
    assert_string_equal(text_of("stdout"), "");
}

static void say_what_was_done(void)
{
    teeny_set_log(NULL, NULL);
    setenv("TEENY_LOG", "info", 1);
    use();
    const char *text = text_of("stderr");
    assert_int_equal(count(text, "teeny: device: cpu is open: "), 1);
    assert_int_equal(count(text, "teeny: compile: vector_add for cpu: cache miss (no entry), "), 1);
    assert_int_equal(count(text, "teeny: compile: vector_add for cpu: cache hit, "), 1);
    assert_int_equal(count(text, "teeny: load: vector_add on cpu, "), 2);
    assert_int_equal(count(text, "teeny: "), count(text, ""));
    assert_int_equal(count(text, "teeny: launch"), 0);
    assert_contains(text, " ms: ");
    assert_contains(text, support_path("cache/0123456789abcdef/"));
    assert_string_equal(text_of("stdout"), "");
}

static void say_every_step(void)
{
    teeny_set_log(NULL, NULL);
    setenv("TEENY_LOG", "debug", 1);
    use();
    const char *text = text_of("stderr");
    assert_int_equal(count(text, "teeny: compile: runs "), 1);
    assert_int_equal(count(text, "teeny: launch: vector_add on cpu, grid 1 x 1 x 1, 32 bytes of "
                                 "arguments: TEENY_OK, "),
        1);
    assert_int_equal(count(text, "teeny: launch: vector_add on cpu, grid -1 x 1 x 1, 32 bytes of "
                                 "arguments: TEENY_INVALID_GRID, "),
        1);
    assert_int_equal(count(text, "teeny: launch: "), 3);
    assert_string_equal(text_of("stdout"), "");
}

static void say_why_it_compiles_again(void)
{
    teeny_artifact *artifact;
    assert_ok(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", NULL, &artifact));
    support_write_file(teeny_artifact_path(artifact), "damage");
    teeny_artifact_destroy(artifact);
    assert_ok(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", NULL, &artifact));
    teeny_artifact_destroy(artifact);
    assert_contains(support_log(), "cache miss (its entry is damaged), ");
    unsetenv("TEENYC_PATH");
    assert_ok(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", NULL, &artifact));
    teeny_artifact_destroy(artifact);
    assert_contains(support_log(), "cache hit (the newest entry, without a teenyc), ");
    setenv("TEENYC_PATH", FAKE_TEENYC_PATH, 1);
    setenv("TEENYC_CACHE_DIR", "/proc/nothing", 1);
    assert_ok(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", NULL, &artifact));
    teeny_artifact_destroy(artifact);
    assert_contains(support_log(), "cache miss (there is no cache), ");
    assert_contains(support_log(), " ms: not cached");
    setenv("FAKE_TEENYC", "error", 1);
    assert_fails(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", NULL, &artifact),
        TEENY_KERNEL_INVALID);
    assert_contains(support_log(), "compile: vector_add for cpu: TEENY_KERNEL_INVALID after ");
}

static void say_what_is_evicted(void)
{
    setenv("TEENYC_CACHE_SIZE", "64K", 1);
    for (int i = 1; i <= 4; i++) {
        const teeny_options options = {.meta = {{"BLOCK", i}}};
        teeny_artifact *artifact;
        assert_ok(teeny_compile_kernel(TEENY_KERNEL_OF(vector_add), "cpu", &options, &artifact));
        teeny_artifact_destroy(artifact);
    }
    assert_contains(support_log(), "cache: ");
    assert_contains(support_log(), " was larger than TEENYC_CACHE_SIZE: ");
}

static void warn_of_a_wrong_level(void)
{
    teeny_set_log(NULL, NULL);
    setenv("TEENY_LOG", "loud", 1);
    use();
    assert_string_equal(text_of("stderr"), "teeny: warning: TEENY_LOG is `loud`, which is none of "
                                           "warning, info and debug: it is taken "
                                           "for warning\n");
}

/* A function hears of launches only where TEENY_LOG asks for them. */
static void spare_listeners_the_launches(void)
{
    use();
    assert_contains(support_log(), "load: ");
    assert_null(strstr(support_log(), "launch: "));
    assert_string_equal(text_of("stderr"), "");
}

static void tell_listeners_of_launches(void)
{
    setenv("TEENY_LOG", "debug", 1);
    use();
    assert_contains(support_log(), "launch: ");
    assert_string_equal(text_of("stderr"), "");
}

#define CHILD_TEST(body)                                                                           \
    static void test_##body(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        support_in_child(body);                                                                    \
    }
CHILD_TEST(say_nothing_by_default)
CHILD_TEST(say_what_was_done)
CHILD_TEST(say_every_step)
CHILD_TEST(say_why_it_compiles_again)
CHILD_TEST(say_what_is_evicted)
CHILD_TEST(warn_of_a_wrong_level)
CHILD_TEST(spare_listeners_the_launches)
CHILD_TEST(tell_listeners_of_launches)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_say_nothing_by_default),
        SUPPORT_TEST(test_say_what_was_done),
        SUPPORT_TEST(test_say_every_step),
        SUPPORT_TEST(test_say_why_it_compiles_again),
        SUPPORT_TEST(test_say_what_is_evicted),
        SUPPORT_TEST(test_warn_of_a_wrong_level),
        SUPPORT_TEST(test_spare_listeners_the_launches),
        SUPPORT_TEST(test_tell_listeners_of_launches),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
