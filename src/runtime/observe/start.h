/* What observes a process because its environment says so. */
#ifndef TEENY_RUNTIME_OBSERVE_START_H
#define TEENY_RUNTIME_OBSERVE_START_H

/* Reads TEENY_LOG and TEENY_NVTX, the first time; whatever opens a device or compiles calls it. A
 * later change is not seen, but for TEENY_LOG's between warning and info. Thread-safe. */
void teeny_observe_start(void);

#endif
