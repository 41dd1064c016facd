/* Times the cpu device beside plain loops: see README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "timing.h"

enum { SAMPLES = 15, LONG_ENOUGH = 1000000 /* ns a sample */, MOST_REPEATS = 200 };

void bench_check(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

static double element(const void *memory, enum element type, int i)
{
    switch (type) {
    case ELEMENT_F16:
        return (double)((const f16 *)memory)[i];
    case ELEMENT_I32:
        return ((const int *)memory)[i];
    default:
        return (double)((const float *)memory)[i];
    }
}

/* The greatest difference of the outputs: absolute for small elements, else in parts of them. */
static double difference(const struct bench_case *it, const void *a, const void *b)
{
    double greatest = 0;
    for (int i = 0; i < it->out_count; i++) {
        double x = element(a, it->out, i), y = element(b, it->out, i);
        greatest = fmax(greatest, fabs(x - y) / fmax(1, fabs(y)));
    }
    return greatest;
}

static void run_kernel(teeny_stream *stream, const struct bench_case *it, struct memory memory)
{
    bench_check(it->launch(stream, it->size, memory));
    bench_check(teeny_stream_synchronize(stream));
}

/* One sample of each, one after the other, so that whatever else the machine does meets both. */
static void sample(teeny_stream *stream, const struct bench_case *it, struct memory memory,
    struct memory for_loop, int repeats, timing *kernel, timing *loop)
{
    double start = timing_now();
    for (int i = 0; i < repeats; i++)
        run_kernel(stream, it, memory);
    double middle = timing_now();
    for (int i = 0; i < repeats; i++)
        it->loop(it->size, for_loop);
    timing_add(kernel, (middle - start) / repeats);
    timing_add(loop, (timing_now() - middle) / repeats);
}

static void run(
    teeny_stream *stream, const struct bench_case *it, struct memory memory, void *other)
{
    static timing kernel, loop, first, ignored;
    struct memory for_loop = memory;
    for_loop.out = other;
    kernel.count = loop.count = first.count = ignored.count = 0;
    run_kernel(stream, it, memory);
    it->loop(it->size, for_loop);
    double error = difference(it, memory.out, other);
    sample(stream, it, memory, for_loop, 1, &first, &ignored);
    int repeats = (int)fmin(fmax(LONG_ENOUGH / first.samples[0], 1), MOST_REPEATS);
    for (int i = 0; i < SAMPLES; i++)
        sample(stream, it, memory, for_loop, repeats, &kernel, &loop);
    double ours = timing_median(&kernel), theirs = timing_median(&loop);
    printf("%-22s  %9.1f  %9.1f  %7.1f %-7s  %6.2f  %7.2f  %7.0e\n", it->name, ours / 1e3,
        theirs / 1e3, it->work / ours, it->unit, theirs / ours, loop.samples[0] / kernel.samples[0],
        error);
    fflush(stdout);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = aligned_alloc(256, count * size);
    if (memory)
        return memset(memory, 0, count * size);
    fputs("out of memory\n", stderr);
    exit(1);
}

/* Numbers that repeat late and are spread evenly. */
static void fill(float *numbers, f16 *halves, int step)
{
    for (int i = 0; i < BENCH_ELEMENTS; i++) {
        numbers[i] = (float)((unsigned)i * (unsigned)step % 1009) / 504.5f - 1.0f;
        halves[i] = (f16)numbers[i];
    }
}

int main(int count, char **words)
{
    teeny_device *device;
    teeny_stream *stream;
    bench_check(teeny_device_open("cpu", &device));
    bench_check(teeny_stream_create(device, &stream));
    float *inputs[3];
    f16 *halves[3];
    for (int i = 0; i < 3; i++) {
        inputs[i] = allocate(BENCH_ELEMENTS, sizeof(float));
        halves[i] = allocate(BENCH_ELEMENTS, sizeof(f16));
        fill(inputs[i], halves[i], 2 * i + 7);
    }
    struct memory memory = {.out = allocate(BENCH_ELEMENTS, sizeof(float)),
        .x = inputs[0],
        .y = inputs[1],
        .z = inputs[2],
        .half_x = halves[0],
        .half_y = halves[1],
        .half_z = halves[2],
        .values = allocate(BENCH_ELEMENTS, sizeof(int)),
        .scratch = allocate(BENCH_SCRATCH, sizeof(float))};
    for (int i = 0; i < BENCH_ELEMENTS; i++)
        memory.values[i] = (int)((unsigned)i * 2654435761u >> 16) % 100;
    void *other = allocate(BENCH_ELEMENTS, sizeof(float));
    kernels_load(device);
    printf("%-22s  %9s  %9s  %7s %-7s  %6s  %7s  %7s\n", "medians", "kernel us", "loop us",
        "kernel", "", "ratio", "fastest", "differ");
    for (int i = 0; i < bench_case_count; i++)
        if (count < 2 || strstr(bench_cases[i].name, words[1]))
            run(stream, &bench_cases[i], memory, other);
    kernels_unload();
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    for (int i = 0; i < 3; i++) {
        free(inputs[i]);
        free(halves[i]);
    }
    free(memory.out);
    free(memory.values);
    free(memory.scratch);
    free(other);
    return 0;
}
