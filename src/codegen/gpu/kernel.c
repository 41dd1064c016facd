/* A ttg function as an LLVM function: the walk over blocks, and the table of lowerings. */
#include "codegen/cpu/image.h"
#include "codegen/gpu/register_groups.h"
#include "codegen/gpu/spill.h"
#include "codegen/parameters.h"
#include "codegen/scalar_ops.h"

#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>

/* ---- The table ------------------------------------------------------------------------------- */

static gpu_function *const table[OP_ID_COUNT] = {
    [OP_ARITH_CONSTANT] = gpu_lower_constant,
    [OP_UB_POISON] = gpu_lower_poison,
    [OP_TT_MAKE_RANGE] = gpu_lower_make_range,
    [OP_TT_SPLAT] = gpu_lower_splat,
    [OP_TT_BROADCAST] = gpu_lower_rearrange,
    [OP_TT_EXPAND_DIMS] = gpu_lower_rearrange,
    [OP_TT_RESHAPE] = gpu_lower_rearrange,
    [OP_TT_TRANS] = gpu_lower_rearrange,
    [OP_TTG_CONVERT_LAYOUT] = gpu_lower_rearrange,
    [OP_TT_GET_PROGRAM_ID] = gpu_lower_program_id,
    [OP_TT_GET_NUM_PROGRAMS] = gpu_lower_num_programs,
    [OP_TT_ADDPTR] = gpu_lower_addptr,
    [OP_TT_LOAD] = gpu_lower_load,
    [OP_TT_STORE] = gpu_lower_store,
    [OP_TT_REDUCE] = gpu_lower_reduce,
    [OP_TT_DOT] = gpu_lower_dot,
    [OP_TT_RETURN] = gpu_lower_return,
    [OP_TTG_LOCAL_ALLOC] = gpu_lower_local_alloc,
    [OP_TTG_LOCAL_DEALLOC] = gpu_lower_local_dealloc,
    [OP_TTG_LOCAL_LOAD] = gpu_lower_local_load,
    [OP_TTG_LOCAL_STORE] = gpu_lower_local_store,
    [OP_TTG_MEMDESC_INDEX] = gpu_lower_memdesc_index,
    [OP_TTG_MEMDESC_SUBSLICE] = gpu_lower_memdesc_view,
    [OP_TTG_MEMDESC_TRANS] = gpu_lower_memdesc_view,
    [OP_TTG_ASYNC_COPY] = gpu_lower_async_copy,
    [OP_TTG_ASYNC_COMMIT_GROUP] = gpu_lower_async_commit_group,
    [OP_TTG_ASYNC_WAIT] = gpu_lower_async_wait,
};

static bool lower_known_operation(struct gpu_kernel *kernel, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    if (table[id])
        return table[id](kernel, op);
    if (scalar_op_known(id))
        return gpu_lower_elementwise(kernel, op);
    if (lowering_is_branch(id))
        return lowering_branch(&kernel->lowering, op);
    return ir_error_not_built(op, NULL);
}

bool gpu_lower_operation(struct gpu_kernel *kernel, MlirOperation op)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirLocation before = emit_at_location(emitter, mlirOperationGetLocation(op));
    bool done = lower_known_operation(kernel, op);
    emit_at_location(emitter, before);
    return done;
}

/* ---- The device ------------------------------------------------------------------------------ */

static const enum nv_op approximations[] = {
    [APPROXIMATE_QUOTIENT] = NV_DIVIDE_FAST,
    [APPROXIMATE_EXP2] = NV_EXP2,
    [APPROXIMATE_RSQRT] = NV_RSQRT,
};

static LLVMValueRef approximate(
    struct emitter *emitter, enum approximation operation, LLVMValueRef *operands)
{
    return nv_emit(emitter, NV_PTX, approximations[operation], NULL, operands);
}

static LLVMValueRef approximate_on_host(
    struct emitter *emitter, enum approximation operation, LLVMValueRef *operands)
{
    return nv_emit(emitter, NV_EMU, approximations[operation], NULL, operands);
}

static struct device device_of(const struct gpu_options *options)
{
    struct device host = options->host;
    host.approximate = approximate_on_host;
    if (options->column == NV_EMU)
        return host;
    return (struct device){
        .global_space = 1,
        .shared_space = 3,
        .has_half = true,
        .has_bfloat = true,
        .approximate = approximate,
    };
}

/* ---- The function ---------------------------------------------------------------------------- */

