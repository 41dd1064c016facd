/* The cpu device: opening, buffers, copies, streams. */
#include "support.h"

#include "runtime/driver.h"
#include "runtime/host_cpu.h"
#include "runtime/image.h"

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

static void test_device_says_what_it_is(void **state)
{
    (void)state;
    assert_string_equal(teeny_device_name(device), "cpu");
    assert_string_equal(teeny_device_target(device), "cpu");
    assert_true(strlen(teeny_device_model(device)) > 0);
}

static void test_device_is_shared(void **state)
{
    (void)state;
    teeny_device *again;
    assert_ok(teeny_device_open("cpu", &again));
    assert_ptr_equal(again, device);
    teeny_device_close(again);
    assert_ok(teeny_stream_synchronize(stream));
}

static void test_unknown_devices(void **state)
{
    (void)state;
    const char *const unknown[] = {"", "gpu", "cpu:0", "emu:0", "cuda:", "cuda:x", "cuda:-1",
        "cuda:1x", "cuda:99999", "CPU", " cpu"};
    teeny_device *none = NULL;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_fails(teeny_device_open(unknown[i], &none), TEENY_UNKNOWN_DEVICE);
    assert_contains(teeny_message(), "devices are auto, cpu, emu, cuda:0");
    assert_fails(teeny_device_open(NULL, &none), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_device_open("cpu", NULL), TEENY_INVALID_ARGUMENT);
    assert_null(none);
}

/* The program says `auto`, its user something else: it is the user who has to hear of it. */
static void test_automatic_device_that_is_none(void **state)
{
    (void)state;
    teeny_device *none = NULL;
    setenv("TEENY_AUTO_DEVICE", "foo", 1);
    assert_fails(teeny_device_open("auto", &none), TEENY_UNKNOWN_DEVICE);
    assert_contains(
        teeny_message(), "TEENY_AUTO_DEVICE is `foo`, which is no device: it takes cpu");
    setenv("TEENY_AUTO_DEVICE", "auto", 1);
    assert_fails(teeny_device_open("auto", &none), TEENY_UNKNOWN_DEVICE);
    assert_contains(teeny_message(), "TEENY_AUTO_DEVICE is `auto`, which is no device");
    setenv("TEENY_AUTO_DEVICE", "cpu", 1);
    assert_ok(teeny_device_open("auto", &none));
    assert_ptr_equal(none, device);
    teeny_device_close(none);
    unsetenv("TEENY_AUTO_DEVICE");
}

static void test_wrong_number_of_threads(void **state)
{
    (void)state;
    const char *const wrong[] = {"0", "-1", "many", "4x", "100000"};
    teeny_device *none;
    close_cpu(state);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        setenv("TEENY_CPU_THREADS", wrong[i], 1);
        assert_fails(teeny_device_open("cpu", &none), TEENY_OPTION_INVALID);
        assert_contains(teeny_message(), wrong[i]);
    }
    open_cpu(state);
}

static void test_buffer_keeps_what_is_written(void **state)
{
    (void)state;
    teeny_buffer *buffer;
    char text[] = "................";
    assert_ok(teeny_buffer_create(device, 16, &buffer));
    assert_int_equal(teeny_buffer_size(buffer), 16);
    assert_int_equal((uintptr_t)teeny_buffer_pointer(buffer) % 256, 0);
    assert_ok(teeny_buffer_write(stream, buffer, 0, "0123456789abcdef", 16));
    assert_ok(teeny_buffer_write(stream, buffer, 4, "xyz", 3));
    assert_ok(teeny_buffer_read(stream, buffer, 2, text + 1, 8));
    assert_memory_equal(text, ".23xyz789.......", 16);
    teeny_buffer_destroy(buffer);
    teeny_buffer_destroy(NULL);
}

static void test_copies_stay_inside(void **state)
{
    (void)state;
    teeny_buffer *buffer;
    char text[32] = {0};
    const struct {
        size_t offset, size;
    } outside[] = {{0, 17}, {16, 1}, {17, 0}, {15, 2}, {SIZE_MAX, 1}, {1, SIZE_MAX},
        {SIZE_MAX, SIZE_MAX}, {8, SIZE_MAX - 7}};
    assert_ok(teeny_buffer_create(device, 16, &buffer));
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        size_t offset = outside[i].offset, size = outside[i].size;
        assert_fails(teeny_buffer_write(stream, buffer, offset, text, size), TEENY_OUT_OF_BOUNDS);
        assert_fails(teeny_buffer_read(stream, buffer, offset, text, size), TEENY_OUT_OF_BOUNDS);
    }
    assert_fails(teeny_buffer_write(stream, buffer, 12, text, 5), TEENY_OUT_OF_BOUNDS);
    assert_contains(teeny_message(), "5 bytes from byte 12 on do not lie in a buffer of 16 bytes");
    assert_ok(teeny_buffer_write(stream, buffer, 16, text, 0));
    teeny_buffer_destroy(buffer);
}

