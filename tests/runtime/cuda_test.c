/* The cuda device, over a stub of the driver: what is called, in which context, and what is kept.
 */
#include "kernels.h"
#include "support.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static teeny_device *device;
static teeny_stream *stream;
static int (*stub_calls)(const char *name);
static int (*get_current)(void **context);
static int (*set_current)(void *context);

static int open_cuda(void **state)
{
    int failed = support_setup(state);
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    void *stub = dlopen(STUB_CUDA_PATH, RTLD_NOW);
    assert_non_null(stub);
    *(void **)&stub_calls = dlsym(stub, "stub_calls");
    *(void **)&get_current = dlsym(stub, "cuCtxGetCurrent");
    *(void **)&set_current = dlsym(stub, "cuCtxSetCurrent");
    unsetenv("STUB_FAIL");
    assert_ok(teeny_device_open("cuda:0", &device));
    assert_ok(teeny_stream_create(device, &stream));
    return failed;
}

static int close_cuda(void **state)
{
    unsetenv("STUB_FAIL");
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    set_current(NULL);
    return support_teardown(state);
}

static void test_device_says_what_it_is(void **state)
{
    (void)state;
    teeny_device *automatic;
    assert_string_equal(teeny_device_name(device), "cuda:0");
    assert_string_equal(teeny_device_model(device), "Stub 40");
    assert_string_equal(teeny_device_target(device), "sm_90");
    assert_non_null(teeny_stream_native(stream));
    assert_null(teeny_stream_native(NULL));
    static const char *const names[] = {"auto", "cuda"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_ok(teeny_device_open(names[i], &automatic));
        assert_ptr_equal(automatic, device);
        teeny_device_close(automatic);
    }
}

static void test_device_that_is_not_there(void **state)
{
    (void)state;
    teeny_device *none;
    assert_fails(teeny_device_open("cuda:1", &none), TEENY_NO_DEVICE);
    assert_contains(teeny_message(), "there is no device cuda:1: the CUDA driver finds 1");
}

/* Adds n numbers, with pointers that lie `shift` elements behind a multiple of 16 bytes. */
static void add_at(teeny_stream *on, teeny_function *function, int shift, int n)
{
    enum { MOST = 40 };
    teeny_buffer *out, *x;
    float values[MOST], sums[MOST] = {0};
    for (int i = 0; i < MOST; i++)
        values[i] = (float)i;
    assert_ok(teeny_buffer_create(device, sizeof values, &out));
    assert_ok(teeny_buffer_create(device, sizeof values, &x));
    assert_ok(teeny_buffer_write(on, x, 0, values, sizeof values));
    f32 *to = teeny_buffer_pointer(out), *from = teeny_buffer_pointer(x);
    to += shift;
    from += shift;
    if (function)
        assert_ok(
            TEENY_LAUNCH_FUNCTION(vector_add, function, on, teeny_grid1(1), to, from, from, n));
    else
        assert_ok(TEENY_LAUNCH(vector_add, on, teeny_grid1(1), to, from, from, n));
    assert_ok(teeny_buffer_read(on, out, 0, sums, sizeof sums));
    for (int i = shift; i < shift + n; i++)
        assert_true(sums[i] == 2 * values[i]);
    teeny_buffer_destroy(out);
    teeny_buffer_destroy(x);
}

/* Nothing is known of these arguments. */
static void add(teeny_stream *on)
{
    add_at(on, NULL, 1, 5);
}

static void test_kernel_runs(void **state)
{
    (void)state;
    add(stream);
    add(stream);
    assert_int_equal(support_compilations(), 1);
}

static void reopen(void)
{
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    assert_ok(teeny_device_open("cuda:0", &device));
    assert_ok(teeny_stream_create(device, &stream));
}

/* The one cubin in the cache, on which `command` is run. */
static void on_cubin(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "set -- $(find '%s' -name '*.cubin'); test $# = 1 && %s",
        support_path("cache"), command);
    assert_int_equal(system(line), 0);
}

static void test_cubin_is_kept_beside_the_ptx(void **state)
{
    (void)state;
    int links = stub_calls("cuLinkComplete");
    add(stream);
    assert_int_equal(stub_calls("cuLinkComplete"), links + 1);
    on_cubin("case $1 in */0123456789abcdef/*/sm_90-cuda-13.0*/vector_add.cubin) ;; "
             "*) false ;; esac");
    reopen();
    add(stream);
    assert_int_equal(stub_calls("cuLinkComplete"), links + 1);
    assert_int_equal(support_compilations(), 1);
}

