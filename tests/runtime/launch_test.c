/* Launches on cpu: right results for every size, grids, arguments, order, functions. */
#include "kernels.h"
#include "support.h"

#include <dlfcn.h>
#include <unistd.h>

enum { BLOCK = 1024, GUARD = 16 };

static teeny_device *device;
static teeny_stream *stream;

static int open_cpu(void **state)
{
    return support_open_cpu(state, &device, &stream);
}

static int close_cpu(void **state)
{
    return support_close_cpu(state, device, stream);
}

static int64_t blocks(int64_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* On cpu any host pointer is an argument. */
static void add(float *out, const float *x, const float *y, int n)
{
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(blocks(n)), out, x, y, n));
    assert_ok(teeny_stream_synchronize(stream));
}

static void test_every_size_and_nothing_outside(void **state)
{
    (void)state;
    enum { MOST = 4100 };
    static float out[MOST + 2 * GUARD], x[MOST], y[MOST];
    for (int i = 0; i < MOST; i++) {
        x[i] = (float)i;
        y[i] = (float)(3 * i);
    }
    for (int n = 0; n <= MOST; n++) {
        for (int i = 0; i < MOST + 2 * GUARD; i++)
            out[i] = -1;
        add(out + GUARD, x, y, n);
        for (int i = 0; i < MOST + 2 * GUARD; i++) {
            bool inside = i >= GUARD && i < GUARD + n;
            if (out[i] != (inside ? (float)(4 * (i - GUARD)) : -1))
                fail_msg("n = %d: element %d is %g", n, i - GUARD, (double)out[i]);
        }
    }
    assert_int_equal(support_compilations(), 1);
}

static void test_buffers_are_arguments(void **state)
{
    (void)state;
    teeny_buffer *out, *x;
    float values[4] = {1, 2, 3, 4};
    assert_ok(teeny_buffer_create(device, sizeof values, &out));
    assert_ok(teeny_buffer_create(device, sizeof values, &x));
    assert_ok(teeny_buffer_write(stream, x, 0, values, sizeof values));
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), teeny_buffer_pointer(out),
        teeny_buffer_pointer(x), teeny_buffer_pointer(x), 4));
    assert_ok(teeny_buffer_read(stream, out, 0, values, sizeof values));
    for (int i = 0; i < 4; i++)
        assert_true(values[i] == 2 * (float)(i + 1));
    teeny_buffer_destroy(out);
    teeny_buffer_destroy(x);
}

static void expect_grid(teeny_grid grid, teeny_status status, const char *part)
{
    float out[1] = {7}, in[1] = {1};
    assert_fails(TEENY_LAUNCH(vector_add, stream, grid, out, in, in, 1), status);
    if (part)
        assert_contains(teeny_message(), part);
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(out[0] == 7);
}

static void test_grids_of_nothing_and_of_too_much(void **state)
{
    (void)state;
    expect_grid(teeny_grid1(0), TEENY_OK, NULL);
    expect_grid(teeny_grid3(5, 0, 5), TEENY_OK, NULL);
    expect_grid(teeny_grid3(5, 5, 0), TEENY_OK, NULL);
    expect_grid(teeny_grid3(INT32_MAX, INT32_MAX, 0), TEENY_OK, NULL);
    expect_grid(teeny_grid1(-1), TEENY_INVALID_GRID, "dimension x is -1, which is negative");
    expect_grid(teeny_grid2(0, -7), TEENY_INVALID_GRID, "dimension y is -7, which is negative");
    expect_grid(teeny_grid3(1, 1, INT64_MIN), TEENY_INVALID_GRID, "dimension z is -9223372036854");
    expect_grid(teeny_grid1((int64_t)INT32_MAX + 1), TEENY_INVALID_GRID,
        "dimension x is 2147483648; cpu takes at most 2147483647");
    expect_grid(teeny_grid2(1, INT64_MAX), TEENY_INVALID_GRID, "dimension y is");
    expect_grid(teeny_grid3(INT32_MAX, INT32_MAX, 3), TEENY_INVALID_GRID, "programs: cpu takes");
}

