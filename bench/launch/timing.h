/* Samples of one measurement, and how they are printed. */
#ifndef TEENY_BENCH_TIMING_H
#define TEENY_BENCH_TIMING_H

#include <stddef.h>

enum { TIMING_LIMIT = 1024 };

typedef struct timing {
    double samples[TIMING_LIMIT]; /* nanoseconds */
    size_t count;
} timing;

/* Nanoseconds of a clock that only goes forward. */
double timing_now(void);

/* Adds a sample; those beyond the limit are dropped. */
void timing_add(timing *timing, double nanoseconds);

/* One line: median, fastest, 90th percentile, number of samples. */
void timing_print(timing *timing, const char *name);

/* The median; sorts the samples. */
double timing_median(timing *timing);

#endif