static void test_damaged_cubin_is_made_again(void **state)
{
    (void)state;
    const char *const damages[] = {
        "truncate -s -1 $1",
        "printf x | dd of=$1 conv=notrunc seek=7 bs=1 status=none",
        "rm $1",
        "rm $(dirname $1)/manifest",
    };
    add(stream);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        int links = stub_calls("cuLinkComplete");
        on_cubin(damages[i]);
        reopen();
        add(stream);
        assert_int_equal(stub_calls("cuLinkComplete"), links + 1);
    }
    on_cubin("true");
}

static void test_each_kind_of_arguments_is_compiled_once(void **state)
{
    (void)state;
    add_at(stream, NULL, 1, 5);
    assert_int_equal(support_compilations(), 1);
    add_at(stream, NULL, 0, 5);
    assert_int_equal(support_compilations(), 2);
    add_at(stream, NULL, 0, 16);
    assert_int_equal(support_compilations(), 3);
    add_at(stream, NULL, 0, 1);
    assert_int_equal(support_compilations(), 4);
    add_at(stream, NULL, 1, 1);
    assert_int_equal(support_compilations(), 5);
    for (int n = 0; n <= 32; n++)
        add_at(stream, NULL, n % 4, n);
    assert_int_equal(support_compilations(), 5);
    reopen();
    add_at(stream, NULL, 0, 16);
    assert_int_equal(support_compilations(), 5);
}

static void test_parameters_may_be_exempt(void **state)
{
    (void)state;
    teeny_function *function;
    const teeny_options all = {.do_not_specialise = "*"}, some = {.do_not_specialise = "0,1,2"};
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, &all, &function));
    add_at(stream, function, 0, 16);
    assert_int_equal(support_compilations(), 1);
    teeny_unload(function);
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, &some, &function));
    add_at(stream, function, 0, 5);
    assert_int_equal(support_compilations(), 1);
    add_at(stream, function, 0, 16);
    assert_int_equal(support_compilations(), 2);
    teeny_unload(function);
    static const char *const wrong[] = {"4", "0,", "n", "", "0;1", "-1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const teeny_options options = {.do_not_specialise = wrong[i]};
        assert_fails(teeny_load(device, &teeny_kernel_vector_add, &options, &function),
            TEENY_OPTION_INVALID);
        assert_contains(teeny_message(), "it takes positions below 4");
    }
}

/* The caller's options may be gone when a launch compiles. */
static void test_options_are_kept_for_later_compilations(void **state)
{
    (void)state;
    char name[] = "BLOCK", keep[] = "ttir";
    teeny_options options = {.keep = keep, .meta = {{name, 256}}};
    teeny_function *function;
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, &options, &function));
    memset(name, 'X', sizeof name - 1);
    memset(keep, 'X', sizeof keep - 1);
    memset(&options, 0, sizeof options);
    add_at(stream, function, 0, 16);
    assert_int_equal(support_compilations(), 2);
    teeny_unload(function);
}

static void test_what_cannot_be_specialised_runs_as_it_is(void **state)
{
    (void)state;
    add(stream);
    setenv("STUB_FAIL", "cuModuleLoadData=209", 1);
    add_at(stream, NULL, 0, 16);
    unsetenv("STUB_FAIL");
    int loads = stub_calls("cuModuleLoadData");
    add_at(stream, NULL, 0, 16);
    assert_int_equal(stub_calls("cuModuleLoadData"), loads);
}

static void test_cubin_that_the_driver_refuses_is_made_again(void **state)
{
    (void)state;
    teeny_function *function;
    const teeny_options options = {.num_warps = 4};
    add(stream);
    int loads = stub_calls("cuModuleLoadData");
    setenv("STUB_FAIL", "cuModuleLoadData=209", 1);
    assert_fails(
        teeny_load(device, &teeny_kernel_vector_add, &options, &function), TEENY_ARTIFACT_INVALID);
    unsetenv("STUB_FAIL");
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, &options, &function));
    assert_true(stub_calls("cuModuleLoadData") >= loads + 2);
    teeny_unload(function);
}

