/* Threads that work for libteeny on the host: how many run kernels, on the devices cpu and emu, and
 * how they are started. */
#ifndef TEENY_RUNTIME_HOST_THREADS_H
#define TEENY_RUNTIME_HOST_THREADS_H

#include <pthread.h>
#include <teeny/status.h>

enum { TEENY_THREAD_LIMIT = 1024 };

/* The cores that this process may use; many where the system does not say. */
unsigned teeny_host_cores(void);

/* TEENY_CPU_THREADS, else the cores; from 1 to TEENY_THREAD_LIMIT.
 * Errors: TEENY_OPTION_INVALID. */
teeny_status teeny_host_threads(unsigned *out_threads);

/* Starts a thread that takes none of the host's signals, which are for the host's own threads; a
 * handler for faults, such as SIGSEGV, hears of the thread's own. Returns 0 or an errno value. */
int teeny_thread_start(pthread_t *out_thread, void *(*body)(void *argument), void *argument);

#endif
