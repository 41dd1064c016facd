/* Making and rearranging tiles, and the place of a program in the grid. */
#include "codegen/gpu/gpu.h"

#include "analysis/layout_encoding.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Programs -------------------------------------------------------------------------------- */

static bool lower_grid(struct gpu_kernel *kernel, MlirOperation op, enum nv_op first)
{
    struct lowering *lowering = &kernel->lowering;
    enum nv_op id = first + (enum nv_op)ir_integer_attribute(op, "axis", 0);
    LLVMValueRef value = nv_emit(&lowering->emitter, kernel->options.column, id, NULL, NULL);
    lowering_set_scalar(lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

bool gpu_lower_program_id(struct gpu_kernel *kernel, MlirOperation op)
{
    return lower_grid(kernel, op, NV_PROGRAM_ID_X);
}

bool gpu_lower_num_programs(struct gpu_kernel *kernel, MlirOperation op)
{
    return lower_grid(kernel, op, NV_NUM_PROGRAMS_X);
}

bool gpu_lower_return(struct gpu_kernel *kernel, MlirOperation op)
{
    if (mlirOperationGetNumOperands(op) > 0)
        return ir_error(op, "a kernel returns nothing");
    LLVMBuildRetVoid(kernel->lowering.emitter.builder);
    return true;
}

/* ---- Making tiles ---------------------------------------------------------------------------- */

bool gpu_lower_make_range(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef start = emit_i32(emitter, (uint32_t)ir_integer_attribute(op, "start", 0));
    struct linear_layout layout;
    if (!gpu_layout(op, mlirValueGetType(result), &layout))
        return false;
    struct lowered *tile = lowering_allocate(lowering, layout_register_count(&layout));
    for (unsigned i = 0; i < tile->count; i++) {
        LLVMValueRef number = gpu_element_number(kernel, &layout, i);
        tile->elements[i] = LLVMBuildAdd(emitter->builder, number, start, "");
    }
    lowering_set(lowering, result, tile);
    return true;
}

bool gpu_lower_splat(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef scalar = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0));
    struct linear_layout layout;
    if (!gpu_layout(op, mlirValueGetType(result), &layout))
        return false;
    struct lowered *tile = lowering_allocate(lowering, layout_register_count(&layout));
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = scalar;
    lowering_set(lowering, result, tile);
    return true;
}

/* ---- Rearranging tiles ----------------------------------------------------------------------- */

/* Where an element of the result comes from, as a linear map: bit i of the result's element number
 * becomes image[i] of the source's. */
struct origin {
    struct layout_shape source, result;
    uint32_t image[LAYOUT_MAX_BITS];
};

static void map_dimension(
    struct origin *origin, unsigned result_dimension, unsigned source_dimension)
{
    unsigned from = layout_shape_shift(&origin->result, result_dimension);
    unsigned to = layout_shape_shift(&origin->source, source_dimension);
    for (unsigned i = 0; i < origin->source.bits[source_dimension]; i++)
        origin->image[from + i] = 1u << (to + i);
}

/* Same numbers, whatever the shape: a new dimension of size 1 has no bits. */
static void origin_same_elements(MlirOperation op, struct origin *origin)
{
    (void)op;
    for (unsigned i = 0; i < layout_shape_total_bits(&origin->result); i++)
        origin->image[i] = 1u << i;
}

/* A dimension of size 1 in the source takes nothing from the result's coordinate. */
static void origin_broadcast(MlirOperation op, struct origin *origin)
{
    (void)op;
    for (unsigned d = 0; d < origin->result.rank; d++)
        map_dimension(origin, d, d);
}

static void origin_trans(MlirOperation op, struct origin *origin)
{
    MlirAttribute order = ir_attribute(op, "order");
    for (unsigned d = 0; d < origin->result.rank; d++)
        map_dimension(origin, d, (unsigned)mlirDenseI32ArrayGetElement(order, d));
}

static const struct {
    enum op_id id;
    void (*find)(MlirOperation op, struct origin *origin);
} origins[] = {
    {OP_TT_BROADCAST, origin_broadcast},
    {OP_TT_EXPAND_DIMS, origin_same_elements},
    {OP_TT_RESHAPE, origin_same_elements},
    {OP_TT_TRANS, origin_trans},
    {OP_TTG_CONVERT_LAYOUT, origin_same_elements},
};

static void find_origin(MlirOperation op, struct origin *origin)
{
    enum op_id id = op_id_of(op);
    for (unsigned i = 0; i < sizeof origins / sizeof *origins; i++)
        if (origins[i].id == id)
            origins[i].find(op, origin);
}

/* Any operation that only says where each element comes from: the result's layout, seen through
 * that map, is compared with the source's. What lies in the same thread is picked from its
 * registers. */
bool gpu_lower_rearrange(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
    struct linear_layout from, to;
    if (!gpu_layout(op, mlirValueGetType(source), &from) ||
        !gpu_layout(op, mlirValueGetType(result), &to))
        return false;
    struct origin origin = {.source = from.shape, .result = to.shape};
    find_origin(op, &origin);
    struct linear_layout wanted = layout_map_elements(&to, origin.image, &from.shape);

    struct lowered *tile = lowering_allocate(lowering, layout_register_count(&to));
    uint32_t *registers = arena_array(lowering->emitter.arena, uint32_t, tile->count);
    if (!layout_registers_within_thread(&from, &wanted, registers))
        return ir_error_not_built(op, "that moves elements between threads");
    const struct lowered *elements = lowering_get(lowering, source);
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = elements->elements[registers[i]];
    lowering_set(lowering, result, tile);
    return true;
}