/* No program is launched, so no promise to it can be broken. */
static void test_grids_of_nothing_with_options(void **state)
{
    (void)state;
    const teeny_launch_options cooperative = {.cooperative = true}, cluster = {.cluster = {2, 2}};
    const teeny_grid none[] = {teeny_grid1(0), teeny_grid2(0, 3), teeny_grid3(3, 1, 0)};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_ok(
            TEENY_LAUNCH_WITH(vector_add, stream, none[i], &cooperative, NULL, NULL, NULL, 0));
        assert_ok(TEENY_LAUNCH_WITH(vector_add, stream, none[i], &cluster, NULL, NULL, NULL, 0));
    }
    assert_fails(
        TEENY_LAUNCH_WITH(vector_add, stream, teeny_grid1(2), &cooperative, NULL, NULL, NULL, 0),
        TEENY_UNSUPPORTED);
}

static void test_programs_of_all_dimensions_run(void **state)
{
    (void)state;
    float out[1000] = {0}, in[1000];
    for (int i = 0; i < 1000; i++)
        in[i] = 1;
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid3(5, 7, 3), out, in, in, 1000));
    assert_ok(teeny_stream_synchronize(stream));
    for (int i = 0; i < 1000; i++)
        assert_true(out[i] == 2);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    char packed[64] = {0};
    const teeny_kernel *kernel = &teeny_kernel_vector_add;
    teeny_grid grid = teeny_grid1(1);
    assert_fails(teeny_launch(NULL, kernel, grid, packed, 32), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_launch(stream, NULL, grid, packed, 32), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_launch(stream, kernel, grid, NULL, 32), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_launch(stream, kernel, grid, packed, 31), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "are 31 bytes; the kernel's parameters take 32");
    assert_fails(teeny_launch_function(stream, NULL, grid, packed, 32), TEENY_INVALID_ARGUMENT);
}

/* Nothing is known of nothing, and to ask is no crash. */
static void test_questions_about_null(void **state)
{
    (void)state;
    assert_null(teeny_device_name(NULL));
    assert_null(teeny_device_model(NULL));
    assert_null(teeny_device_target(NULL));
    assert_null(teeny_stream_device(NULL));
    assert_null(teeny_buffer_pointer(NULL));
    assert_int_equal(teeny_buffer_size(NULL), 0);
    assert_null(teeny_function_artifact(NULL));
    assert_null(teeny_artifact_path(NULL));
    assert_null(teeny_artifact_stage(NULL, "ttir"));
    assert_null(teeny_artifact_metadata(NULL));
    assert_false(teeny_artifact_hit(NULL));
    assert_false(teeny_artifact_cached(NULL));
    assert_int_equal(teeny_artifact_parameter_count(NULL), 0);
    assert_int_equal(teeny_artifact_arguments_size(NULL), 0);
    teeny_function *function;
    assert_ok(teeny_load(device, TEENY_KERNEL_OF(vector_add), NULL, &function));
    assert_null(teeny_artifact_stage(teeny_function_artifact(function), NULL));
    teeny_unload(function);
}

static void test_launches_keep_their_order(void **state)
{
    (void)state;
    enum { COUNT = 2000, SIZE = 64 };
    static float values[SIZE], one[SIZE];
    for (int i = 0; i < SIZE; i++) {
        values[i] = 0;
        one[i] = 1;
    }
    for (int i = 0; i < COUNT; i++)
        assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(8), values, values, one, SIZE));
    assert_ok(teeny_stream_synchronize(stream));
    for (int i = 0; i < SIZE; i++)
        assert_true(values[i] == COUNT);
}

/* The first launch keeps the threads busy while more are put behind it than the queue holds. */
static void test_launcher_waits_where_the_queue_is_full(void **state)
{
    (void)state;
    enum { LARGE = 20000000, COUNT = 1000 };
    float *large = calloc(LARGE, sizeof *large);
    float value = 0, one = 1;
    assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(64), large, large, large, LARGE));
    for (int i = 0; i < COUNT; i++)
        assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), &value, &value, &one, 1));
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(value == COUNT);
    free(large);
}

