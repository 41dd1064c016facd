/* See host_threads.h. */
#define _GNU_SOURCE 1 /* sched_getaffinity */
#include "runtime/host_threads.h"

#include "base/environment.h"
#include "runtime/report.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>

/* A set too small for the machine is a machine with many. */
unsigned teeny_host_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        return 64;
    return (unsigned)CPU_COUNT(&set);
}

teeny_status teeny_host_threads(unsigned *out_threads)
{
    const char *value = teeny_environment(TEENY_VARIABLE_TEENY_CPU_THREADS);
    *out_threads = teeny_host_cores();
    if (!value)
        return TEENY_OK;
    char *end;
    long threads = strtol(value, &end, 10);
    if (end == value || *end || threads < 1 || threads > TEENY_THREAD_LIMIT)
        return teeny_fail(TEENY_OPTION_INVALID,
            "TEENY_CPU_THREADS is `%s`, not a number of threads from 1 to %d", value,
            TEENY_THREAD_LIMIT);
    *out_threads = (unsigned)threads;
    return TEENY_OK;
}

/* All but those that tell of the thread's own faults: where one of these is blocked, the fault ends
 * the process unheard, whatever handler it has. */
static void fill_mask(sigset_t *mask)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(mask);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(mask, faults[i]);
}

int teeny_thread_start(pthread_t *out_thread, void *(*body)(void *argument), void *argument)
{
    sigset_t mask, before;
    fill_mask(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    int error = pthread_create(out_thread, NULL, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
