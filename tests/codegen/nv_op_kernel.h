/* A kernel that does one NVIDIA operation, for tests of base/nv_ops.def: every thread reads the
 * operands from its words of `in`, and writes the results to its words of `out`.
 *
 *     kernel(u64 out[][NV_MAX_RESULTS], const u64 in[][NV_MAX_OPERANDS])
 *
 * Words are as in base/emu_image.h, but for shared pointers, which are offsets in shared memory.
 */
#ifndef TEENY_TESTS_NV_OP_KERNEL_H
#define TEENY_TESTS_NV_OP_KERNEL_H

#include "codegen/gpu/nv_ops.h"

/* Adds the kernel to the module, under the operation's name. */
void nv_op_add_kernel(arena *arena, LLVMContextRef context, LLVMModuleRef module,
    enum nv_column column, enum nv_op op);

/* "LOAD_32", and the signature of the table. */
const char *nv_op_name(enum nv_op op);
const char *nv_op_signature(enum nv_op op);

#endif