static void test_function_with_options(void **state)
{
    (void)state;
    const teeny_options options = {.meta = {{"BLOCK", 256}}};
    teeny_function *function;
    int64_t block = 0;
    float out[2] = {0}, in[2] = {1, 2};
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, &options, &function));
    assert_ok(teeny_function_meta(function, "BLOCK", &block));
    assert_int_equal(block, 256);
    assert_fails(teeny_function_meta(function, "SIZE", &block), TEENY_OPTION_INVALID);
    assert_fails(teeny_function_meta(function, NULL, &block), TEENY_INVALID_ARGUMENT);
    assert_string_equal(teeny_message(), "teeny_function_meta: an argument is NULL");
    assert_contains(teeny_artifact_path(teeny_function_artifact(function)), "vector_add.image");
    assert_ok(TEENY_LAUNCH_FUNCTION(vector_add, function, stream, teeny_grid1(1), out, in, in, 2));
    teeny_unload(function); /* waits for the launch */
    assert_true(out[0] == 2 && out[1] == 4);
    teeny_unload(NULL);
}

/* Only declared: the name is all that a launch of a function needs. */
TEENY_KERNEL_DECLARE(vector_less, (f32 * out, const f32 *x, const f32 *y, i32 n), META());

/* Of another kernel, whose parameters take as many bytes. */
static void test_function_of_another_kernel_is_refused(void **state)
{
    (void)state;
    const teeny_launch_options options = {.extra_shared_bytes = 16};
    teeny_function *function;
    float out[2] = {0}, in[2] = {1, 2};
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &function));
    assert_fails(
        TEENY_LAUNCH_FUNCTION(vector_less, function, stream, teeny_grid1(1), out, in, in, 2),
        TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "of kernel `vector_add`; the launch has the arguments of "
                                     "kernel `vector_less`");
    assert_fails(TEENY_LAUNCH_FUNCTION_WITH(
                     vector_less, function, stream, teeny_grid1(1), &options, out, in, in, 2),
        TEENY_INVALID_ARGUMENT);
    assert_fails(TEENY_LAUNCH_FUNCTION(
                     vector_less, (teeny_function *)NULL, stream, teeny_grid1(1), out, in, in, 2),
        TEENY_INVALID_ARGUMENT);
    assert_string_equal(teeny_message(), "TEENY_LAUNCH_FUNCTION: function is NULL");
    assert_fails(TEENY_LAUNCH_FUNCTION_WITH(vector_less, function, (teeny_stream *)NULL,
                     teeny_grid1(1), &options, out, in, in, 2),
        TEENY_INVALID_ARGUMENT);
    assert_string_equal(teeny_message(), "TEENY_LAUNCH_FUNCTION_WITH: stream is NULL");
    assert_ok(TEENY_LAUNCH_FUNCTION_WITH(
        vector_add, function, stream, teeny_grid1(1), &options, out, in, in, 2));
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(out[0] == 2 && out[1] == 4);
    teeny_unload(function);
}

static void test_default_function_is_shared_with_launches(void **state)
{
    (void)state;
    teeny_function *one, *two;
    float out[1], in[1] = {1};
    add(out, in, in, 1);
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &one));
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &two));
    assert_ptr_equal(one, two);
    teeny_unload(one);
    teeny_unload(two);
    add(out, in, in, 1);
    assert_int_equal(support_compilations(), 1);
}

static void test_function_for_another_device_is_refused(void **state)
{
    (void)state;
    const teeny_options options = {.target = "sm_90"};
    teeny_function *function = NULL;
    assert_fails(
        teeny_load(device, &teeny_kernel_vector_add, &options, &function), TEENY_OPTION_INVALID);
    assert_contains(teeny_message(), "target sm_90 is not for device cpu");
    assert_fails(
        teeny_load(NULL, &teeny_kernel_vector_add, NULL, &function), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_load(device, NULL, NULL, &function), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_load(device, &teeny_kernel_vector_add, NULL, NULL), TEENY_INVALID_ARGUMENT);
    assert_null(function);
}

