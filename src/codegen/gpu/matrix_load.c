/* Tiles from shared memory by ldmatrix, where the layout of the registers and that of the memory
 * compose to what the instruction does (analysis/matrix_load.h). */
#include "analysis/matrix_load.h"

#include "codegen/gpu/bits.h"
#include "codegen/gpu/local.h"

#include <string.h>

enum { PAIR = 2 };

struct loading {
    struct gpu_kernel *kernel;
    struct matrix_load plan;
    struct gpu_shared_view rows; /* as the lanes point to them */
};

/* The same view, but that a lane has the address of the row that it points to. */
static struct gpu_shared_view rows_of(
    struct gpu_kernel *kernel, const struct gpu_shared_view *view, const struct matrix_load *plan)
{
    struct gpu_shared_view rows = *view;
    memcpy(rows.offsets.in[LAYOUT_LANE].basis, plan->lane_columns, sizeof plan->lane_columns);
    gpu_shared_view_find_threads(kernel, &rows);
    return rows;
}

static enum nv_op instruction_of(const struct matrix_load *plan)
{
    static const enum nv_op rows[2][3] = {
        {NV_LDMATRIX_X1, NV_LDMATRIX_X2, NV_LDMATRIX_X4},
        {NV_LDMATRIX_X1_TRANS, NV_LDMATRIX_X2_TRANS, NV_LDMATRIX_X4_TRANS},
    };
    return rows[plan->is_transposed][plan->matrix_bits];
}

/* The matrices whose registers start at `first`. */
static void load_group(const struct loading *loading, uint32_t first, LLVMValueRef *out_elements)
{
    struct gpu_kernel *kernel = loading->kernel;
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef operands[] = {gpu_shared_address(kernel, &loading->rows, first, NULL)};
    LLVMValueRef words =
        nv_emit(emitter, kernel->options.column, instruction_of(&loading->plan), NULL, operands);
    unsigned count = 1u << loading->plan.matrix_bits;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef word =
            count == 1 ? words : LLVMBuildExtractValue(emitter->builder, words, i, "");
        gpu_unpack(emitter, loading->rows.element, word, &out_elements[first + i * PAIR], PAIR);
    }
}

struct lowered *gpu_matrix_load(struct gpu_kernel *kernel, const struct gpu_shared_view *view)
{
    struct loading loading = {.kernel = kernel};
    if (!matrix_load_plan(&view->offsets, emit_memory_size(view->element), &loading.plan))
        return NULL;
    loading.rows = rows_of(kernel, view, &loading.plan);
    struct lowered *elements =
        lowering_allocate(&kernel->lowering, layout_register_count(&view->offsets));
    for (uint32_t first = 0; first < elements->count; first += PAIR << loading.plan.matrix_bits)
        load_group(&loading, first, elements->elements);
    return elements;
}
