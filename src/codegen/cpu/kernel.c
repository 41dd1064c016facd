/* A tt function as an LLVM function over one program: the walk over blocks, scalars, buffers. */
#include "codegen/cpu/cpu.h"

#include "analysis/layout_encoding.h"
#include "codegen/cpu/arguments.h"
#include "codegen/cpu/nest.h"
#include "codegen/cpu/pending.h"
#include "codegen/cpu/root.h"
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

void cpu_buffer_set(struct cpu_kernel *kernel, MlirValue tile, struct cpu_buffer *buffer)
{
    pointer_map_set(&kernel->buffers, tile.ptr, buffer);
}

struct cpu_buffer *cpu_buffer_make(struct cpu_kernel *kernel, MlirType element, uint64_t elements)
{
    enum { ALIGNMENT = 64 };
    uint64_t size = elements * emit_memory_size(element);
    struct cpu_buffer *buffer = arena_new(kernel->lowering.emitter.arena, struct cpu_buffer);
    buffer->offset = kernel->scratch_bytes;
    kernel->scratch_bytes += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return buffer;
}

struct cpu_buffer *cpu_buffer_reserve(struct cpu_kernel *kernel, MlirValue tile)
{
    MlirType type = mlirValueGetType(tile);
    struct layout_shape shape = cpu_shape(type);
    uint64_t elements = UINT64_C(1) << layout_shape_total_bits(&shape);
    struct cpu_buffer *buffer = cpu_buffer_make(kernel, ir_element_type(type), elements);
    cpu_buffer_set(kernel, tile, buffer);
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
    [OP_TT_DOT] = cpu_lower_dot,
    [OP_TT_LOAD] = cpu_lower_load,
    [OP_TT_REDUCE] = cpu_lower_reduce,
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

bool cpu_lower_scalar_operation(struct cpu_kernel *kernel, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    if (cpu_is_pulled(op))
        return ir_error_not_built(op, "inside of a reduction");
    if (id == OP_ARITH_CONSTANT || id == OP_UB_POISON)
        return table[id](kernel, op);
    return scalar_op_known(id) ? lower_elementwise(kernel, op) : ir_error_not_built(op, NULL);
}

/* A tile to be kept waits for its first nest. */
static void add_kept(struct cpu_kernel *kernel, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    if (pointer_map_get(&kernel->kept, result.ptr))
        cpu_pending_add(kernel, result);
}

static MlirStringRef name_of(MlirOperation op)
{
    MlirLocation location = mlirOperationGetLocation(op);
    if (!mlirLocationIsAName(location))
        return (MlirStringRef){0};
    return mlirIdentifierStr(mlirLocationNameGetName(location));
}

/* The value of a variable: the last operation of those with its name gives it. */
static bool is_variable(MlirOperation op)
{
    MlirStringRef name = name_of(op);
    MlirOperation next = mlirOperationGetNextInBlock(op);
    return name.length > 0 && !mlirStringRefEqual(name, name_of(next));
}

static bool is_handed_over(MlirOperation op)
{
    MlirOperation branch = mlirBlockGetTerminator(mlirOperationGetBlock(op));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(branch); i++)
        if (mlirValueEqual(mlirOperationGetOperand(branch, i), mlirOperationGetResult(op, 0)))
            return true;
    return false;
}

/* Whether the tile is made at its own line, for a debugger to step over. */
static bool is_made_in_place(struct cpu_kernel *kernel, MlirOperation op)
{
    return kernel->lowering.emitter.debug && op_id_of(op) != OP_ARITH_CONSTANT &&
           (is_variable(op) || is_handed_over(op));
}

/* Whether loops are made for the operation where it stands. */
static bool makes_nests(struct cpu_kernel *kernel, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    if (cpu_is_pulled(op))
        return is_made_in_place(kernel, op);
    return id == OP_TT_LOAD || id == OP_TT_STORE || id == OP_TT_REDUCE || id == OP_TT_DOT;
}

