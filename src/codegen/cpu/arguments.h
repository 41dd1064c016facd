/* Tiles that are arguments of blocks: what changes in loops and conditions.
 *
 *     the same value on every way in           no storage: it is that value (an alias)
 *     a start, and then itself plus a scalar   no storage: the start plus a scalar that changes
 *     anything else                            a buffer, written on the ways into the block
 */
#ifndef TEENY_CODEGEN_CPU_ARGUMENTS_H
#define TEENY_CODEGEN_CPU_ARGUMENTS_H

#include "codegen/cpu/cpu.h"

/* An argument without a buffer. */
struct cpu_argument {
    MlirValue base;
    bool moves;          /* by a scalar, the same for all elements */
    LLVMValueRef offset; /* i64: how far; counts elements for pointers. NULL where none moves */
};

/* Decides for every argument of every block but the first. */
void cpu_arguments_classify(struct cpu_kernel *kernel);

/* Makes what changes as scalars do: phis in the blocks, which exist already. */
void cpu_arguments_make_phis(struct cpu_kernel *kernel);

/* NULL for what is no argument or has a buffer. */
const struct cpu_argument *cpu_argument_of(const struct cpu_kernel *kernel, MlirValue value);

/* The value behind aliases. */
MlirValue cpu_resolve(const struct cpu_kernel *kernel, MlirValue value);

/* What an edge does to arguments that move: called at the edge's place. */
void cpu_arguments_add_incoming(struct cpu_kernel *kernel, const struct cpu_edge *edge);

/* Whether the operand of a branch is where an argument that moves starts, or an alias's value. */
bool cpu_use_is_renaming(const struct cpu_kernel *kernel, MlirOpOperand use, MlirValue *out_name);

#endif
