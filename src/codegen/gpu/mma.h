/* Products by tensor cores. */
#ifndef TEENY_CODEGEN_GPU_MMA_H
#define TEENY_CODEGEN_GPU_MMA_H

#include "codegen/gpu/gpu.h"

/* Whether the tt.dot's result lies as tensor cores leave it. */
bool gpu_is_mma(MlirOperation dot);

/* Lowers such a one. False after an error. */
bool gpu_lower_mma(struct gpu_kernel *kernel, MlirOperation op);

#endif
