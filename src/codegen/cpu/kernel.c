/* A tt function as an LLVM function over one program: the walk over blocks, scalars, buffers. */
#include "codegen/cpu/cpu.h"

#include "analysis/layout_encoding.h"
#include "codegen/cpu/nest.h"
#include "codegen/scalar_ops.h"

#include <stdio.h>

/* ---- Tiles ----------------------------------------------------------------------------------- */

struct layout_shape cpu_shape(MlirType type)
{
    struct layout_shape shape = {0};
    layout_shape_of_type(type, &shape);
    return shape;
}

struct cpu_buffer *cpu_buffer_of(const struct cpu_kernel *kernel, MlirValue tile)
{
    return pointer_map_get(&kernel->buffers, tile.ptr);
}

struct cpu_buffer *cpu_buffer_reserve(struct cpu_kernel *kernel, MlirValue tile)
{
    enum { ALIGNMENT = 64 };
    MlirType type = mlirValueGetType(tile);
    struct layout_shape shape = cpu_shape(type);
    uint64_t elements = UINT64_C(1) << layout_shape_total_bits(&shape);
    uint64_t size = elements * emit_memory_size(ir_element_type(type));
    struct cpu_buffer *buffer = arena_new(kernel->lowering.emitter.arena, struct cpu_buffer);
    buffer->offset = kernel->scratch_bytes;
    kernel->scratch_bytes += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    pointer_map_set(&kernel->buffers, tile.ptr, buffer);
    return buffer;
}

/* Every tile that the function names can be one: tt's verifier has seen to sizes, but not to rank.
 */
static bool check_tile(MlirOperation op, MlirType type)
{
    struct layout_shape shape;
    if (!ir_is_tile(type) || (layout_shape_of_type(type, &shape) && shape.rank > 0))
        return true;
    return ir_error(
        op, "a tile has 1 to 5 dimensions, each a power of two, and at most 2^24 elements");
}

/* ---- Scalars --------------------------------------------------------------------------------- */

typedef bool cpu_function(struct cpu_kernel *kernel, MlirOperation op);

static bool lower_constant(struct cpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef value = emit_scalar_attribute(
        &lowering->emitter, ir_attribute(op, "value"), mlirValueGetType(result));
    if (!value)
        return ir_error_not_built(op, "of this type");
    lowering_set_scalar(lowering, result, value);
    return true;
}

static bool lower_poison(struct cpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMTypeRef type = emit_type(&lowering->emitter, mlirValueGetType(result));
    if (!type)
        return ir_error_not_built(op, "of this type");
    lowering_set_scalar(lowering, result, LLVMGetPoison(type));
    return true;
}

static bool lower_program_id(struct cpu_kernel *kernel, MlirOperation op)
{
    int64_t axis = ir_integer_attribute(op, "axis", 0);
    lowering_set_scalar(&kernel->lowering, mlirOperationGetResult(op, 0), kernel->program_id[axis]);
    return true;
}

static bool lower_num_programs(struct cpu_kernel *kernel, MlirOperation op)
{
    int64_t axis = ir_integer_attribute(op, "axis", 0);
    lowering_set_scalar(
        &kernel->lowering, mlirOperationGetResult(op, 0), kernel->num_programs[axis]);
    return true;
}

static bool lower_addptr(struct cpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    LLVMValueRef pointer = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 0));
    LLVMValueRef offset = lowering_get_scalar(lowering, mlirOperationGetOperand(op, 1));
    unsigned size = emit_memory_size(tt_pointer_pointee(mlirValueGetType(result)));
    lowering_set_scalar(lowering, result, emit_address(&lowering->emitter, pointer, offset, size));
    return true;
}

static bool lower_return(struct cpu_kernel *kernel, MlirOperation op)
{
    if (mlirOperationGetNumOperands(op) > 0)
        return ir_error(op, "a kernel returns nothing");
    LLVMBuildRetVoid(kernel->lowering.emitter.builder);
    return true;
}

static bool lower_elementwise(struct cpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    LLVMValueRef operands[SCALAR_MAX_OPERANDS], results[SCALAR_MAX_RESULTS];
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        operands[i] = lowering_get_scalar(lowering, mlirOperationGetOperand(op, i));
    if (!scalar_op_emit(&lowering->emitter, op, operands, results))
        return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        lowering_set_scalar(lowering, mlirOperationGetResult(op, i), results[i]);
    return true;
}

/* ---- The walk -------------------------------------------------------------------------------- */