static void expect_overlap(teeny_buffer *to, size_t to_offset, teeny_buffer *from,
    size_t from_offset, size_t size, teeny_status expected)
{
    assert_fails(teeny_buffer_copy(stream, to, to_offset, from, from_offset, size), expected);
    if (expected != TEENY_OK)
        assert_contains(teeny_message(), "overlap");
}

static void test_copies_do_not_overlap(void **state)
{
    (void)state;
    teeny_buffer *whole, *part;
    char memory[16] = {0};
    assert_ok(teeny_buffer_wrap(device, memory, 16, &whole));
    assert_ok(teeny_buffer_wrap(device, memory + 4, 8, &part));
    expect_overlap(whole, 0, whole, 8, 8, TEENY_OK);
    expect_overlap(whole, 8, whole, 0, 8, TEENY_OK);
    expect_overlap(whole, 5, whole, 5, 0, TEENY_OK);
    expect_overlap(whole, 0, whole, 7, 8, TEENY_INVALID_ARGUMENT);
    expect_overlap(whole, 7, whole, 0, 8, TEENY_INVALID_ARGUMENT);
    expect_overlap(whole, 3, whole, 3, 1, TEENY_INVALID_ARGUMENT);
    expect_overlap(part, 0, whole, 0, 4, TEENY_OK);
    expect_overlap(part, 0, whole, 0, 5, TEENY_INVALID_ARGUMENT);
    assert_ok(teeny_stream_synchronize(stream)); /* memory[] is ours until the copies are done */
    teeny_buffer_destroy(part);
    teeny_buffer_destroy(whole);
}

static void test_memory_beyond_the_last_address(void **state)
{
    (void)state;
    teeny_buffer *buffer;
    char memory[4];
    assert_fails(teeny_buffer_wrap(device, memory, SIZE_MAX, &buffer), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "no memory has 18446744073709551615 bytes from 0x");
}

