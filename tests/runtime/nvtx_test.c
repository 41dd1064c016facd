/* NVTX: what a profiler hears, and when it hears nothing. Each test is a process of its own:
 * whether there is a profiler is asked once. */
#include "kernels.h"
#include "support.h"

#include "base/files.h"

#include <fcntl.h>
#include <unistd.h>

static float values[16];

/* What the profiler was told; "" where it was not there. */
static const char *said(void)
{
    static teeny_bytes bytes;
    teeny_bytes_free(&bytes);
    if (teeny_file_read(AT_FDCWD, support_path("said"), 1 << 16, &bytes) != 0)
        return "";
    return bytes.data;
}

static void use(const char *device_name)
{
    teeny_device *device;
    teeny_stream *stream;
    setenv("NVTX_STUB_LOG", support_path("said"), 1);
    setenv("TEENY_LIBCUDA_PATH", STUB_CUDA_PATH, 1);
    assert_ok(teeny_device_open(device_name, &device));
    assert_ok(teeny_stream_create(device, &stream));
    for (int i = 0; i < 2; i++)
        assert_ok(TEENY_LAUNCH(vector_add, stream, teeny_grid1(1), values, values, values, 0));
    teeny_stream_destroy(stream);
    teeny_device_close(device);
}

#define RANGES                                                                                     \
    "push launch vector_add\n"                                                                     \
    "push compile vector_add\npop \n"                                                              \
    "push load vector_add\npop \n"                                                                 \
    "pop \n"                                                                                       \
    "push launch vector_add\npop \n"

static void hear_ranges(void)
{
    setenv("NVTX_INJECTION64_PATH", STUB_NVTX_PATH, 1);
    use("cpu");
    assert_string_equal(said(), "domain teeny\n" RANGES);
}

static void hear_names(void)
{
    setenv("NVTX_INJECTION64_PATH", STUB_NVTX_PATH, 1);
    setenv("TEENY_NVTX", "1", 1);
    use("cuda:0");
    assert_contains(
        said(), "domain teeny\ndevice cuda:0\nstream teeny cuda:0 stream 1\npush launch");
    assert_null(strstr(said(), "WRONG"));
}

static void hear_through_the_old_library(void)
{
    setenv("TEENY_NVTX", "1", 1);
    use("cpu");
    assert_string_equal(said(), "domain teeny\n" RANGES);
}

static void hear_nothing_unasked(void)
{
    use("cpu");
    assert_string_equal(said(), "");
    assert_null(strstr(support_log(), "NVTX"));
}

static void hear_nothing_when_told_so(void)
{
    setenv("NVTX_INJECTION64_PATH", STUB_NVTX_PATH, 1);
    setenv("TEENY_NVTX", "0", 1);
    use("cpu");
    assert_string_equal(said(), "");
}

static void go_on_without_a_library(void)
{
    setenv("NVTX_INJECTION64_PATH", support_path("nothing.so"), 1);
    use("cpu");
    assert_string_equal(said(), "");
    assert_contains(support_log(), "NVTX_INJECTION64_PATH names no library");
}

static void go_on_with_another_library(void)
{
    setenv("NVTX_INJECTION64_PATH", STUB_CUDA_PATH, 1);
    use("cpu");
    assert_string_equal(said(), "");
    assert_contains(support_log(), "it has no InitializeInjectionNvtx2");
}

static void go_on_when_refused(void)
{
    setenv("NVTX_INJECTION64_PATH", STUB_NVTX_PATH, 1);
    setenv("NVTX_STUB_REFUSE", "1", 1);
    use("cuda:0");
    assert_string_equal(said(), "");
    assert_contains(support_log(), "InitializeInjectionNvtx2 failed");
}

#define CHILD_TEST(body)                                                                           \
    static void test_##body(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        support_in_child(body);                                                                    \
    }
CHILD_TEST(hear_ranges)
CHILD_TEST(hear_names)
CHILD_TEST(hear_through_the_old_library)
CHILD_TEST(hear_nothing_unasked)
CHILD_TEST(hear_nothing_when_told_so)
CHILD_TEST(go_on_without_a_library)
CHILD_TEST(go_on_with_another_library)
CHILD_TEST(go_on_when_refused)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SUPPORT_TEST(test_hear_ranges),
        SUPPORT_TEST(test_hear_names),
        SUPPORT_TEST(test_hear_through_the_old_library),
        SUPPORT_TEST(test_hear_nothing_unasked),
        SUPPORT_TEST(test_hear_nothing_when_told_so),
        SUPPORT_TEST(test_go_on_without_a_library),
        SUPPORT_TEST(test_go_on_with_another_library),
        SUPPORT_TEST(test_go_on_when_refused),
    };
    return cmocka_run_group_tests_name("nvtx", tests, NULL, NULL);
}
