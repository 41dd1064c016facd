/* Times the cpu device beside plain loops: see README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "timing.h"

enum { SAMPLES = 41, ELEMENTS = 1 << 24 };

static const struct {
    const char *name;
    struct size size;
    teeny_status (*launch)(teeny_stream *stream, struct size size, struct memory memory);
    void (*loop)(struct size size, struct memory memory);
    double work; /* an element of the output: bytes; 0: floating-point operations, by `inner` */
} cases[] = {
    {"add 64 k", {16, 4096, 0}, launch_add, loop_add, 12},
    {"add 10 M", {1, 10000001, 0}, launch_add, loop_add, 12},
    {"softmax 2048 x 4096", {2048, 4096, 0}, launch_softmax, loop_softmax, 8},
    {"softmax 64 x 4096", {64, 4096, 0}, launch_softmax, loop_softmax, 8},
    {"softmax 2048 x 1003", {2048, 1003, 0}, launch_softmax, loop_softmax, 8},
    {"layernorm 2048 x 4096", {2048, 4096, 0}, launch_layernorm, loop_layernorm, 8},
    {"layernorm 64 x 4096", {64, 4096, 0}, launch_layernorm, loop_layernorm, 8},
    {"layernorm 2048 x 1003", {2048, 1003, 0}, launch_layernorm, loop_layernorm, 8},
    {"matmul 512", {512, 512, 512}, launch_matmul, loop_matmul, 0},
    {"matmul 1024", {1024, 1024, 1024}, launch_matmul, loop_matmul, 0},
    {"matmul 1000", {1000, 1000, 1000}, launch_matmul, loop_matmul, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static void check(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

/* The greatest difference of the outputs, in parts of the size. */
static double difference(const float *a, const float *b, size_t count)
{
    double greatest = 0;
    for (size_t i = 0; i < count; i++)
        greatest = fmax(greatest, fabs((double)a[i] - (double)b[i]) / (fabs((double)b[i]) + 1e-3));
    return greatest;
}

static void run_kernel(teeny_stream *stream, int number, struct memory memory)
{
    check(cases[number].launch(stream, cases[number].size, memory));
    check(teeny_stream_synchronize(stream));
}

/* One after the other, so that whatever else the machine does meets both. */
static void run(teeny_stream *stream, int number, struct memory memory, float *other)
{
    static timing kernel, loop;
    struct memory for_loop = memory;
    struct size size = cases[number].size;
    double count = (double)size.rows * size.columns;
    for_loop.out = other;
    kernel.count = loop.count = 0;
    run_kernel(stream, number, memory);
    cases[number].loop(size, for_loop);
    double error = difference(memory.out, other, (size_t)count);
    for (int i = 0; i < SAMPLES; i++) {
        double start = timing_now();
        run_kernel(stream, number, memory);
        double middle = timing_now();
        cases[number].loop(size, for_loop);
        timing_add(&kernel, middle - start);
        timing_add(&loop, timing_now() - middle);
    }
    double ours = timing_median(&kernel), theirs = timing_median(&loop);
    double work = cases[number].work > 0 ? cases[number].work * count : 2 * count * size.inner;
    printf("%-22s  %10.1f  %10.1f  %8.1f  %8.1f  %6.2f  %7.2f  %8.1e\n", cases[number].name,
        ours / 1e3, theirs / 1e3, work / ours, work / theirs, theirs / ours,
        loop.samples[0] / kernel.samples[0], error);
}

int main(int count, char **words)
{
    teeny_device *device;
    teeny_stream *stream;
    teeny_buffer *buffers[5];
    float *pointers[5];
    check(teeny_device_open("cpu", &device));
    check(teeny_stream_create(device, &stream));
    for (int i = 0; i < 5; i++) {
        check(teeny_buffer_create(device, ELEMENTS * sizeof(float), &buffers[i]));
        pointers[i] = teeny_buffer_pointer(buffers[i]);
        for (int e = 0; e < ELEMENTS; e++)
            pointers[i][e] = (float)((e * (2 * i + 7)) % 1009) / 512.0f - 1.0f;
    }
    struct memory memory = {pointers[0], pointers[1], pointers[2], pointers[3]};
    printf("%-22s  %10s  %10s  %8s  %8s  %6s  %7s  %8s\n", "medians", "kernel us", "loop us", "G/s",
        "G/s", "ratio", "fastest", "differ");
    for (int i = 0; i < CASES; i++)
        if (count < 2 || strstr(cases[i].name, words[1]))
            run(stream, i, memory, pointers[4]);
    for (int i = 0; i < 5; i++)
        teeny_buffer_destroy(buffers[i]);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return 0;
}