static void test_null_arguments(void **state)
{
    (void)state;
    teeny_buffer *buffer;
    teeny_stream *none;
    char text[4];
    assert_ok(teeny_buffer_create(device, 4, &buffer));
    assert_fails(teeny_buffer_create(NULL, 4, &buffer), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_buffer_create(device, 4, NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_buffer_write(NULL, buffer, 0, text, 4), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_buffer_write(stream, NULL, 0, text, 4), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_buffer_write(stream, buffer, 0, NULL, 4), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_buffer_read(stream, buffer, 0, NULL, 4), TEENY_INVALID_ARGUMENT);
    assert_ok(teeny_buffer_read(stream, buffer, 0, NULL, 0));
    assert_fails(teeny_stream_create(NULL, &none), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_stream_create(device, NULL), TEENY_INVALID_ARGUMENT);
    assert_fails(teeny_stream_synchronize(NULL), TEENY_INVALID_ARGUMENT);
    teeny_buffer_destroy(buffer);
    teeny_stream_destroy(NULL);
    teeny_device_close(NULL);
}

static void test_empty_and_huge_buffers(void **state)
{
    (void)state;
    teeny_buffer *buffer;
    assert_ok(teeny_buffer_create(device, 0, &buffer));
    assert_int_equal(teeny_buffer_size(buffer), 0);
    assert_non_null(teeny_buffer_pointer(buffer));
    assert_fails(teeny_buffer_write(stream, buffer, 0, "x", 1), TEENY_OUT_OF_BOUNDS);
    teeny_buffer_destroy(buffer);
}

_Alignas(256) static char memory[1024];
static const void *given_back;

static void *allocate(void *user, size_t size, void *native)
{
    (void)size;
    (void)native;
    return memory + *(const size_t *)user;
}

static void give_back(void *user, void *pointer, size_t size, void *native)
{
    (void)user;
    (void)size;
    (void)native;
    given_back = pointer;
}

static void test_misaligned_memory_of_an_allocator(void **state)
{
    (void)state;
    size_t offset = 128;
    const teeny_allocator allocator = {allocate, give_back, &offset};
    teeny_buffer *buffer = NULL;
    assert_ok(teeny_device_set_allocator(device, &allocator));
    assert_fails(teeny_buffer_create(device, 64, &buffer), TEENY_INVALID_ARGUMENT);
    assert_contains(teeny_message(), "the allocator of device cpu gave memory at ");
    assert_contains(teeny_message(), "which is not aligned to 256 bytes");
    assert_null(buffer);
    assert_ptr_equal(given_back, memory + 128);
    offset = 256;
    assert_ok(teeny_buffer_create(device, 64, &buffer));
    teeny_buffer_destroy(buffer);
    assert_ok(teeny_device_set_allocator(device, NULL));
}

static void test_objects_outlive_the_device_handle(void **state)
{
    (void)state;
    teeny_buffer *buffer;
    assert_ok(teeny_buffer_create(device, 4, &buffer));
    teeny_device_close(device);
    assert_ok(teeny_buffer_write(stream, buffer, 0, "abc", 4));
    teeny_stream_destroy(stream);
    teeny_buffer_destroy(buffer);
    assert_ok(teeny_device_open("cpu", &device));
    assert_ok(teeny_stream_create(device, &stream));
}

static void expect_problem(const struct cpu_image_header *header, size_t size, const char *part)
{
    char *data = calloc(1, size + 1);
    memcpy(data, header, size < sizeof *header ? size : sizeof *header);
    teeny_bytes bytes = {data, size};
    const char *problem = teeny_image_problem(&bytes, CPU_IMAGE_MAGIC);
    free(data);
    if (part)
        assert_contains(problem, part);
    else
        assert_null(problem);
}

static void test_malformed_images(void **state)
{
    (void)state;
    struct cpu_image_header good = {
        .version = CPU_IMAGE_VERSION,
        .machine = teeny_host_cpu_machine(),
        .size = 8192,
        .code_offset = 4096,
        .code_size = 100,
        .entry_offset = 4096,
    };
    memcpy(good.magic, CPU_IMAGE_MAGIC, 8);
    expect_problem(&good, 8192, NULL);
    expect_problem(&good, sizeof good - 1, "shorter than its header");
    expect_problem(&good, 4096, "its size");
    expect_problem(&good, 8191, "its size");
#define EXPECT_BAD(field, value, part)                                                             \
    do {                                                                                           \
        struct cpu_image_header bad = good;                                                        \
        bad.field = (value);                                                                       \
        expect_problem(&bad, 8192, part);                                                          \
    } while (0)
    EXPECT_BAD(magic[0], 'x', "does not begin");
    EXPECT_BAD(version, 2, "another version");
    EXPECT_BAD(machine, 0, "another kind of machine");
    EXPECT_BAD(size, 4096, "its size");
    EXPECT_BAD(code_offset, 8192, "code lies outside");
    EXPECT_BAD(code_offset, UINT64_MAX, "code lies outside");
    EXPECT_BAD(code_size, 0, "code lies outside");
    EXPECT_BAD(code_size, UINT64_MAX, "code lies outside");
    EXPECT_BAD(entry_offset, 4095, "entry lies outside");
    EXPECT_BAD(entry_offset, 4196, "entry lies outside");
    EXPECT_BAD(entry_offset, UINT64_MAX, "entry lies outside");
    EXPECT_BAD(scratch_bytes, UINT64_MAX, "too much scratch");
    EXPECT_BAD(debug_size, 8193, "debug information lies outside");
    EXPECT_BAD(debug_offset, UINT64_MAX, "debug information lies outside");
}

#define CPU_TEST(test) cmocka_unit_test_setup_teardown(test, open_cpu, close_cpu)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CPU_TEST(test_device_says_what_it_is),
        CPU_TEST(test_device_is_shared),
        CPU_TEST(test_unknown_devices),
        CPU_TEST(test_automatic_device_that_is_none),
        CPU_TEST(test_wrong_number_of_threads),
        CPU_TEST(test_buffer_keeps_what_is_written),
        CPU_TEST(test_copies_stay_inside),
        CPU_TEST(test_copies_do_not_overlap),
        CPU_TEST(test_memory_beyond_the_last_address),
        CPU_TEST(test_null_arguments),
        CPU_TEST(test_empty_and_huge_buffers),
        CPU_TEST(test_misaligned_memory_of_an_allocator),
        CPU_TEST(test_objects_outlive_the_device_handle),
        CPU_TEST(test_malformed_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
