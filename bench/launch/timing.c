/* Samples of one measurement; see timing.h. */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double timing_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

void timing_add(timing *timing, double nanoseconds)
{
    if (timing->count < TIMING_LIMIT)
        timing->samples[timing->count++] = nanoseconds;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double timing_median(timing *timing)
{
    qsort(timing->samples, timing->count, sizeof timing->samples[0], compare);
    return timing->count ? timing->samples[timing->count / 2] : 0;
}

static void print_time(double nanoseconds)
{
    if (nanoseconds < 1e4)
        printf("  %8.0f ns", nanoseconds);
    else if (nanoseconds < 1e7)
        printf("  %8.1f us", nanoseconds / 1e3);
    else
        printf("  %8.1f ms", nanoseconds / 1e6);
}

void timing_print(timing *timing, const char *name)
{
    double median = timing_median(timing);
    if (!timing->count)
        return;
    printf("%-18s", name);
    print_time(median);
    print_time(timing->samples[0]);
    print_time(timing->samples[timing->count * 9 / 10]);
    printf("  %6zu\n", timing->count);
}
