/* How many threads run kernels on the host, on the devices cpu and emu. */
#ifndef TEENY_RUNTIME_HOST_THREADS_H
#define TEENY_RUNTIME_HOST_THREADS_H

#include <teeny/status.h>

enum { TEENY_THREAD_LIMIT = 1024 };

/* The cores that this process may use; many where the system does not say. */
unsigned teeny_host_cores(void);

/* TEENY_CPU_THREADS, else the cores; from 1 to TEENY_THREAD_LIMIT.
 * Errors: TEENY_OPTION_INVALID. */
teeny_status teeny_host_threads(unsigned *out_threads);

#endif
