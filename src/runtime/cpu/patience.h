/* How long a thread looks for a change that other threads make before it sleeps.
 *
 * To be woken up takes some 10 microseconds, on a virtual machine 50: more than a short task takes.
 * So threads look for about that long, which costs at most as much again as sleeping at once. Where
 * there is a single core, whoever is waited for needs it: nobody looks.
 */
#ifndef TEENY_RUNTIME_CPU_PATIENCE_H
#define TEENY_RUNTIME_CPU_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { TEENY_PATIENCE_NANOSECONDS = 50000, TEENY_PATIENCE_CLOCK = 16 };

struct teeny_patience {
    int64_t end; /* on the monotonic clock, in nanoseconds; 0: not asked for yet */
    unsigned looks;
    bool is_none;
};

static inline int64_t teeny_patience_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline struct teeny_patience teeny_patience_new(bool can_look)
{
    return (struct teeny_patience){.is_none = !can_look};
}

/* Waits for some nanoseconds; false when it has been long enough. */
static inline bool teeny_patience_left(struct teeny_patience *patience)
{
    if (patience->is_none)
        return false;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
    if (patience->looks++ % TEENY_PATIENCE_CLOCK)
        return true;
    int64_t now = teeny_patience_now();
    if (!patience->end)
        patience->end = now + TEENY_PATIENCE_NANOSECONDS;
    return now < patience->end;
}

#endif
