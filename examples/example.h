/* What the examples share, so that each shows its kernel and little else. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <teeny/teeny.h>

/* Ends the example with libteeny's own words where a call failed. */
static inline void example_check(teeny_status status)
{
    if (status == TEENY_OK)
        return;
    fprintf(stderr, "%s: %s\n", teeny_status_name(status), teeny_message());
    exit(1);
}

static inline double example_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline void *example_memory(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* n numbers in [-1, 1); the caller frees them. */
static inline float *example_random(size_t n, unsigned seed)
{
    float *numbers = example_memory(n * sizeof *numbers);
    unsigned state = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (float)(int)(state >> 8) / 8388608.0f - 1.0f;
    }
    return numbers;
}

/* The same in half precision. */
static inline f16 *example_random_halves(size_t n, unsigned seed)
{
    float *numbers = example_random(n, seed);
    f16 *halves = example_memory(n * sizeof *halves);
    for (size_t i = 0; i < n; i++)
        halves[i] = (f16)numbers[i];
    free(numbers);
    return halves;
}

/* Half precision as double, for plain C to compute with; the caller frees it. */
static inline double *example_doubles(const f16 *halves, size_t n)
{
    double *numbers = example_memory(n * sizeof *numbers);
    for (size_t i = 0; i < n; i++)
        numbers[i] = (double)halves[i];
    return numbers;
}

/* Memory full of NaNs, of any float type: an element that a kernel forgets shows. The caller frees
 * it. */
static inline void *example_poisoned(size_t bytes)
{
    return memset(example_memory(bytes), 0xff, bytes);
}

/* A new buffer of the stream's device with a copy of host memory in it. */
static inline teeny_buffer *example_upload(
    teeny_device *device, teeny_stream *stream, const void *host, size_t bytes)
{
    teeny_buffer *buffer;
    example_check(teeny_buffer_create(device, bytes, &buffer));
    example_check(teeny_buffer_write(stream, buffer, 0, host, bytes));
    return buffer;
}

/* The larger of two errors, the second of any sign. A NaN, which no comparison finds, is an
 * infinite error. */
static inline double example_worse(double largest, double error)
{
    return isnan(error) ? INFINITY : fmax(largest, fabs(error));
}

/* Prints the error beside the largest one that is right, and is the exit status. */
static inline int example_verdict(double error, double limit)
{
    const int is_right = error <= limit;
    printf("error:    %.2g, %s %g\n", error, is_right ? "at most" : "WRONG: more than", limit);
    return is_right ? 0 : 1;
}

static inline void example_report_device(const teeny_device *device)
{
    printf("device:   %s (%s)\n", teeny_device_name(device), teeny_device_model(device));
}

/* The kernel, and where its compiled form lies. */
static inline void example_report_artifact(
    const teeny_kernel *kernel, const teeny_artifact *artifact)
{
    printf("kernel:   %s\n", kernel->text.name);
    printf("artifact: %s\n", teeny_artifact_path(artifact));
}

/* The same of a kernel with its default options. */
static inline void example_report_kernel(const teeny_device *device, const teeny_kernel *kernel)
{
    teeny_artifact *artifact;
    example_check(teeny_compile_kernel(kernel, teeny_device_target(device), NULL, &artifact));
    example_report_artifact(kernel, artifact);
    teeny_artifact_destroy(artifact);
}

#endif
