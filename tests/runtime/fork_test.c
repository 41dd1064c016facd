/* A child made by fork(): what it inherits refuses and says so, what it opens itself works, and the
 * parent notices nothing. */
#include "kernels.h"
#include "support.h"

#include "runtime/fork.h"

#include <unistd.h>

enum { SIZE = 64, SECONDS = 60 };

static struct {
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *out, *in;
    teeny_function *function;
} own;

static void open_all(const char *name)
{
    const teeny_options options = {.meta = {{"BLOCK", 256}}};
    bool loads = strcmp(name, "emu") != 0; /* the fake teenyc does not compile for it */
    own.function = NULL;
    assert_ok(teeny_device_open(name, &own.device));
    assert_ok(teeny_stream_create(own.device, &own.stream));
    assert_ok(teeny_buffer_create(own.device, SIZE * sizeof(float), &own.out));
    assert_ok(teeny_buffer_create(own.device, SIZE * sizeof(float), &own.in));
    if (loads)
        assert_ok(teeny_load(own.device, &teeny_kernel_vector_add, &options, &own.function));
}

static void close_all(void)
{
    teeny_unload(own.function);
    teeny_buffer_destroy(own.in);
    teeny_buffer_destroy(own.out);
    teeny_stream_destroy(own.stream);
    teeny_device_close(own.device);
}

static void add(void)
{
    float values[SIZE], sums[SIZE];
    for (int i = 0; i < SIZE; i++)
        values[i] = (float)i;
    float *out = teeny_buffer_pointer(own.out), *in = teeny_buffer_pointer(own.in);
    assert_ok(teeny_buffer_write(own.stream, own.in, 0, values, sizeof values));
    assert_ok(TEENY_LAUNCH(vector_add, own.stream, teeny_grid1(1), out, in, in, SIZE));
    assert_ok(TEENY_LAUNCH_FUNCTION(
        vector_add, own.function, own.stream, teeny_grid1(1), out, in, in, SIZE));
    assert_ok(teeny_buffer_read(own.stream, own.out, 0, sums, sizeof sums));
    for (int i = 0; i < SIZE; i++)
        assert_true(sums[i] == 2 * values[i]);
}

#define assert_refused(call)                                                                       \
    do {                                                                                           \
        assert_fails(call, TEENY_DEVICE_LOST);                                                     \
        assert_contains(teeny_message(), "was opened before fork()");                              \
    } while (0)

static void use_what_is_inherited(void)
{
    alarm(SECONDS);
    teeny_stream *stream;
    teeny_buffer *buffer;
    teeny_function *function;
    float values[SIZE] = {0};
    const teeny_options options = {.meta = {{"BLOCK", 128}}};
    assert_refused(teeny_stream_create(own.device, &stream));
    assert_refused(teeny_buffer_create(own.device, 4, &buffer));
    assert_refused(teeny_load(own.device, &teeny_kernel_vector_add, &options, &function));
    assert_refused(teeny_buffer_write(own.stream, own.in, 0, values, sizeof values));
    assert_refused(teeny_buffer_read(own.stream, own.in, 0, values, sizeof values));
    assert_refused(teeny_stream_synchronize(own.stream));
    assert_refused(TEENY_LAUNCH(vector_add, own.stream, teeny_grid1(1), values, values, values, 1));
    if (own.function)
        assert_refused(TEENY_LAUNCH_FUNCTION(
            vector_add, own.function, own.stream, teeny_grid1(1), values, values, values, 1));
    assert_null(teeny_stream_native(own.stream));
    assert_true(teeny_device_name(own.device)[0] != '\0');
    assert_int_equal(teeny_buffer_size(own.in), sizeof values);
    close_all();
    open_all("cpu");
    add();
    close_all();
}

static void expect_refusal_on(const char *name)
{
    open_all(name);
    if (own.function)
        add();
    support_in_child(use_what_is_inherited);
    if (own.function)
        add();
    close_all();
}

static void test_what_is_inherited_refuses(void **state)
{
    (void)state;
    expect_refusal_on("cpu");
    expect_refusal_on("emu");
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    expect_refusal_on("cuda:0");
}

static void run_here(void *user, unsigned count, void (*task)(void *argument), void *argument)
{
    (void)user;
    while (count--)
        task(argument);
}

