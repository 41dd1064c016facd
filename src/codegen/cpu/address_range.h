/* The least and greatest element of a linear form: see address.h. Private to the CPU path. */
#ifndef TEENY_CODEGEN_CPU_ADDRESS_RANGE_H
#define TEENY_CODEGEN_CPU_ADDRESS_RANGE_H

#include "codegen/cpu/address.h"

struct cpu_range {
    LLVMValueRef low, high; /* i128, both inclusive */
};

struct cpu_range cpu_range_of(
    struct emitter *emitter, const struct cpu_affine *form, const struct layout_shape *shape);

/* i1: every element is a number of the tile's element type (integers are signed), or an address. */
LLVMValueRef cpu_fits(struct emitter *emitter, const struct cpu_affine *form,
    const struct layout_shape *shape, MlirType tile);

/* Both; NULL stands for true. */
LLVMValueRef cpu_and(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);

#endif
