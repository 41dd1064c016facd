/* Tiles of ttg.local_alloc as codegen sees them. Private to src/codegen/gpu/. */
#ifndef TEENY_CODEGEN_GPU_LOCAL_H
#define TEENY_CODEGEN_GPU_LOCAL_H

#include "codegen/gpu/shared.h"

/* The tile behind a !ttg.memdesc, for a tile of registers that lies as `layout` says. False after
 * an error at `op`. */
bool gpu_local_view(struct gpu_kernel *kernel, MlirOperation op, MlirValue memory,
    const struct linear_layout *layout, struct gpu_shared_view *out_view);

/* Reads all registers of a view by ldmatrix. NULL where it does not fit the layout. */
struct lowered *gpu_matrix_load(struct gpu_kernel *kernel, const struct gpu_shared_view *view);

#endif
