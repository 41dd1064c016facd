/* Copies, fills, and where memory comes from. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static void count_up(float *values, float first)
{
    for (int i = 0; i < COUNT; i++)
        values[i] = first + (float)i;
}

/* Writes, scales and reads `values` without waiting in between. */
static void scale_and_read(float *values, float *results)
{
    teeny_buffer *x = check_buffer(BYTES), *out = check_buffer(BYTES);
    count_up(values, 0);
    OK(teeny_buffer_write_async(stream, x, 0, values, BYTES));
    OK(TEENY_LAUNCH(
        scale, stream, teeny_grid1(4), check_floats(out), check_floats(x), 3.0f, COUNT));
    OK(teeny_buffer_read_async(stream, out, 0, results, BYTES));
    OK(teeny_stream_synchronize(stream));
    for (int i = 0; i < COUNT; i++)
        EQUAL(results[i], 3 * i);
}

static void asynchronous_pinned(void)
{
    scale_and_read(check_pinned(BYTES), check_pinned(BYTES));
}

static void asynchronous_pageable(void)
{
    static float values[COUNT], results[COUNT];
    scale_and_read(values, results);
}

static void asynchronous_registered(void)
{
    static float values[COUNT], results[COUNT];
    OK(teeny_host_register(device, values, sizeof values));
    OK(teeny_host_register(device, results, sizeof results));
    scale_and_read(values, results);
    OK(teeny_host_unregister(device, results));
    OK(teeny_host_unregister(device, values));
}

/* The copy back is put on a stream that is held up. */
static void copies_do_not_wait(void)
{
    teeny_buffer *buffer = check_buffer(SPIN_COUNT * sizeof(float));
    volatile float *result = check_pinned(sizeof *result);
    bool is_done;
    OK(teeny_buffer_write(stream, buffer, 0, &(float){2}, sizeof *result));
    OK(check_hold(stream));
    OK(teeny_buffer_read_async(stream, buffer, 0, (void *)result, sizeof *result));
    OK(teeny_stream_query(stream, &is_done));
    REQUIRE(!is_done && *result == 0, "the copy is done when its call returns");
    check_release();
    OK(teeny_stream_synchronize(stream));
    EQUAL(*result, 2);
}

static void fills(void)
{
    enum { SIZE = 64 };
    teeny_buffer *buffer = check_buffer(SIZE);
    uint8_t found[SIZE], expected[SIZE];
    const uint8_t byte = 0xa5;
    const uint16_t half = 0xbeef;
    const uint32_t word = 0x12345678;
    OK(teeny_buffer_fill(stream, buffer, 0, SIZE, &byte, sizeof byte));
    OK(teeny_buffer_fill(stream, buffer, 2, 6, &half, sizeof half));
    OK(teeny_buffer_fill(stream, buffer, 12, 40, &word, sizeof word));
    OK(teeny_buffer_fill(stream, buffer, SIZE, 0, &word, sizeof word));
    OK(teeny_buffer_read(stream, buffer, 0, found, SIZE));
    memset(expected, byte, SIZE);
    for (int i = 2; i < 8; i += 2)
        memcpy(expected + i, &half, sizeof half);
    for (int i = 12; i < 52; i += 4)
        memcpy(expected + i, &word, sizeof word);
    for (int i = 0; i < SIZE; i++)
        REQUIRE(found[i] == expected[i], "byte %d is 0x%02x, not 0x%02x", i, found[i], expected[i]);
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_fill(stream, buffer, 1, 4, &word, sizeof word));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_fill(stream, buffer, 0, 6, &word, sizeof word));
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_fill(stream, buffer, 0, 6, &word, 3));
    GIVES(TEENY_OUT_OF_BOUNDS, teeny_buffer_fill(stream, buffer, 60, 8, &word, sizeof word));
}

