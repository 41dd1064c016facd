/* Which CPU this is, without asking a compiler: compiled code for one must not run on another. */
#ifndef TEENY_RUNTIME_HOST_CPU_H
#define TEENY_RUNTIME_HOST_CPU_H

#include <stddef.h>

/* A line that is the same on CPUs of the same model and features, and on all cores. Static. */
const char *teeny_host_cpu_identity(void);

/* What the CPU calls itself, in at most `size` bytes. */
void teeny_host_cpu_model(char *out_model, size_t size);

/* The ELF EM_ value of code that runs here. */
unsigned teeny_host_cpu_machine(void);

/* The level of this CPU in base/cpu_targets.h; at least 1. */
unsigned teeny_host_cpu_level(void);

/* The level of a target of base/cpu_targets.h, or 0 where this CPU does not run its code. */
unsigned teeny_host_cpu_runs(const char *target);

#endif
