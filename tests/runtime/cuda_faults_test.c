/* No driver, no GPU, an old driver, and calls that fail: each is told apart, nothing is lost.
 *
 * A process opens the driver once, so each case has a process of its own.
 */
#include "kernels.h"
#include "support.h"

#include <unistd.h>

static void expect_no_device(teeny_status status, const char *part)
{
    teeny_device *device = NULL;
    for (int i = 0; i < 2; i++) { /* the second time says the same */
        assert_fails(teeny_device_open("cuda:0", &device), status);
        assert_contains(teeny_message(), part);
        assert_null(device);
    }
    assert_ok(teeny_device_open("auto", &device));
    assert_string_equal(teeny_device_name(device), "cpu");
    assert_contains(support_log(), part);
    teeny_device_close(device);
}

static void use(const char *path, const char *variable, const char *value)
{
    setenv("TEENY_LIBCUDA_PATH", path, 1);
    setenv(variable, value, 1);
}

static void without_driver(void)
{
    use("/nonexistent/libcuda.so.1", "STUB_FAIL", "");
    expect_no_device(TEENY_NO_DRIVER, "there is no CUDA driver: /nonexistent/libcuda.so.1");
}

static void with_old_driver(void)
{
    use(STUB_CUDA_OLD_PATH, "STUB_FAIL", "");
    expect_no_device(TEENY_DRIVER_TOO_OLD, "has no cuLinkCreate_v2: it is older than CUDA 11");
}

static void with_driver_that_does_not_start(void)
{
    use(STUB_CUDA_PATH, "STUB_FAIL", "cuInit=803");
    expect_no_device(
        TEENY_NO_DRIVER, "does not start: cuInit: the CUDA driver reports CUDA_ERROR_803 (803)");
}

static void without_gpu(void)
{
    use(STUB_CUDA_PATH, "STUB_DEVICES", "0");
    expect_no_device(TEENY_NO_DEVICE, "finds no GPU");
}

static void test_drivers_and_devices(void **state)
{
    (void)state;
    support_in_child(without_driver);
    support_in_child(with_old_driver);
    support_in_child(with_driver_that_does_not_start);
    support_in_child(without_gpu);
}

static teeny_device *device;
static teeny_stream *stream;

static void open_stub(void)
{
    use(STUB_CUDA_PATH, "STUB_FAIL", "");
    assert_ok(teeny_device_open("cuda:0", &device));
    assert_ok(teeny_stream_create(device, &stream));
}

static void close_stub(void)
{
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

static void expect_load_failure(const char *failure, teeny_status status, const char *part)
{
    teeny_function *function = NULL;
    setenv("STUB_FAIL", failure, 1);
    assert_fails(teeny_load(device, &teeny_kernel_vector_add, NULL, &function), status);
    assert_contains(teeny_message(), part);
    assert_null(function);
    unsetenv("STUB_FAIL");
}

static void loads_that_fail(void)
{
    setenv("STUB_VERSION", "12020", 1);
    open_stub();
    expect_load_failure("cuLinkAddData_v2=222", TEENY_DRIVER_TOO_OLD,
        "the CUDA driver (for CUDA 12.2) does not take PTX 8.0 of kernel `vector_add`");
    assert_contains(teeny_message(), "ptx_version");
    assert_contains(teeny_message(), "the stub's words");
    expect_load_failure("cuLinkAddData_v2=218", TEENY_ARTIFACT_INVALID, "the stub's words");
    expect_load_failure(
        "cuLinkAddData_v2=209", TEENY_ARTIFACT_INVALID, "target sm_90, for Stub 40 (sm_90)");
    expect_load_failure("cuLinkCreate_v2=2", TEENY_OUT_OF_MEMORY, "cuLinkCreate");
    expect_load_failure("cuLinkComplete=999", TEENY_DEVICE_FAILED, "cuLinkComplete: the CUDA");
    expect_load_failure("cuModuleLoadData=300", TEENY_DEVICE_FAILED, "cuModuleLoadData");
    expect_load_failure("cuModuleGetFunction=500", TEENY_DEVICE_FAILED, "cuModuleGetFunction");
    teeny_function *function;
    assert_ok(teeny_load(device, &teeny_kernel_vector_add, NULL, &function));
    teeny_unload(function);
    close_stub();
}

static void test_loads_that_fail(void **state)
{
    (void)state;
    support_in_child(loads_that_fail);
}

static void expect_failure(const char *failure, teeny_status found, teeny_status expected)
{
    assert_int_equal(found, expected);
    assert_contains(teeny_message(), failure);
}

static void calls_that_fail(void)
{
    open_stub();
    teeny_buffer *buffer, *none;
    teeny_stream *no_stream;
    char text[4] = "abc";
    assert_ok(teeny_buffer_create(device, 4, &buffer));
    assert_fails(teeny_buffer_create(device, SIZE_MAX, &none), TEENY_OUT_OF_MEMORY);
    setenv("STUB_FAIL",
        "cuMemAlloc_v2=2,cuStreamCreate=700,cuMemcpyHtoDAsync_v2=700,"
        "cuMemcpyDtoHAsync_v2=700,cuStreamSynchronize=700",
        1);
    expect_failure("cuMemAlloc", teeny_buffer_create(device, 4, &none), TEENY_OUT_OF_MEMORY);
    expect_failure("cuStreamCreate", teeny_stream_create(device, &no_stream), TEENY_DEVICE_LOST);
    expect_failure(
        "cuMemcpyHtoDAsync", teeny_buffer_write(stream, buffer, 0, text, 4), TEENY_DEVICE_LOST);
    expect_failure(
        "cuMemcpyDtoHAsync", teeny_buffer_read(stream, buffer, 0, text, 4), TEENY_DEVICE_LOST);
    expect_failure("cuStreamSynchronize: the CUDA driver reports CUDA_ERROR_700 (700)",
        teeny_stream_synchronize(stream), TEENY_DEVICE_LOST);
    setenv("STUB_FAIL", "cuLaunchKernel=719", 1);
    expect_failure("cuLaunchKernel",
        TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), NULL, NULL, NULL, 0), TEENY_DEVICE_LOST);
    unsetenv("STUB_FAIL");
    teeny_buffer_destroy(buffer);
    close_stub();
}

static void test_calls_that_fail(void **state)
{
    (void)state;
    support_in_child(calls_that_fail);
}

static void opening_that_fails(void)
{
    const char *const failures[] = {"cuDeviceGetCount=1", "cuDeviceGet=1", "cuDeviceGetName=1",
        "cuDeviceGetAttribute=1", "cuDevicePrimaryCtxRetain=2"};
    use(STUB_CUDA_PATH, "STUB_FAIL", "");
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        setenv("STUB_FAIL", failures[i], 1);
        assert_int_not_equal(teeny_device_open("cuda:0", &device), TEENY_OK);
    }
    unsetenv("STUB_FAIL");
    open_stub();
    close_stub();
}

static void test_opening_that_fails(void **state)
{
    (void)state;
    support_in_child(opening_that_fails);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_drivers_and_devices),
        SUPPORT_TEST(test_loads_that_fail),
        SUPPORT_TEST(test_calls_that_fail),
        SUPPORT_TEST(test_opening_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