static void test_uncached_kernel_runs_too(void **state)
{
    (void)state;
    setenv("TEENYC_CACHE_DIR", "/proc/nowhere", 1);
    add(stream);
}

static void test_other_contexts_are_put_back(void **state)
{
    (void)state;
    static char other;
    void *now;
    add(stream);
    set_current(&other);
    add(stream);
    reopen();
    assert_fails(teeny_device_open("cuda:7", &(teeny_device *){0}), TEENY_NO_DEVICE);
    get_current(&now);
    assert_ptr_equal(now, &other);
}

static void *add_in_thread(void *argument)
{
    add(stream);
    return argument;
}

static void test_other_threads(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, add_in_thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void expect_grid(teeny_grid grid, teeny_status status, const char *part)
{
    int launches = stub_calls("cuLaunchKernel");
    assert_fails(TEENY_LAUNCH(vector_add, stream, grid, NULL, NULL, NULL, 0), status);
    if (part)
        assert_contains(teeny_message(), part);
    assert_int_equal(stub_calls("cuLaunchKernel") - launches, status == TEENY_OK && !part);
}

static void test_grids(void **state)
{
    (void)state;
    teeny_message();
    expect_grid(teeny_grid1(1), TEENY_OK, NULL);
    expect_grid(teeny_grid3(INT32_MAX, 65535, 65535), TEENY_OK, NULL);
    expect_grid(teeny_grid1((int64_t)INT32_MAX + 1), TEENY_INVALID_GRID,
        "dimension x is 2147483648; cuda:0 takes at most 2147483647");
    expect_grid(teeny_grid2(1, 65536), TEENY_INVALID_GRID,
        "dimension y is 65536; cuda:0 takes at most 65535");
    expect_grid(teeny_grid3(1, 1, 65536), TEENY_INVALID_GRID,
        "dimension z is 65536; cuda:0 takes at most 65535");
    expect_grid(teeny_grid3(1, 1, -1), TEENY_INVALID_GRID, "dimension z is -1, which is negative");
    int launches = stub_calls("cuLaunchKernel");
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid3(0, 1, 1), NULL, NULL, NULL, 0));
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid3(1, 0, 1), NULL, NULL, NULL, 0));
    assert_int_equal(stub_calls("cuLaunchKernel"), launches);
}

static void test_objects_of_two_devices_do_not_mix(void **state)
{
    (void)state;
    teeny_device *cpu;
    teeny_stream *other;
    teeny_buffer *buffer;
    teeny_function *function;
    char packed[32] = {0};
    assert_ok(teeny_device_open("cpu", &cpu));
    assert_ok(teeny_stream_create(cpu, &other));
    assert_ok(teeny_buffer_create(device, 4, &buffer));
    assert_fails(teeny_buffer_write(other, buffer, 0, packed, 4), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the buffer is on cuda:0, the stream on cpu");
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &function));
    assert_fails(
        teeny_launch_function(other, function, teeny_grid1(1), packed, 32), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the function is on cuda:0, the stream on cpu");
    teeny_unload(function);
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(other);
    teeny_device_close(cpu);
}

#define CUDA_TEST(test) cmocka_unit_test_setup_teardown(test, open_cuda, close_cuda)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CUDA_TEST(test_device_says_what_it_is),
        CUDA_TEST(test_device_that_is_not_there),
        CUDA_TEST(test_kernel_runs),
        CUDA_TEST(test_cubin_is_kept_beside_the_ptx),
        CUDA_TEST(test_damaged_cubin_is_made_again),
        CUDA_TEST(test_each_kind_of_arguments_is_compiled_once),
        CUDA_TEST(test_parameters_may_be_exempt),
        CUDA_TEST(test_options_are_kept_for_later_compilations),
        CUDA_TEST(test_what_cannot_be_specialised_runs_as_it_is),
        CUDA_TEST(test_cubin_that_the_driver_refuses_is_made_again),
        CUDA_TEST(test_uncached_kernel_runs_too),
        CUDA_TEST(test_other_contexts_are_put_back),
        CUDA_TEST(test_other_threads),
        CUDA_TEST(test_grids),
        CUDA_TEST(test_objects_of_two_devices_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