static bool read_num_warps(struct gpu_kernel *kernel, MlirOperation function)
{
    MlirOperation module = mlirOperationGetParentOperation(function);
    int64_t num_warps = ir_integer_attribute(module, "ttg.num-warps", 0);
    if (num_warps < 1 || num_warps > 32 || (num_warps & (num_warps - 1)))
        return ir_error(module, "the module needs \"ttg.num-warps\": a power of two up to 32");
    if (ir_integer_attribute(module, "ttg.threads-per-warp", 32) != 32)
        return ir_error(module, "\"ttg.threads-per-warp\" is 32 on every target");
    kernel->num_warps = (unsigned)num_warps;
    return true;
}

static void set_ptx_attributes(const struct gpu_kernel *kernel, LLVMValueRef function)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    char threads[16];
    snprintf(threads, sizeof threads, "%u", kernel->num_warps * 32);
    enum { PTX_KERNEL_CONVENTION = 71 }; /* llvm::CallingConv::PTX_Kernel */
    LLVMSetFunctionCallConv(function, PTX_KERNEL_CONVENTION);
    emit_function_attribute(emitter, function, "nvvm.reqntid", threads);
}

/* No call may leave an image: LLVM must not make one of memcpy from a loop. */
static void set_emu_attributes(const struct gpu_kernel *kernel, LLVMValueRef function)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    emit_function_attribute(emitter, function, "no-builtins", "");
    emit_function_attribute(emitter, function, IMAGE_SCRATCH_ATTRIBUTE, "0");
}

/* PTX takes the kernel's parameters, emu a thread and the struct of them. */
static LLVMTypeRef function_type(
    const struct gpu_kernel *kernel, const struct parameters *parameters)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    LLVMTypeRef result = LLVMVoidTypeInContext(emitter->context);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(emitter->context, 0);
    if (kernel->options.column == NV_EMU)
        return LLVMFunctionType(result, (LLVMTypeRef[]){pointer, pointer}, 2, false);
    LLVMTypeRef *types = arena_array(emitter->arena, LLVMTypeRef, parameters->count);
    for (unsigned i = 0; i < parameters->count; i++)
        types[i] = emit_memory_type(emitter, parameters->list[i].type);
    return LLVMFunctionType(result, types, parameters->count, false);
}

static void make_function(
    struct gpu_kernel *kernel, MlirOperation function, const struct parameters *parameters)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirStringRef name = ir_function_name(function);
    char *symbol = arena_copy(emitter->arena, name.data, name.length);
    LLVMTypeRef type = function_type(kernel, parameters);
    emitter->function = LLVMAddFunction(emitter->module, symbol, type);
    emit_enum_attribute(emitter, emitter->function, LLVMAttributeFunctionIndex, "nounwind");
    if (kernel->options.column == NV_EMU)
        set_emu_attributes(kernel, emitter->function);
    else
        set_ptx_attributes(kernel, emitter->function);
}

static LLVMValueRef read_parameter(
    struct gpu_kernel *kernel, const struct parameters *parameters, unsigned index)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    if (kernel->options.column == NV_PTX)
        return LLVMGetParam(emitter->function, index);
    LLVMTypeRef type = emit_memory_type(emitter, parameters->list[index].type);
    LLVMValueRef offset = emit_i64(emitter, parameters->list[index].offset);
    LLVMValueRef arguments = LLVMGetParam(emitter->function, 1);
    LLVMValueRef place = emit_address(emitter, arguments, offset, 1);
    return LLVMBuildLoad2(emitter->builder, type, place, "");
}

/* What every thread needs, at the start of the function. */
static void emit_prologue(
    struct gpu_kernel *kernel, MlirBlock entry, const struct parameters *parameters)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBuilderRef builder = emitter->builder;
    for (unsigned i = 0; i < parameters->count; i++) {
        LLVMValueRef value = emit_from_memory(
            emitter, parameters->list[i].type, read_parameter(kernel, parameters, i));
        lowering_set_scalar(&kernel->lowering, mlirBlockGetArgument(entry, i), value);
        emit_debug_parameter(emitter, mlirBlockGetArgument(entry, i), i + 1, value);
    }
    kernel->thread = nv_emit(emitter, kernel->options.column, NV_THREAD_ID, NULL, NULL);
    kernel->lane = LLVMBuildAnd(builder, kernel->thread, emit_i32(emitter, 31), "lane");
    kernel->warp = LLVMBuildLShr(builder, kernel->thread, emit_i32(emitter, 5), "warp");
    if (shared_memory_bytes(kernel->shared) > 0)
        kernel->shared_base = nv_emit(emitter, kernel->options.column, NV_SHARED_BASE, NULL, NULL);
}

