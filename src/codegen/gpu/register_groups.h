/* Loops over groups of registers: elementwise operations on tiles of which a thread holds much.
 *
 * Written out for each element, 50 operations on 512 elements a thread are 25,600 instructions,
 * over which LLVM and ptxas spend minutes. A run of such operations is emitted for 16 elements
 * instead, in a loop:
 *
 *     for (group = 0; group < registers / 16; group++) {
 *         load 16 elements of each tile that the run takes       from local memory (spill.h)
 *         the run's operations, on 16 elements                   kernel->group is set
 *         store 16 elements of each tile that is used behind it
 *     }
 *
 * Register i of a tile is register i % 16 of group i / 16; both numbers are bits of the layout.
 */
#ifndef TEENY_CODEGEN_GPU_REGISTER_GROUPS_H
#define TEENY_CODEGEN_GPU_REGISTER_GROUPS_H

#include "codegen/gpu/gpu.h"

/* Where a run that is worth a loop begins at `op`, lowers it and all between its operations, and
 * gives the first operation behind it in *out_next; else *out_next is `op`. False after an error.
 */
bool register_groups_lower_run(
    struct gpu_kernel *kernel, MlirOperation op, MlirOperation *out_next);

/* Copies a tile between arrays in local memory; from NULL where it is a source (spill.h). */
bool register_groups_copy(
    struct gpu_kernel *kernel, MlirValue tile, LLVMValueRef from, LLVMValueRef to);

#endif