/* More than one piece of what threads of cpu copy and fill at once. */
static void large_copies_and_fills(void)
{
    enum { SIZE = 5 * (1 << 20) + 4096, END = SIZE / 4 };
    teeny_buffer *a = check_buffer(SIZE), *b = check_buffer(SIZE);
    uint32_t *found = check_pinned(SIZE);
    const uint32_t word = 0xcafe1234, zero = 0;
    OK(teeny_buffer_fill(stream, a, 0, SIZE, &word, sizeof word));
    OK(teeny_buffer_fill(stream, b, 0, SIZE, &zero, sizeof zero));
    OK(teeny_buffer_copy(stream, b, 4, a, 0, SIZE - 8));
    OK(teeny_buffer_read_async(stream, b, 0, found, SIZE));
    OK(teeny_stream_synchronize(stream));
    for (int i = 0; i < END; i++)
        REQUIRE(found[i] == (i == 0 || i == END - 1 ? 0 : word), "word %d is 0x%x", i, found[i]);
}

/* Out of the device's memory into the host's of device cpu, and back to another place. */
static void copies_between_devices(void)
{
    static float values[COUNT], results[COUNT];
    teeny_device *cpu;
    teeny_buffer *a = check_buffer(BYTES), *b = check_buffer(BYTES), *other;
    count_up(values, 7);
    OK(teeny_device_open("cpu", &cpu));
    OK(teeny_buffer_create(cpu, BYTES, &other));
    OK(teeny_buffer_write_async(stream, a, 0, values, BYTES));
    OK(teeny_buffer_copy(stream, other, 0, a, 0, BYTES));
    OK(teeny_buffer_copy(stream, b, 0, other, 0, BYTES));
    OK(teeny_buffer_read(stream, b, 0, results, BYTES));
    teeny_buffer_destroy(other);
    teeny_device_close(cpu);
    for (int i = 0; i < COUNT; i++)
        EQUAL(results[i], 7 + i);
}

static void allocation_in_order(void)
{
    static float values[COUNT], results[COUNT];
    count_up(values, 0);
    for (int i = 0; i < 20; i++) {
        teeny_buffer *x, *out;
        OK(teeny_buffer_create_async(stream, BYTES, &x));
        OK(teeny_buffer_create_async(stream, BYTES, &out));
        OK(teeny_buffer_write_async(stream, x, 0, values, BYTES));
        OK(TEENY_LAUNCH(
            scale, stream, teeny_grid1(4), check_floats(out), check_floats(x), (float)i, COUNT));
        OK(teeny_buffer_destroy_async(stream, x));
        OK(teeny_buffer_read_async(stream, out, 0, results, BYTES));
        OK(teeny_buffer_destroy_async(stream, out));
        OK(teeny_stream_synchronize(stream));
        for (int k = 0; k < COUNT; k++)
            EQUAL(results[k], i * k);
    }
    teeny_buffer *late;
    OK(teeny_buffer_create_async(stream, BYTES, &late));
    teeny_buffer_destroy(late);
    OK(teeny_buffer_destroy_async(stream, NULL));
    OK(teeny_buffer_create(device, BYTES, &late));
    OK(teeny_buffer_destroy_async(stream, late));
}

static _Atomic(bool) is_destroyed;

static void *destroy_in_thread(void *buffer)
{
    teeny_buffer_destroy(buffer);
    is_destroyed = true;
    return NULL;
}

/* Whoever destroys a buffer of a stream that is held up waits. */
static void destruction_waits(void)
{
    enum { A_WHILE = 20000 }; /* microseconds */
    teeny_buffer *buffer;
    pthread_t thread;
    OK(teeny_buffer_create(device, SPIN_COUNT * sizeof(float), &buffer));
    OK(check_hold(stream));
    OK(check_spin(stream, check_floats(buffer)));
    is_destroyed = false;
    REQUIRE(pthread_create(&thread, NULL, destroy_in_thread, buffer) == 0, "no thread");
    usleep(A_WHILE);
    bool was_destroyed = is_destroyed;
    check_release();
    pthread_join(thread, NULL);
    REQUIRE(!was_destroyed, "teeny_buffer_destroy came back while a kernel was to use the buffer");
}