static bool lower_block(struct gpu_kernel *kernel, MlirBlock block)
{
    emit_at_end_of(&kernel->lowering.emitter, pointer_map_get(&kernel->lowering.blocks, block.ptr));
    MlirOperation next;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = next) {
        emit_at_location(&kernel->lowering.emitter, mlirOperationGetLocation(op));
        /* Every thread has made its accesses before any makes those that follow. */
        if (memory_order_needs_barrier(kernel->order, op))
            nv_emit(&kernel->lowering.emitter, kernel->options.column, NV_BARRIER, NULL, NULL);
        if (!register_groups_lower_run(kernel, op, &next))
            return false;
        if (!mlirOperationEqual(op, next))
            continue;
        next = mlirOperationGetNextInBlock(op);
        bool done = lowering_is_branch(op_id_of(op)) ? gpu_lower_operation(kernel, op)
                                                     : spill_lower_operation(kernel, op);
        if (!done)
            return false;
    }
    return true;
}

static bool check_shared_memory(const struct gpu_kernel *kernel, MlirOperation function)
{
    const struct nvidia_target *target = kernel->options.target;
    unsigned bytes = shared_memory_bytes(kernel->shared);
    if (bytes <= target->max_shared_bytes)
        return true;
    return ir_error(function,
        "this kernel needs %u bytes of shared memory, and %s has %u for a program", bytes,
        target->name, target->max_shared_bytes);
}

static void set_shared_attribute(const struct gpu_kernel *kernel)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    char bytes[16];
    snprintf(bytes, sizeof bytes, "%u", shared_memory_bytes(kernel->shared));
    emit_function_attribute(emitter, emitter->function, GPU_SHARED_ATTRIBUTE, bytes);
}

static bool lower_function(struct gpu_kernel *kernel, MlirOperation function)
{
    struct lowering *lowering = &kernel->lowering;
    struct parameters parameters;
    if (!read_num_warps(kernel, function) || !check_shared_memory(kernel, function) ||
        !parameters_read(&lowering->emitter, function, &parameters))
        return false;
    make_function(kernel, function, &parameters);
    set_shared_attribute(kernel);
    debug_info_set_function(lowering->emitter.debug, lowering->emitter.function);
    emit_at_location(&lowering->emitter, mlirOperationGetLocation(function));
    size_t count;
    MlirBlock *blocks = ir_blocks_in_order(function, lowering->emitter.arena, &count);
    if (!lowering_make_blocks(lowering, blocks, count, spill_phi_count) ||
        !spill_make_arguments(kernel, blocks, count))
        return false;
    emit_at_end_of(&lowering->emitter, pointer_map_get(&lowering->blocks, blocks[0].ptr));
    emit_prologue(kernel, blocks[0], &parameters);
    for (size_t i = 0; i < count; i++)
        if (!lower_block(kernel, blocks[i]))
            return false;
    return true;
}

LLVMModuleRef gpu_build_kernel(
    LLVMContextRef context, arena *arena, MlirOperation function, const struct gpu_options *options)
{
    struct gpu_kernel kernel = {
        .lowering.emitter =
            {
                .arena = arena,
                .context = context,
                .module = LLVMModuleCreateWithNameInContext("teeny", context),
                .builder = LLVMCreateBuilderInContext(context),
                .contract = options->contract,
            },
        .options = *options,
        .device = device_of(options),
        .shared = shared_memory_create(arena, function),
    };
    kernel.order = memory_order_create(arena, function, kernel.shared);
    kernel.axes = axis_info_create(arena, function);
    kernel.lowering.emitter.device = &kernel.device;
    kernel.lowering.emitter.debug =
        debug_info_create(arena, kernel.lowering.emitter.module, function, options->debug);
    lowering_init(&kernel.lowering);
    kernel.lowering.edge = spill_edge;
    pointer_map_init(&kernel.spilled, arena);
    bool done = lower_function(&kernel, function);
    debug_info_finish(kernel.lowering.emitter.debug);
    LLVMDisposeBuilder(kernel.lowering.emitter.builder);
    if (done)
        return kernel.lowering.emitter.module;
    LLVMDisposeModule(kernel.lowering.emitter.module);
    return NULL;
}
