/* Tiles in local memory: those of more elements a thread than there are registers.
 *
 * Such a tile is an array on the thread's stack, element by element in the order of its layout's
 * registers, and no array of LLVM values. Operations come to its elements
 *
 *   all at once     whatever moves or combines elements: they are loaded before it, and what it
 *                   makes is stored after it (spill_lower_operation)
 *   group by group  elementwise operations, in a loop (register_groups.h)
 *
 * Ranges, splats and constants cost nothing to make, so they are made again where they are used.
 */
#ifndef TEENY_CODEGEN_GPU_SPILL_H
#define TEENY_CODEGEN_GPU_SPILL_H

#include "codegen/gpu/gpu.h"

/* How many elements of a tile a thread holds in this type's layout; 0 for what is no tile. */
unsigned spill_register_count(MlirType type);

/* Whether tiles of the type lie in local memory. */
bool spill_is_wanted(MlirType type);

/* Whether the value is made again where it is used. */
bool spill_is_source(MlirValue value);

/* An array for a tile of this type; NULL after an error at `op`: there is no room. */
LLVMValueRef spill_make(struct gpu_kernel *kernel, MlirOperation op, MlirType type);

/* The array of a value, or of a block's argument; NULL where it has none. */
LLVMValueRef spill_of(const struct gpu_kernel *kernel, MlirValue value);

/* Loads or stores `count` elements: from the first on, or where kernel->group says. */
struct lowered *spill_load(
    struct gpu_kernel *kernel, LLVMValueRef array, MlirType type, unsigned count);
void spill_store(
    struct gpu_kernel *kernel, LLVMValueRef array, MlirType type, const struct lowered *elements);

/* For lowering_make_blocks(): no phis for tiles in local memory. */
lowering_count_function spill_phi_count;

/* Arrays for the blocks' arguments, and what a way into a block stores in them: lowering.edge. */
bool spill_make_arguments(struct gpu_kernel *kernel, const MlirBlock *blocks, size_t count);
bool spill_edge(struct lowering *lowering, MlirOperation branch, intptr_t successor);

/* gpu_lower_operation() for any operation but branches: see above. */
bool spill_lower_operation(struct gpu_kernel *kernel, MlirOperation op);

#endif
