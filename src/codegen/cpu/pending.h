/* What has been met in the current block but not been computed: loads since the last write, free to
 * be made anywhere up to the next one, and tiles to be kept (plan.c), whose first nest is still to
 * come. Private to the CPU path. */
#ifndef TEENY_CODEGEN_CPU_PENDING_H
#define TEENY_CODEGEN_CPU_PENDING_H

#include "codegen/cpu/cpu.h"

struct cpu_pending {
    MlirValue *list; /* in program order, with room for all of the function */
    size_t count;
};

void cpu_pending_init(struct cpu_kernel *kernel);
void cpu_pending_add(struct cpu_kernel *kernel, MlirValue tile);
bool cpu_is_pending(const struct cpu_kernel *kernel, MlirValue value);

/* Whether a pending value is a load. */
bool cpu_is_load(MlirValue value);

/* Before `consumer`, a store or a branch: gives buffers to what is needed by others too, later on.
 * `filled` (may be NULL) holds what the consumer's own nest will keep. A null consumer stands for a
 * write that needs none of them. */
bool cpu_pending_make_needed_beyond(
    struct cpu_kernel *kernel, MlirOperation consumer, const struct pointer_map *filled);

/* All at once, for a null consumer, and forgets them. */
bool cpu_pending_flush(struct cpu_kernel *kernel);

#endif
