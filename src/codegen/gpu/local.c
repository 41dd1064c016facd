/* Tiles in shared memory: ttg.local_alloc, loads, stores and views of them.
 *
 * A !ttg.memdesc is a pointer to the start of the tile that it is or is a part of. Where the part
 * begins is constant, and known from the views that led to it. */
#include "codegen/gpu/local.h"

#include "analysis/layout_encoding.h"

#include "mlir-c/BuiltinAttributes.h"

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Where a tile begins in the whole that its encoding speaks about. */
struct start {
    uint32_t coordinates[LAYOUT_MAX_RANK];
};

static struct start start_of(MlirValue memory);

static struct start start_of_subslice(MlirOperation op)
{
    struct start start = start_of(mlirOperationGetOperand(op, 0));
    MlirAttribute offsets = ir_attribute(op, "offsets");
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(offsets); i++)
        start.coordinates[i] += (uint32_t)mlirDenseI32ArrayGetElement(offsets, i);
    return start;
}

static struct start start_of_trans(MlirOperation op)
{
    struct start from = start_of(mlirOperationGetOperand(op, 0)), start = {{0}};
    MlirAttribute order = ir_attribute(op, "order");
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(order); i++)
        start.coordinates[i] = from.coordinates[mlirDenseI32ArrayGetElement(order, i)];
    return start;
}

static struct start start_of(MlirValue memory)
{
    MlirOperation op = mlirOpResultGetOwner(memory);
    switch (op_id_of(op)) {
    case OP_TTG_MEMDESC_SUBSLICE:
        return start_of_subslice(op);
    case OP_TTG_MEMDESC_TRANS:
        return start_of_trans(op);
    default:
        return (struct start){{0}};
    }
}

/* Where the elements of a tile lie in the whole, in elements: a column for each bit of their
 * number, and the tile's start. */
struct part {
    uint32_t columns[LAYOUT_MAX_BITS], start;
};

static bool find_part(MlirValue value, const struct ttg_memory *memory, struct part *out_part)
{
    struct layout_shape tile, whole;
    uint32_t columns[LAYOUT_MAX_BITS];
    if (!layout_shape_make(memory->rank, memory->shape, &tile) ||
        !layout_shape_make(memory->rank, memory->whole, &whole) ||
        !layout_offsets_from_encoding(memory->encoding, &whole, columns))
        return false;
    for (unsigned d = 0; d < tile.rank; d++)
        for (unsigned i = 0; i < tile.bits[d]; i++)
            out_part->columns[layout_shape_shift(&tile, d) + i] =
                columns[layout_shape_shift(&whole, d) + i];
    struct start start = start_of(value);
    out_part->start = 0;
    uint32_t element = layout_element(&whole, start.coordinates);
    for (unsigned i = 0; i < layout_shape_total_bits(&whole); i++)
        if (element >> i & 1)
            out_part->start ^= columns[i];
    return true;
}

bool gpu_local_view(struct gpu_kernel *kernel, MlirOperation op, MlirValue value,
    const struct linear_layout *layout, struct gpu_shared_view *out_view)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct ttg_memory memory;
    struct part part;
    if (!ttg_memory_read(mlirValueGetType(value), &memory) ||
        !emit_memory_type(emitter, memory.element) || !find_part(value, &memory, &part))
        return ir_error_not_built(op, "on memory of this type");
    unsigned bytes = emit_memory_size(memory.element);
    struct exchange_memory plan = exchange_memory_at(part.columns, layout, bytes);
    *out_view = gpu_shared_view(
        kernel, &plan, layout, memory.element, lowering_get_scalar(&kernel->lowering, value));
    if (part.start) {
        out_view->start = part.start * bytes;
        gpu_shared_view_find_threads(kernel, out_view);
    }
    return true;
}

/* ---- Allocation ------------------------------------------------------------------------------ */

static bool write_tile(
    struct gpu_kernel *kernel, MlirOperation op, MlirValue tile, MlirValue memory)
{
    struct linear_layout layout;
    struct gpu_shared_view view;
    if (!gpu_layout(op, mlirValueGetType(tile), &layout) ||
        !gpu_local_view(kernel, op, memory, &layout, &view))
        return false;
    gpu_shared_write(kernel, &view, 0, lowering_get(&kernel->lowering, tile));
    return true;
}

bool gpu_lower_local_alloc(struct gpu_kernel *kernel, MlirOperation op)
{
    MlirValue memory = mlirOperationGetResult(op, 0);
    lowering_set_scalar(&kernel->lowering, memory,
        gpu_shared_pointer(kernel, shared_memory_of(kernel->shared, op)->offset));
    return mlirOperationGetNumOperands(op) == 0 ||
           write_tile(kernel, op, mlirOperationGetOperand(op, 0), memory);
}

bool gpu_lower_local_dealloc(struct gpu_kernel *kernel, MlirOperation op)
{
    (void)kernel;
    (void)op;
    return true;
}

/* ---- Access ---------------------------------------------------------------------------------- */

bool gpu_lower_local_store(struct gpu_kernel *kernel, MlirOperation op)
{
    return write_tile(kernel, op, mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1));
}

bool gpu_lower_local_load(struct gpu_kernel *kernel, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    struct linear_layout layout;
    struct gpu_shared_view view;
    if (!gpu_layout(op, mlirValueGetType(result), &layout) ||
        !gpu_local_view(kernel, op, mlirOperationGetOperand(op, 0), &layout, &view))
        return false;
    struct lowered *elements = gpu_matrix_load(kernel, &view);
    if (!elements) {
        elements = lowering_allocate(&kernel->lowering, layout_register_count(&layout));
        gpu_shared_read(kernel, &view, 0, elements);
    }
    lowering_set(&kernel->lowering, result, elements);
    return true;
}

/* ---- Views ----------------------------------------------------------------------------------- */

bool gpu_lower_memdesc_index(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef first = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0));
    LLVMValueRef index = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 1));
    unsigned bytes = shared_memory_bytes_of_type(mlirValueGetType(result));
    lowering_set_scalar(lowering, result, emit_address(&lowering->emitter, first, index, bytes));
    return true;
}

bool gpu_lower_memdesc_view(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    lowering_set_scalar(lowering, mlirOperationGetResult(op, 0),
        lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0)));
    return true;
}
