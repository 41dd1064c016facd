/* See timing.h. A sample is a batch of launches and one wait, long enough for the clock; so a
 * kernel that is shorter than its launch shows the rate of launches. */
#include "command/run/timing.h"

#include "command/run/memory_fault.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BATCH = 1000 };
static const double shortest_sample = 1e-3; /* seconds */

/* Two events of the device, around what is timed. */
typedef struct stopwatch {
    teeny_event *begin, *end;
} stopwatch;

static bool stopwatch_make(const trial *trial, stopwatch *out_watch)
{
    *out_watch = (stopwatch){0};
    return (teeny_event_create(trial->device, true, &out_watch->begin) == TEENY_OK &&
               teeny_event_create(trial->device, true, &out_watch->end) == TEENY_OK) ||
           trial_fail();
}

static void stopwatch_free(stopwatch *watch)
{
    teeny_event_destroy(watch->begin);
    teeny_event_destroy(watch->end);
}

static teeny_status launch_often(trial *trial, long count)
{
    teeny_status status = TEENY_OK;
    for (long i = 0; i < count && status == TEENY_OK; i++)
        status = teeny_launch_function(
            trial->stream, trial->function, trial->grid, trial->packed, trial->packed_size);
    return status;
}

/* The seconds of each of `count` launches; negative after a message. */
static double time_batch(trial *trial, const stopwatch *watch, long count)
{
    double seconds = 0;
    memory_fault_catch(trial->device); /* what the launches before left may lead elsewhere */
    teeny_status status = teeny_event_record(watch->begin, trial->stream);
    if (status == TEENY_OK)
        status = launch_often(trial, count);
    if (status == TEENY_OK)
        status = teeny_event_record(watch->end, trial->stream);
    if (status == TEENY_OK)
        status = teeny_stream_synchronize(trial->stream);
    memory_fault_release();
    if (status == TEENY_OK)
        status = teeny_event_elapsed(watch->begin, watch->end, &seconds);
    return status == TEENY_OK ? seconds / (double)count : trial_fail() - 1;
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
    printf("  time: median %s, fastest %s, of %ld samples of %ld launch%s",
        duration(samples[times / 2], median, sizeof median),
        duration(samples[0], fastest, sizeof fastest), times, batch, batch == 1 ? "" : "es");
    if (bytes > 0)
        printf(", %.3g GB/s", bytes / samples[times / 2] * 1e-9);
    printf("\n");
}

/* Samples of as many launches as take long enough. */
static bool take_samples(
    trial *trial, const stopwatch *watch, double *samples, long times, double bytes)
{
    double once = time_batch(trial, watch, 1);
    if (once < 0)
        return false;
    long batch =
        once * MOST_BATCH < shortest_sample ? MOST_BATCH : (long)(shortest_sample / once) + 1;
    for (long i = 0; i < times; i++) {
        samples[i] = time_batch(trial, watch, batch);
        if (samples[i] < 0)
            return false;
    }
    print(samples, times, batch, bytes);
    return true;
}

bool timing_run(trial *trial, long warm_up, long times, double bytes)
{
    stopwatch watch;
    double *samples = calloc((size_t)times + 1, sizeof *samples);
    bool is_right = stopwatch_make(trial, &watch) && samples;
    if (!samples)
        fputs("teeny run: out of memory\n", stderr);
    for (long i = 0; is_right && i < warm_up; i++)
        is_right = time_batch(trial, &watch, 1) >= 0;
    is_right = is_right && take_samples(trial, &watch, samples, times, bytes);
    stopwatch_free(&watch);
    free(samples);
    return is_right;
}
