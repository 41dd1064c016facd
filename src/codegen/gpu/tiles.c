/* The elements of tiles: layouts, constants, elementwise operations. */
#include "codegen/gpu/gpu.h"

#include "analysis/layout_encoding.h"
#include "codegen/scalar_ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- Layouts --------------------------------------------------------------------------------- */

bool gpu_layout(MlirOperation op, MlirType type, struct linear_layout *out_layout)
{
    if (layout_of_type(type, out_layout))
        return true;
    return ir_error_not_built(op, "on a tile of this layout");
}

unsigned gpu_element_count(struct lowering *lowering, MlirType type)
{
    (void)lowering;
    struct linear_layout layout;
    return ir_is_tile(type) && layout_of_type(type, &layout) ? layout_register_count(&layout) : 1;
}

/* How many bits from `first` on go to neighbouring places, one bit each: one mask and one shift
 * move them all. 0: the first one goes to several places, or to none. */
static unsigned run_of_bits(const struct layout_axis *axis, unsigned first)
{
    uint32_t basis = axis->basis[first];
    if (basis == 0 || (basis & (basis - 1)) != 0)
        return 0;
    unsigned run = 1;
    while (first + run < axis->count && axis->basis[first + run] == basis << run)
        run++;
    return run;
}

static LLVMValueRef move_bits(
    struct emitter *emitter, LLVMValueRef index, unsigned from, unsigned to, unsigned count)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef mask = emit_i32(emitter, ((1u << count) - 1) << from);
    LLVMValueRef bits = LLVMBuildAnd(builder, index, mask, "");
    if (to >= from)
        return LLVMBuildShl(builder, bits, emit_i32(emitter, to - from), "");
    return LLVMBuildLShr(builder, bits, emit_i32(emitter, from - to), "");
}

/* `basis` where the bit is set, else 0. */
static LLVMValueRef spread_bit(
    struct emitter *emitter, LLVMValueRef index, unsigned bit, uint32_t basis)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef zero = emit_i32(emitter, 0);
    LLVMValueRef masked = LLVMBuildAnd(builder, index, emit_i32(emitter, 1u << bit), "");
    LLVMValueRef is_set = LLVMBuildICmp(builder, LLVMIntNE, masked, zero, "");
    return LLVMBuildSelect(builder, is_set, emit_i32(emitter, basis), zero, "");
}

/* The exclusive or of the basis vectors of the bits that are set in `index`. */
static LLVMValueRef apply_axis(
    struct emitter *emitter, const struct layout_axis *axis, LLVMValueRef index)
{
    LLVMValueRef sum = emit_i32(emitter, 0);
    for (unsigned i = 0; i < axis->count;) {
        unsigned run = run_of_bits(axis, i);
        LLVMValueRef part =
            run ? move_bits(emitter, index, i, (unsigned)__builtin_ctz(axis->basis[i]), run)
                : spread_bit(emitter, index, i, axis->basis[i]);
        sum = LLVMBuildXor(emitter->builder, sum, part, "");
        i += run ? run : 1;
    }
    return sum;
}

LLVMValueRef gpu_element_number(
    struct gpu_kernel *kernel, const struct linear_layout *layout, unsigned register_index)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct layout_place place = {{register_index, 0, 0, 0}};
    LLVMValueRef lane = apply_axis(emitter, &layout->in[LAYOUT_LANE], kernel->lane);
    LLVMValueRef warp = apply_axis(emitter, &layout->in[LAYOUT_WARP], kernel->warp);
    LLVMValueRef thread = LLVMBuildXor(emitter->builder, lane, warp, "");
    LLVMValueRef own = emit_i32(emitter, layout_apply(layout, place));
    return LLVMBuildXor(emitter->builder, thread, own, "");
}

