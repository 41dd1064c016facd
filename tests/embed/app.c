/* A program of nothing but libteeny and what teenyc --emit c wrote: app DEVICE checks every kernel,
 * at first from several threads at once. Valid as C and as C++. */
#include "kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, ROWS = 37, COLUMNS = 50, THREADS = 4, KINDS = 9 };

static teeny_device *device;
static teeny_stream *stream;
static int failures;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != TEENY_OK) {                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, teeny_message());                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void expect(int is_right, const char *what, int which)
{
    if (!is_right && failures++ < 10)
        fprintf(stderr, "wrong: %s %d\n", what, which);
}

static teeny_buffer *buffer_of(const void *data, size_t size)
{
    teeny_buffer *buffer;
    OK(teeny_buffer_create(device, size, &buffer));
    OK(teeny_buffer_write(stream, buffer, 0, data, size));
    return buffer;
}

/* Every length and alignment of arguments that variants differ in. */
static void check_vector_add(int shift, int n)
{
    float x[N + 4], out[N + 4] = {0};
    for (int i = 0; i < N + 4; i++)
        x[i] = (float)i;
    teeny_buffer *from = buffer_of(x, sizeof x), *to = buffer_of(out, sizeof out);
    float *first = (float *)teeny_buffer_pointer(from) + shift;
    float *result = (float *)teeny_buffer_pointer(to) + shift;
    int programs = (n + vector_add_BLOCK - 1) / vector_add_BLOCK;
    OK(vector_add_launch(stream, teeny_grid1(programs), result, first, first, n));
    OK(teeny_buffer_read(stream, to, 0, out, sizeof out));
    for (int i = 0; i < N + 4; i++)
        expect(out[i] == (i >= shift && i < shift + n ? 2 * x[i] : 0), "vector_add", n);
    teeny_buffer_destroy(from);
    teeny_buffer_destroy(to);
}

static f16 half_of(uint16_t bits)
{
    f16 value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_kinds(void)
{
    static const int64_t expected[KINDS] = {1, -8, 200, -3000, 60000, -70000, 4000000000, -5, 1};
    int64_t integers[KINDS] = {0};
    double floats[4] = {0};
    bf16 brain = {0x4049}; /* 3.140625 */
    teeny_buffer *first = buffer_of(integers, sizeof integers);
    teeny_buffer *second = buffer_of(floats, sizeof floats);
    OK(kinds_launch(stream, teeny_grid1(1), (i64 *)teeny_buffer_pointer(first),
        (f64 *)teeny_buffer_pointer(second), true, -8, 200, -3000, 60000, -70000, 4000000000u, -5,
        1, half_of(0x3e00), brain, 0.75f, -0.1));
    OK(teeny_buffer_read(stream, first, 0, integers, sizeof integers));
    OK(teeny_buffer_read(stream, second, 0, floats, sizeof floats));
    for (int i = 0; i < KINDS; i++)
        expect(integers[i] == expected[i], "integer", i);
    expect(floats[0] == 1.5, "f16", 0);
    expect(floats[1] == 3.140625, "bf16", 0);
    expect(floats[2] == 1.5, "f32", 0);
    expect(floats[3] == -0.1, "f64", 0);
    teeny_buffer_destroy(first);
    teeny_buffer_destroy(second);
}

static void check_blocks(void)
{
    float a[ROWS * COLUMNS], c[ROWS * COLUMNS] = {0};
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i] = (float)i;
    teeny_buffer *from = buffer_of(a, sizeof a), *to = buffer_of(c, sizeof c);
    teeny_grid grid = teeny_grid2(
        (COLUMNS + add_blocks_BN - 1) / add_blocks_BN, (ROWS + add_blocks_BM - 1) / add_blocks_BM);
    OK(add_blocks_launch(stream, grid,
        teeny_tensor(f32, (f32 *)teeny_buffer_pointer(from), (ROWS, COLUMNS), (COLUMNS, 1)),
        teeny_tensor(f32, (f32 *)teeny_buffer_pointer(to), (ROWS, COLUMNS), (COLUMNS, 1)), 0.5f));
    OK(teeny_buffer_read(stream, to, 0, c, sizeof c));
    for (int i = 0; i < ROWS * COLUMNS; i++)
        expect(c[i] == a[i] + 0.5f, "element", i);
    teeny_buffer_destroy(from);
    teeny_buffer_destroy(to);
}

static void *add_in_thread(void *number)
{
    check_vector_add((int)(intptr_t)number, N - 3 * (int)(intptr_t)number);
    return NULL;
}

int main(int count, char **words)
{
    pthread_t threads[THREADS];
    OK(teeny_device_open(count > 1 ? words[1] : "cpu", &device));
    OK(teeny_stream_create(device, &stream));
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, add_in_thread, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_vector_add(0, 960);
    check_vector_add(0, 1);
    check_kinds();
    check_blocks();
    OK(nothing_launch(stream, teeny_grid1(2)));
    OK(teeny_stream_synchronize(stream));
    expect(vector_add_launch(stream, teeny_grid1(-1), NULL, NULL, NULL, 0) == TEENY_INVALID_GRID,
        "a grid", -1);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    if (!failures)
        puts("right");
    return failures != 0;
}
