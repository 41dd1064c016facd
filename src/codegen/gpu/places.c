/* Where a thread stands in a layout: linear maps of its lane and warp, as instructions. */
#include "codegen/gpu/gpu.h"

/* How many bits from `first` on go to neighbouring places, one bit each: one mask and one shift
 * move them all. 0: the first one goes to several places, or to none. */
static unsigned run_of_bits(const uint32_t *columns, unsigned count, unsigned first)
{
    uint32_t basis = columns[first];
    if (basis == 0 || (basis & (basis - 1)) != 0)
        return 0;
    unsigned run = 1;
    while (first + run < count && columns[first + run] == basis << run)
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

LLVMValueRef gpu_apply_columns(
    struct emitter *emitter, const uint32_t *columns, unsigned count, LLVMValueRef index)
{
    LLVMValueRef sum = emit_i32(emitter, 0);
    for (unsigned i = 0; i < count;) {
        unsigned run = run_of_bits(columns, count, i);
        LLVMValueRef part =
            run ? move_bits(emitter, index, i, (unsigned)__builtin_ctz(columns[i]), run)
                : spread_bit(emitter, index, i, columns[i]);
        sum = LLVMBuildXor(emitter->builder, sum, part, "");
        i += run ? run : 1;
    }
    return sum;
}

LLVMValueRef gpu_thread_part(struct gpu_kernel *kernel, const struct linear_layout *layout)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    const struct layout_axis *lanes = &layout->in[LAYOUT_LANE], *warps = &layout->in[LAYOUT_WARP];
    LLVMValueRef lane = gpu_apply_columns(emitter, lanes->basis, lanes->count, kernel->lane);
    LLVMValueRef warp = gpu_apply_columns(emitter, warps->basis, warps->count, kernel->warp);
    LLVMValueRef part = LLVMBuildXor(emitter->builder, lane, warp, "");
    const struct layout_axis *registers = &layout->in[LAYOUT_REGISTER];
    if (!kernel->group || registers->count <= GPU_GROUP_BITS)
        return part;
    LLVMValueRef group = gpu_apply_columns(emitter, registers->basis + GPU_GROUP_BITS,
        registers->count - GPU_GROUP_BITS, kernel->group);
    return LLVMBuildXor(emitter->builder, part, group, "");
}

/* i1: `index` has none of the bits. NULL where there are no bits. */
static LLVMValueRef has_none(struct emitter *emitter, LLVMValueRef index, uint32_t bits)
{
    if (bits == 0)
        return NULL;
    LLVMValueRef found = LLVMBuildAnd(emitter->builder, index, emit_i32(emitter, bits), "");
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, found, emit_i32(emitter, 0), "");
}

/* In a loop over groups, whether the group's registers are first holders. */
static LLVMValueRef is_first_group(struct gpu_kernel *kernel, uint32_t *free_registers)
{
    if (!kernel->group)
        return NULL;
    uint32_t groups = *free_registers >> GPU_GROUP_BITS;
    *free_registers &= (1U << GPU_GROUP_BITS) - 1;
    return has_none(&kernel->lowering.emitter, kernel->group, groups);
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
    LLVMValueRef is_group = is_first_group(kernel, out_free_registers);
    LLVMValueRef is_thread = has_none(emitter, kernel->thread, free_threads);
    if (!is_group || !is_thread)
        return is_group ? is_group : is_thread;
    return LLVMBuildAnd(emitter->builder, is_group, is_thread, "");
}
