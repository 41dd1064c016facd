/* Nests of loops over the index space of a tile. No turn of an innermost loop depends on another
 * through memory, and LLVM is told, except where the nest is ordered. */
#ifndef TEENY_CODEGEN_CPU_NEST_H
#define TEENY_CODEGEN_CPU_NEST_H

#include "codegen/cpu/cpu.h"

struct cpu_nest {
    struct layout_shape shape;
    LLVMValueRef index[LAYOUT_MAX_RANK]; /* i64, of the current element */
    LLVMBasicBlockRef head[LAYOUT_MAX_RANK];
    bool is_ordered; /* turns do depend on one another; to be set between begin and end */
};

/* Opens the loops, the last dimension innermost, and leaves the builder in the innermost body. */
void cpu_nest_begin(
    struct cpu_kernel *kernel, const struct layout_shape *shape, struct cpu_nest *out_nest);

/* Closes them; the builder goes on behind the nest. */
void cpu_nest_end(struct cpu_kernel *kernel, struct cpu_nest *nest);

/* Of the branch back of a loop around nests: LLVM leaves it as it is. Unrolling would make it
 * larger and no faster; and vectorised along an ordered loop, the maximum of zeros would lose its
 * sign. */
void cpu_loop_keep(const struct cpu_kernel *kernel, LLVMValueRef branch);

/* Marks a load or store of a nest's body; outside of a nest (rank 0) there is nothing to say. */
void cpu_nest_mark_access(
    const struct cpu_kernel *kernel, const struct cpu_nest *nest, LLVMValueRef access);

/* The access group for cpu_kernel.access_group. */
LLVMValueRef cpu_access_group_create(LLVMContextRef context);

#endif
