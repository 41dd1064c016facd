/* The region of a reduction: how two groups of elements become one. Private to the CPU path. */
#ifndef TEENY_CODEGEN_CPU_COMBINE_H
#define TEENY_CODEGEN_CPU_COMBINE_H

#include "codegen/cpu/cpu.h"

/* Emits the region's operations on `count` elements of each group. False after an error. */
bool cpu_combine(struct cpu_kernel *kernel, MlirOperation op, const LLVMValueRef *left,
    const LLVMValueRef *right, LLVMValueRef *out_combined);

/* The element that changes nothing when it is combined with another, where the region is one
 * operation that has such an element; else NULL. */
LLVMValueRef cpu_combine_identity(struct cpu_kernel *kernel, MlirOperation op);

#endif