/* A buffer over a part of another's memory: copies and kernels see the same bytes. */
static void wrapped_memory(void)
{
    float results[16];
    teeny_buffer *whole = check_buffer(BYTES), *part, *none;
    const float zero = 0;
    OK(teeny_buffer_fill(stream, whole, 0, BYTES, &zero, sizeof zero));
    OK(teeny_buffer_wrap(device, check_floats(whole) + 64, sizeof results, &part));
    EQUAL(teeny_buffer_size(part), sizeof results);
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(part), 16));
    OK(teeny_buffer_read(stream, part, 0, results, sizeof results));
    EQUAL(results[0], 1);
    GIVES(TEENY_OUT_OF_BOUNDS, teeny_buffer_read(stream, part, 4, results, sizeof results));
    teeny_buffer_destroy(part);
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(whole) + 64, 16));
    OK(teeny_buffer_read(stream, whole, 64 * sizeof(float), results, sizeof results));
    EQUAL(results[15], 2);
    GIVES(TEENY_INVALID_ARGUMENT, teeny_buffer_wrap(device, NULL, 4, &none));
}

/* An allocator that hands out parts of one buffer. */
static struct {
    char *memory;
    size_t used;
    int given, taken;
} pool;

static void *take(void *user, size_t size, void *native)
{
    (void)native;
    if (user != &pool || pool.used + size > 1 << 16)
        return NULL;
    void *pointer = pool.memory + pool.used;
    pool.used += (size + 255) / 256 * 256;
    pool.given++;
    return pointer;
}

static void give(void *user, void *pointer, size_t size, void *native)
{
    (void)pointer;
    (void)size;
    (void)native;
    pool.taken += user == &pool;
}

static void callers_allocator(void)
{
    const teeny_allocator allocator = {take, give, &pool};
    float result;
    teeny_buffer *a = NULL, *b = NULL, *none;
    pool.memory = teeny_buffer_pointer(check_buffer(1 << 16));
    OK(teeny_device_set_allocator(device, &allocator));
    teeny_status first = teeny_buffer_create(device, 64, &a);
    teeny_status second = teeny_buffer_create_async(stream, 64, &b);
    teeny_status third = teeny_buffer_create(device, 1 << 17, &none);
    OK(teeny_device_set_allocator(device, NULL));
    OK(first);
    OK(second);
    GIVES(TEENY_OUT_OF_MEMORY, third);
    REQUIRE(teeny_buffer_pointer(a) == pool.memory, "the buffer is not the allocator's memory");
    const float four = 4;
    OK(teeny_buffer_fill(stream, a, 0, 64, &four, sizeof four));
    OK(TEENY_LAUNCH(add_one, stream, teeny_grid1(1), check_floats(a), 16));
    OK(teeny_buffer_copy(stream, b, 0, a, 0, 64));
    OK(teeny_buffer_read(stream, b, 60, &result, sizeof result));
    EQUAL(result, 5);
    teeny_buffer_destroy(a);
    OK(teeny_buffer_destroy_async(stream, b));
    EQUAL(pool.given, 2);
    EQUAL(pool.taken, 2);
}

const check_row check_copies[] = {
    {"copies that do not wait, pinned memory", asynchronous_pinned, ANY_DEVICE},
    {"copies that do not wait, pageable memory", asynchronous_pageable, ANY_DEVICE},
    {"copies that do not wait, registered memory", asynchronous_registered, ANY_DEVICE},
    {"a copy back on a busy stream is done later", copies_do_not_wait, ASYNCHRONOUS},
    {"fills of 1, 2 and 4 bytes", fills, ANY_DEVICE},
    {"fills and copies of megabytes", large_copies_and_fills, ANY_DEVICE},
    {"copies to and from a buffer of device cpu", copies_between_devices, ANY_DEVICE},
    {"allocation and freeing in a stream's order", allocation_in_order, ANY_DEVICE},
    {"teeny_buffer_destroy waits for a busy kernel", destruction_waits, ASYNCHRONOUS},
    {"a buffer over memory of others", wrapped_memory, ANY_DEVICE},
    {"the caller's allocator", callers_allocator, ANY_DEVICE},
    {NULL, NULL, ANY_DEVICE},
};