static bool lower_checked_operation(struct cpu_kernel *kernel, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    if (makes_nests(kernel, op))
        emit_debug_stop(&kernel->lowering.emitter);
    if (cpu_is_pulled(op)) {
        add_kept(kernel, op);
        return !is_made_in_place(kernel, op) || cpu_make(kernel, mlirOperationGetResult(op, 0));
    }
    if (lowering_is_branch(id))
        return cpu_lower_branch(kernel, op);
    if (table[id])
        return table[id](kernel, op);
    if (scalar_op_known(id))
        return lower_elementwise(kernel, op);
    return ir_error_not_built(op, NULL);
}

static bool lower_operation(struct cpu_kernel *kernel, MlirOperation op)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirLocation before = emit_at_location(emitter, mlirOperationGetLocation(op));
    bool done = check_tiles(op) && lower_checked_operation(kernel, op);
    emit_at_location(emitter, before);
    return done;
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

/* Tiles have none: see arguments.h. */
static unsigned count_registers(struct lowering *lowering, MlirType type)
{
    (void)lowering;
    return ir_is_tile(type) ? 0 : 1;
}

static bool check_block_arguments(const struct cpu_graph *graph)
{
    for (size_t i = 1; i < graph->count; i++)
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(graph->blocks[i]); a++)
            if (!check_tile(mlirBlockGetTerminator(graph->blocks[i]),
                    mlirValueGetType(mlirBlockGetArgument(graph->blocks[i], a))))
                return false;
    return true;
}

static bool lower_blocks(struct cpu_kernel *kernel, const struct parameters *parameters)
{
    struct lowering *lowering = &kernel->lowering;
    const struct cpu_graph *graph = kernel->graph;
    if (!lowering_make_blocks(lowering, graph->blocks, graph->count, count_registers))
        return false;
    cpu_arguments_make_phis(kernel);
    emit_at_end_of(&lowering->emitter, pointer_map_get(&lowering->blocks, graph->blocks[0].ptr));
    cpu_read_program_parameters(kernel, graph->blocks[0], parameters);
    for (size_t i = 0; i < graph->count; i++)
        if (!lower_block(kernel, graph->blocks[i]))
            return false;
    return true;
}

static bool lower_function(
    struct cpu_kernel *kernel, MlirOperation function, const struct parameters *parameters)
{
    kernel->graph = cpu_graph_make(kernel->lowering.emitter.arena, function);
    if (!check_block_arguments(kernel->graph))
        return false;
    cpu_arguments_classify(kernel);
    cpu_plan(kernel);
    cpu_pending_init(kernel);
    cpu_make_program_function(kernel, function, parameters);
    emit_at_location(&kernel->lowering.emitter, mlirOperationGetLocation(function));
    if (!lower_blocks(kernel, parameters))
        return false;
    cpu_make_entry(kernel, function, parameters);
    return true;
}

LLVMModuleRef cpu_build_kernel(
    LLVMContextRef context, arena *arena, MlirOperation function, const struct cpu_options *options)
{
    struct cpu_kernel kernel = {
        .lowering.emitter =
            {
                .arena = arena,
                .device = &options->device,
                .context = context,
                .module = LLVMModuleCreateWithNameInContext("teeny", context),
                .builder = LLVMCreateBuilderInContext(context),
                .contract = options->contract,
            },
        .options = options,
        .access_group = cpu_access_group_create(context),
    };
    lowering_init(&kernel.lowering);
    kernel.lowering.edge = cpu_lower_edge;
    pointer_map_init(&kernel.arguments, arena);
    pointer_map_init(&kernel.buffers, arena);
    pointer_map_init(&kernel.kept, arena);
    pointer_map_init(&kernel.constants, arena);
    kernel.lowering.emitter.debug =
        debug_info_create(arena, kernel.lowering.emitter.module, function, options->debug);
    struct parameters parameters;
    bool done = parameters_read(&kernel.lowering.emitter, function, &parameters) &&
                lower_function(&kernel, function, &parameters);
    debug_info_finish(kernel.lowering.emitter.debug);
    LLVMDisposeBuilder(kernel.lowering.emitter.builder);
    if (done)
        return kernel.lowering.emitter.module;
    LLVMDisposeModule(kernel.lowering.emitter.module);
    return NULL;
}
