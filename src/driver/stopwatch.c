/* See stopwatch.h. */
#include "driver/stopwatch.h"

#include <time.h>

double stopwatch_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

void stopwatch_start(stopwatch *stopwatch)
{
    stopwatch->started = stopwatch_now();
}

static void add(stopwatch *stopwatch, const char *name, double milliseconds, int is_part)
{
    if (stopwatch->count == STOPWATCH_MOST_LAPS)
        return;
    stopwatch->laps[stopwatch->count].name = name;
    stopwatch->laps[stopwatch->count].milliseconds = milliseconds;
    stopwatch->laps[stopwatch->count++].is_part = is_part;
}

void stopwatch_lap(stopwatch *stopwatch, const char *name)
{
    double now = stopwatch_now();
    add(stopwatch, name, now - stopwatch->started, 0);
    stopwatch->started = now;
}

void stopwatch_part(stopwatch *stopwatch, const char *name, double milliseconds)
{
    add(stopwatch, name, milliseconds, 1);
}

void stopwatch_print(const stopwatch *stopwatch, FILE *out)
{
    double sum = 0;
    for (unsigned i = 0; i < stopwatch->count; i++) {
        fprintf(out, "%9.3f ms  %s%s\n", stopwatch->laps[i].milliseconds,
            stopwatch->laps[i].is_part ? "  " : "", stopwatch->laps[i].name);
        sum += stopwatch->laps[i].is_part ? 0 : stopwatch->laps[i].milliseconds;
    }
    fprintf(out, "%9.3f ms  all stages\n", sum);
}
