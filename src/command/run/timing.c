/* See timing.h. A sample is a batch of launches and one wait, long enough for the clock; so a
 * kernel that is shorter than its launch shows the rate of launches. */
#include "command/run/timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_BATCH = 1000 };
static const double shortest_sample = 1e-3; /* seconds */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The seconds of each of `count` launches; negative after a message. */
static double time_batch(trial *trial, long count)
{
    double begin = now();
    for (long i = 0; i < count; i++)
        if (teeny_launch_function(trial->stream, trial->function, trial->grid, trial->packed,
                trial->packed_size) != TEENY_OK)
            return trial_fail() - 1;
    if (teeny_stream_synchronize(trial->stream) != TEENY_OK)
        return trial_fail() - 1;
    return (now() - begin) / (double)count;
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static const char *duration(double seconds, char *text, size_t size)
{
    if (seconds < 1e-3)
        snprintf(text, size, "%.2f us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, size, "%.3f ms", seconds * 1e3);
    else
        snprintf(text, size, "%.3f s", seconds);
    return text;
}

static void print(double *samples, long times, long batch, double bytes)
{
    char median[32], fastest[32];
    qsort(samples, (size_t)times, sizeof *samples, compare_doubles);
    printf("  time: median %s, fastest %s, of %ld samples of %ld launches",
        duration(samples[times / 2], median, sizeof median),
        duration(samples[0], fastest, sizeof fastest), times, batch);
    if (bytes > 0)
        printf(", %.3g GB/s", bytes / samples[times / 2] * 1e-9);
    printf("\n");
}

bool timing_run(trial *trial, long warm_up, long times, double bytes)
{
    for (long i = 0; i < warm_up; i++)
        if (time_batch(trial, 1) < 0)
            return false;
    double once = time_batch(trial, 1);
    if (once < 0)
        return false;
    long batch = once < shortest_sample ? (long)(shortest_sample / once) + 1 : 1;
    batch = batch < MOST_BATCH ? batch : MOST_BATCH;
    double *samples = calloc((size_t)times + 1, sizeof *samples);
    bool is_right = samples != NULL;
    for (long i = 0; is_right && i < times; i++) {
        samples[i] = time_batch(trial, batch);
        is_right = samples[i] >= 0;
    }
    if (is_right)
        print(samples, times, batch, bytes);
    free(samples);
    return is_right;
}