static void test_failed_compilation_is_tried_again(void **state)
{
    (void)state;
    float out[1] = {0}, in[1] = {1};
    setenv("FAKE_TEENYC", "error", 1);
    assert_fails(
        TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), out, in, in, 1), TEENY_KERNEL_INVALID);
    assert_contains(teeny_message(), "undeclared identifier");
    unsetenv("FAKE_TEENYC");
    add(out, in, in, 1);
    assert_true(out[0] == 2);
}

static void test_uncached_function_leaves_no_files(void **state)
{
    (void)state;
    teeny_function *function;
    setenv("TEENYC_CACHE_DIR", "/proc/nowhere", 1);
    setenv("TMPDIR", support_directory(), 1);
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &function));
    assert_string_equal(teeny_artifact_path(teeny_function_artifact(function)), "");
    assert_int_equal(system("test -z \"$(find $TMPDIR -name '.teeny-*')\""), 0);
    teeny_unload(function);
}

static void test_scratch_memory_grows(void **state)
{
    (void)state;
    float out[1] = {0}, in[1] = {1};
    setenv("FAKE_SCRATCH", "3000000", 1);
    add(out, in, in, 1);
    assert_true(out[0] == 2);
}

/* A library whose kernels were launched stays, so that its kernels' addresses mean nothing else. */
static void test_kernel_of_a_library_that_is_closed(void **state)
{
    (void)state;
    void *library = dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    const teeny_kernel *kernel = dlsym(library, "teeny_kernel_plugin_add");
    assert_non_null(kernel);
    struct {
        float *out;
        const float *x, *y;
        int n;
    } arguments;
    float out[1] = {0}, in[1] = {1};
    memset(&arguments, 0, sizeof arguments);
    arguments.out = out;
    arguments.x = arguments.y = in;
    arguments.n = 1;
    assert_ok(teeny_launch(stream, kernel, teeny_grid1(1), &arguments, sizeof arguments));
    dlclose(library);
    assert_non_null(dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_NOLOAD));
    assert_ok(teeny_launch(stream, kernel, teeny_grid1(1), &arguments, sizeof arguments));
    assert_ok(teeny_stream_synchronize(stream));
    assert_true(out[0] == 2);
    dlclose(library); /* of RTLD_NOLOAD above */
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    assert_null(dlopen(PLUGIN_PATH, RTLD_NOW | RTLD_NOLOAD));
    assert_ok(teeny_device_open("cpu", &device));
    assert_ok(teeny_stream_create(device, &stream));
}

#define LAUNCH_TEST(test) cmocka_unit_test_setup_teardown(test, open_cpu, close_cpu)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAUNCH_TEST(test_every_size_and_nothing_outside),
        LAUNCH_TEST(test_buffers_are_arguments),
        LAUNCH_TEST(test_grids_of_nothing_and_of_too_much),
        LAUNCH_TEST(test_grids_of_nothing_with_options),
        LAUNCH_TEST(test_programs_of_all_dimensions_run),
        LAUNCH_TEST(test_wrong_arguments),
        LAUNCH_TEST(test_questions_about_null),
        LAUNCH_TEST(test_launches_keep_their_order),
        LAUNCH_TEST(test_launcher_waits_where_the_queue_is_full),
        LAUNCH_TEST(test_function_with_options),
        LAUNCH_TEST(test_default_function_is_shared_with_launches),
        LAUNCH_TEST(test_function_of_another_kernel_is_refused),
        LAUNCH_TEST(test_function_for_another_device_is_refused),
        LAUNCH_TEST(test_failed_compilation_is_tried_again),
        LAUNCH_TEST(test_uncached_function_leaves_no_files),
        LAUNCH_TEST(test_scratch_memory_grows),
        LAUNCH_TEST(test_kernel_of_a_library_that_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