static cpu_function *const table[OP_ID_COUNT] = {
    [OP_ARITH_CONSTANT] = lower_constant,
    [OP_UB_POISON] = lower_poison,
    [OP_TT_ADDPTR] = lower_addptr,
    [OP_TT_GET_PROGRAM_ID] = lower_program_id,
    [OP_TT_GET_NUM_PROGRAMS] = lower_num_programs,
    [OP_TT_LOAD] = cpu_lower_load,
    [OP_TT_STORE] = cpu_lower_store,
    [OP_TT_RETURN] = lower_return,
};

static bool check_tiles(MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        if (!check_tile(op, mlirValueGetType(mlirOperationGetResult(op, i))))
            return false;
    return true;
}

static bool lower_operation(struct cpu_kernel *kernel, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    if (!check_tiles(op))
        return false;
    if (cpu_is_pulled(op))
        return true;
    if (ir_is_terminator(op) && !cpu_flush_pending(kernel))
        return false;
    if (table[id])
        return table[id](kernel, op);
    if (scalar_op_known(id))
        return lower_elementwise(kernel, op);
    if (lowering_is_branch(id))
        return lowering_branch(&kernel->lowering, op);
    return ir_error_not_built(op, NULL);
}

static bool lower_block(struct cpu_kernel *kernel, MlirBlock block)
{
    emit_at_end_of(&kernel->lowering.emitter, pointer_map_get(&kernel->lowering.blocks, block.ptr));
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        if (!lower_operation(kernel, op))
            return false;
    return true;
}

static unsigned one_value(struct lowering *lowering, MlirType type)
{
    (void)lowering;
    (void)type;
    return 1;
}

/* A tile that changes in a loop would be a block's argument. */
static bool check_block_arguments(MlirBlock *blocks, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(blocks[i]); a++)
            if (ir_is_tile(mlirValueGetType(mlirBlockGetArgument(blocks[i], a))))
                return ir_error(mlirBlockGetTerminator(blocks[i]),
                    "a tile that changes in a loop or a condition is not built yet for the cpu");
    return true;
}

static size_t count_loads(const MlirBlock *blocks, size_t count)
{
    size_t loads = 0;
    for (size_t i = 0; i < count; i++)
        for (MlirOperation op = mlirBlockGetFirstOperation(blocks[i]); !mlirOperationIsNull(op);
            op = mlirOperationGetNextInBlock(op))
            loads += op_id_of(op) == OP_TT_LOAD;
    return loads;
}

static bool lower_function(
    struct cpu_kernel *kernel, MlirOperation function, const struct parameters *parameters)
{
    struct lowering *lowering = &kernel->lowering;
    size_t count;
    MlirBlock *blocks = ir_blocks_in_order(function, lowering->emitter.arena, &count);
    if (!check_block_arguments(blocks, count))
        return false;
    kernel->pending =
        arena_array(lowering->emitter.arena, MlirOperation, count_loads(blocks, count));
    cpu_make_program_function(kernel, function, parameters);
    if (!lowering_make_blocks(lowering, blocks, count, one_value))
        return false;
    emit_at_end_of(&lowering->emitter, pointer_map_get(&lowering->blocks, blocks[0].ptr));
    cpu_read_program_parameters(kernel, blocks[0], parameters);
    for (size_t i = 0; i < count; i++)
        if (!lower_block(kernel, blocks[i]))
            return false;
    cpu_make_entry(kernel, function, parameters);
    return true;
}

LLVMModuleRef cpu_build_kernel(
    LLVMContextRef context, arena *arena, MlirOperation function, const struct cpu_options *options)
{
    static const struct device device = {.has_half = false, .has_bfloat = false};
    struct cpu_kernel kernel = {
        .lowering.emitter =
            {
                .arena = arena,
                .device = &device,
                .context = context,
                .module = LLVMModuleCreateWithNameInContext("teeny", context),
                .builder = LLVMCreateBuilderInContext(context),
                .contract = options->contract,
            },
        .access_group = cpu_access_group_create(context),
    };
    lowering_init(&kernel.lowering);
    pointer_map_init(&kernel.buffers, arena);
    pointer_map_init(&kernel.constants, arena);
    struct parameters parameters;
    bool done = parameters_read(&kernel.lowering.emitter, function, &parameters) &&
                lower_function(&kernel, function, &parameters);
    LLVMDisposeBuilder(kernel.lowering.emitter.builder);
    if (done)
        return kernel.lowering.emitter.module;
    LLVMDisposeModule(kernel.lowering.emitter.module);
    return NULL;
}
