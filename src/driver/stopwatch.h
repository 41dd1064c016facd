/* Times of stages and passes, for --time. */
#ifndef TEENY_DRIVER_STOPWATCH_H
#define TEENY_DRIVER_STOPWATCH_H

#include <stdio.h>

enum { STOPWATCH_MOST_LAPS = 128 };

typedef struct stopwatch {
    struct {
        const char *name;
        double milliseconds;
        int is_part; /* of the lap that ends after it: a pass of a stage */
    } laps[STOPWATCH_MOST_LAPS];
    unsigned count;
    double started; /* of the lap that runs, in milliseconds */
} stopwatch;

double stopwatch_now(void);
void stopwatch_start(stopwatch *stopwatch);
/* Ends a lap under this name, and starts the next. */
void stopwatch_lap(stopwatch *stopwatch, const char *name);
/* Adds a part that somebody else measured. */
void stopwatch_part(stopwatch *stopwatch, const char *name, double milliseconds);
/* A line a lap, and the sum of the laps. */
void stopwatch_print(const stopwatch *stopwatch, FILE *out);

#endif
