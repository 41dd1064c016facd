/* Who needs which load: the questions behind the order of accesses. Private to the CPU path.
 *
 * A "pending" load has not been made; tiles between it and a consumer are computed on the way. */
#ifndef TEENY_CODEGEN_CPU_USES_H
#define TEENY_CODEGEN_CPU_USES_H

#include "codegen/cpu/cpu.h"

struct cpu_need {
    MlirOperation load;
    /* Only elementwise operations lie between: an element of `op` needs the load's element with the
     * same index, and no other. */
    bool same_index;
};

struct cpu_needs {
    struct cpu_need *list;
    size_t count;
};

/* The pending loads that the operands of `op` need, directly or through what is pulled; those
 * through the operands of other pending loads too. In the arena. */
struct cpu_needs cpu_loads_needed_by(struct cpu_kernel *kernel, MlirOperation op);

/* Whether anything but `consumer` needs the load's value: a null `consumer` asks for any need.
 * Pulled tiles that nobody uses need nothing. */
bool cpu_load_needed_beyond(struct cpu_kernel *kernel, MlirOperation load, MlirOperation consumer);

#endif