LLVMValueRef gpu_is_first_holder(
    struct gpu_kernel *kernel, const struct linear_layout *layout, uint32_t *out_free_registers)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct layout_place free_bits = layout_free_bits(layout);
    *out_free_registers = free_bits.index[LAYOUT_REGISTER];
    unsigned warp_bits =
        layout->in[LAYOUT_WARP].count; /* warps beyond the layout hold nothing new */
    uint32_t all_warps = kernel->num_warps - 1, known_warps = (1u << warp_bits) - 1;
    uint32_t free_warps = free_bits.index[LAYOUT_WARP] | (all_warps & ~known_warps);
    uint32_t free_threads = free_bits.index[LAYOUT_LANE] | free_warps << 5;
    if (free_threads == 0)
        return NULL;
    LLVMValueRef bits =
        LLVMBuildAnd(emitter->builder, kernel->thread, emit_i32(emitter, free_threads), "");
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, bits, emit_i32(emitter, 0), "");
}

/* ---- Constants ------------------------------------------------------------------------------- */

static bool lower_constant_tile(struct gpu_kernel *kernel, MlirOperation op, MlirType type)
{
    struct lowering *lowering = &kernel->lowering;
    MlirAttribute attribute = ir_attribute(op, "value");
    struct linear_layout layout;
    if (!gpu_layout(op, type, &layout))
        return false;
    if (!mlirAttributeIsADenseElements(attribute) || !mlirDenseElementsAttrIsSplat(attribute))
        return ir_error_not_built(op, "with unlike elements");
    LLVMValueRef element =
        emit_dense_element(&lowering->emitter, attribute, ir_element_type(type), 0);
    if (!element)
        return ir_error_not_built(op, "of this element type");
    struct lowered *tile = lowering_allocate(lowering, layout_register_count(&layout));
    for (unsigned i = 0; i < tile->count; i++)
        tile->elements[i] = element;
    lowering_set(lowering, mlirOperationGetResult(op, 0), tile);
    return true;
}

bool gpu_lower_constant(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    if (ir_is_tile(type))
        return lower_constant_tile(kernel, op, type);
    LLVMValueRef value = emit_scalar_attribute(&lowering->emitter, ir_attribute(op, "value"), type);
    if (!value)
        return ir_error_not_built(op, "of this type");
    lowering_set_scalar(lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

bool gpu_lower_poison(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    LLVMTypeRef element = emit_type(&lowering->emitter, ir_element_type(type));
    if (!element)
        return ir_error_not_built(op, "of this type");
    struct lowered *value = lowering_allocate(lowering, gpu_element_count(lowering, type));
    for (unsigned i = 0; i < value->count; i++)
        value->elements[i] = LLVMGetPoison(element);
    lowering_set(lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

/* ---- Elementwise operations ------------------------------------------------------------------ */

/* Operand i of one element; a scalar beside tiles goes with every element. */
static LLVMValueRef operand_element(
    const struct lowering *lowering, MlirOperation op, intptr_t operand, unsigned element)
{
    const struct lowered *value = lowering_get(lowering, mlirOperationGetOperand(op, operand));
    return value->elements[value->count == 1 ? 0 : element];
}

bool gpu_lower_elementwise(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    intptr_t operand_count = mlirOperationGetNumOperands(op);
    intptr_t result_count = mlirOperationGetNumResults(op);
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    struct linear_layout layout;
    if (ir_is_tile(type) && !gpu_layout(op, type, &layout))
        return false;
    unsigned count = gpu_element_count(lowering, type);
    struct lowered *results[SCALAR_MAX_RESULTS];
    for (intptr_t r = 0; r < result_count; r++)
        results[r] = lowering_allocate(lowering, count);

    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operands[SCALAR_MAX_OPERANDS], values[SCALAR_MAX_RESULTS];
        for (intptr_t o = 0; o < operand_count; o++)
            operands[o] = operand_element(lowering, op, o, i);
        if (!scalar_op_emit(&lowering->emitter, op, operands, values))
            return false;
        for (intptr_t r = 0; r < result_count; r++)
            results[r]->elements[i] = values[r];
    }
    for (intptr_t r = 0; r < result_count; r++)
        lowering_set(lowering, mlirOperationGetResult(op, r), results[r]);
    return true;
}