static void test_executor_is_inherited(void **state)
{
    (void)state;
    const teeny_executor executor = {.run = run_here, .threads = 1};
    own.function = NULL;
    own.out = NULL;
    assert_ok(teeny_device_open_on(&executor, &own.device));
    assert_ok(teeny_stream_create(own.device, &own.stream));
    assert_ok(teeny_buffer_create(own.device, SIZE * sizeof(float), &own.in));
    support_in_child(use_what_is_inherited);
    close_all();
}

static void ask_for_a_variant(void)
{
    alarm(SECONDS);
    float *x = teeny_buffer_pointer(own.in);
    teeny_resources resources;
    assert_refused(
        TEENY_KERNEL_INFO(vector_add, own.function, &resources, x + 1, x + 1, x + 1, SIZE));
    close_all();
}

static void fork_once(const teeny_hook_record *record, void *user)
{
    (void)record;
    bool *is_done = user;
    if (!*is_done)
        support_in_child(ask_for_a_variant);
    *is_done = true;
}

/* The function is locked while a variant of it is compiled, and for ever in a child that is made
 * meanwhile. */
static void test_fork_while_a_variant_is_compiled(void **state)
{
    (void)state;
    bool is_done = false;
    const teeny_hook hook = {.kinds = TEENY_HOOK_COMPILE, .function = fork_once, .user = &is_done};
    teeny_hook_registration *registration;
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    open_all("cuda:0");
    assert_ok(teeny_hook_register(&hook, &registration));
    float *x = teeny_buffer_pointer(own.in), *out = teeny_buffer_pointer(own.out);
    assert_ok(TEENY_LAUNCH_FUNCTION(
        vector_add, own.function, own.stream, teeny_grid1(1), out, x, x, SIZE));
    assert_true(is_done);
    teeny_hook_unregister(registration);
    close_all();
}

/* ---- The CUDA driver ------------------------------------------------------------------------- */

static void expect_no_cuda(void)
{
    alarm(SECONDS);
    teeny_device *device;
    assert_fails(teeny_device_open("cuda:0", &device), TEENY_NO_DRIVER);
    assert_contains(teeny_message(), "started the CUDA driver before fork()");
    assert_ok(teeny_device_open("auto", &device));
    assert_string_equal(teeny_device_name(device), "cpu");
    teeny_device_close(device);
}

static void open_cuda_and_fork(void)
{
    open_all("cuda:0");
    add();
    support_in_child(expect_no_cuda);
    close_all();
    support_in_child(expect_no_cuda);
    open_all("cuda:0");
    add();
    close_all();
}

static void test_child_may_start_the_driver_first(void **state)
{
    (void)state;
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    support_in_child(open_cuda_and_fork);
}

/* ---- Artifacts ------------------------------------------------------------------------------- */

static teeny_artifact *artifact;

static void destroy_artifact(void)
{
    teeny_artifact_destroy(artifact);
}

static void test_files_of_the_parent_stay(void **state)
{
    (void)state;
    setenv("TEENYC_CACHE_DIR", "/proc/nowhere", 1);
    assert_ok(teeny_compile_kernel(&teeny_kernel_vector_add, "cpu", NULL, &artifact));
    support_in_child(destroy_artifact);
    assert_int_equal(access(teeny_artifact_path(artifact), R_OK), 0);
    char path[1024];
    snprintf(path, sizeof path, "%s", teeny_artifact_path(artifact));
    teeny_artifact_destroy(artifact);
    assert_int_equal(access(path, R_OK), -1);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* What any kind of device can do, a device that was inherited refuses, or does nothing. */
static void test_nothing_is_missing_among_what_refuses(void **state)
{
    (void)state;
    enum { FIRST = offsetof(teeny_driver, device_open), STEP = sizeof(void (*)(void)) };
    for (size_t i = 0; teeny_drivers[i]; i++) {
        for (size_t at = FIRST; at < sizeof(teeny_driver); at += STEP) {
            void *theirs, *ours;
            memcpy(&theirs, (const char *)teeny_drivers[i] + at, sizeof theirs);
            memcpy(&ours, (const char *)&teeny_forked_driver + at, sizeof ours);
            if (theirs && !ours)
                fail_msg("forked.c lacks the %zu. function of %s", (at - FIRST) / STEP + 1,
                    teeny_drivers[i]->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_child_may_start_the_driver_first),
        SUPPORT_TEST(test_what_is_inherited_refuses),
        SUPPORT_TEST(test_executor_is_inherited),
        SUPPORT_TEST(test_fork_while_a_variant_is_compiled),
        SUPPORT_TEST(test_files_of_the_parent_stay),
        SUPPORT_TEST(test_nothing_is_missing_among_what_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
