/* Who needs what: the questions behind the order of accesses and behind buffers. Private to the CPU
 * path. Tiles that are pulled are computed on the way, so a need goes through them. */
#ifndef TEENY_CODEGEN_CPU_USES_H
#define TEENY_CODEGEN_CPU_USES_H

#include "codegen/cpu/cpu.h"

struct cpu_need {
    MlirValue value;
    /* Only elementwise operations lie between: an element needs the value's element with the same
     * index, and no other. */
    bool same_index;
};

struct cpu_needs {
    struct cpu_need *list;
    size_t count;
};

/* The pending values among `values` and behind them; those behind other pending values too. In the
 * arena. */
struct cpu_needs cpu_needs_of(struct cpu_kernel *kernel, const MlirValue *values, size_t count);

/* The buffered values likewise, among and behind the value. */
struct cpu_needs cpu_buffered_behind(struct cpu_kernel *kernel, MlirValue value);

/* Whether anything but `consumer` needs a value that has not been made. Pulled tiles that nobody
 * uses need nothing; nor does what is in a buffer, or in `filled` (may be NULL). */
bool cpu_needed_beyond(struct cpu_kernel *kernel, MlirValue value, MlirOperation consumer,
    const struct pointer_map *filled);

/* The operations that need the value and are not computed later, each once. In the arena. */
struct cpu_users {
    MlirOperation *list;
    size_t count, capacity;
};
struct cpu_users cpu_users_of(struct cpu_kernel *kernel, MlirValue value);

#endif
