/* tt.dot by multiply-adds of single elements, the factors staged in shared memory (dot_staging.h).
 *
 * A loop runs over the inner dimension in steps of a few elements, as many as its vectors hold; the
 * sums stay in registers and are added up in the order of the inner dimension. */
#include "codegen/gpu/gpu.h"

#include "analysis/dot_staging.h"
#include "codegen/dot_types.h"
#include "codegen/gpu/mma.h"
#include "codegen/gpu/shared.h"
#include "codegen/scalar_ops.h"

struct dot {
    struct gpu_kernel *kernel;
    MlirOperation op;
    struct dot_staging plan;
    MlirType computing, element[2];
    struct gpu_shared_view view[2];
    unsigned step_bits;      /* log2 of the inner elements a step takes */
    LLVMValueRef *factor[2]; /* of one step, by register: outer bits, then the step's */
    LLVMValueRef *sums;
    unsigned sum_count;
};

static struct emitter *emitter_of(const struct dot *dot)
{
    return &dot->kernel->lowering.emitter;
}

/* ---- Staging --------------------------------------------------------------------------------- */

static void stage(struct dot *dot)
{
    unsigned base = shared_memory_of(dot->kernel->shared, dot->op)->offset;
    for (unsigned f = 0; f < 2; f++) {
        const struct dot_factor *factor = &dot->plan.factor[f];
        LLVMValueRef place = gpu_shared_pointer(dot->kernel, base + factor->offset);
        struct gpu_shared_view writer =
            gpu_shared_view(dot->kernel, &factor->memory, &factor->from, dot->element[f], place);
        gpu_shared_write(dot->kernel, &writer, 0,
            lowering_get(&dot->kernel->lowering, mlirOperationGetOperand(dot->op, f)));
        dot->view[f] =
            gpu_shared_view(dot->kernel, &factor->memory, &factor->wanted, dot->element[f], place);
    }
    gpu_barrier(dot->kernel);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Inner bits that the vectors of a factor cover; all of them where those that are left to the loop
 * would shift a vector's start. */
static unsigned bits_of_vectors(const struct dot *dot, unsigned f)
{
    const struct dot_factor *factor = &dot->plan.factor[f];
    const struct layout_axis *registers = &dot->view[f].offsets.in[LAYOUT_REGISTER];
    uint32_t vector_bytes = emit_memory_size(dot->element[f]) << factor->memory.vector_bits;
    unsigned bits = 0;
    for (unsigned i = 0; i < factor->memory.vector_bits; i++) {
        uint32_t inner = dot->view[f].vector[i] >> factor->outer_registers;
        unsigned used = inner ? 32 - (unsigned)__builtin_clz(inner) : 0;
        bits = used > bits ? used : bits;
    }
    for (unsigned i = bits; i < dot->plan.inner_bits; i++)
        if (registers->basis[factor->outer_registers + i] & (vector_bytes - 1))
            return dot->plan.inner_bits;
    return bits;
}

static void choose_step(struct dot *dot)
{
    enum { LEAST_BITS = 2 };
    unsigned bits = LEAST_BITS;
    for (unsigned f = 0; f < 2; f++) {
        unsigned own = bits_of_vectors(dot, f);
        bits = own > bits ? own : bits;
    }
    dot->step_bits = bits < dot->plan.inner_bits ? bits : dot->plan.inner_bits;
}

/* How far the step's number moves a factor's addresses. */
static LLVMValueRef step_offset(const struct dot *dot, unsigned f, LLVMValueRef step)
{
    const struct layout_axis *registers = &dot->view[f].offsets.in[LAYOUT_REGISTER];
    unsigned first = dot->plan.factor[f].outer_registers + dot->step_bits;
    if (first >= registers->count)
        return NULL;
    return gpu_apply_columns(
        emitter_of(dot), &registers->basis[first], registers->count - first, step);
}

static void read_factor(struct dot *dot, unsigned f, LLVMValueRef step)
{
    LLVMValueRef more = step_offset(dot, f, step);
    unsigned count = 1u << (dot->plan.factor[f].outer_registers + dot->step_bits);
    for (uint32_t i = 0; i < count; i++)
        if (gpu_shared_is_first(&dot->view[f], i))
            gpu_shared_read_vector(dot->kernel, &dot->view[f], i, more, dot->factor[f]);
    for (uint32_t i = 0; i < count; i++)
        dot->factor[f][i] = dot_convert(emitter_of(dot), dot->factor[f][i], dot->computing);
}

/* Which outer register of a factor goes with a register of the result: the same bits, but for those
 * along the other factor's outer dimension. */
static uint32_t outer_register(const struct dot *dot, unsigned f, uint32_t sum)
{
    const struct layout_shape *shape = &dot->plan.result.shape;
    const struct layout_axis *registers = &dot->plan.result.in[LAYOUT_REGISTER];
    uint32_t others = layout_shape_mask(shape, f == 0 ? shape->rank - 1 : shape->rank - 2);
    uint32_t result = 0;
    unsigned next = 0;
    for (unsigned i = 0; i < registers->count; i++)
        if (registers->basis[i] & ~others)
            result |= (sum >> i & 1) << next++;
    return result;
}

static LLVMValueRef multiply_add(
    const struct dot *dot, LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum)
{
    struct emitter *emitter = emitter_of(dot);
    LLVMValueRef operands[] = {a, b, sum};
    if (ir_is_float(dot->computing))
        return emit_intrinsic(emitter, "llvm.fma", LLVMTypeOf(sum), operands, 3);
    return LLVMBuildAdd(emitter->builder, sum, LLVMBuildMul(emitter->builder, a, b, ""), "");
}

static void add_step(struct dot *dot, LLVMValueRef step)
{
    for (unsigned f = 0; f < 2; f++)
        read_factor(dot, f, step);
    for (uint32_t k = 0; k < 1u << dot->step_bits; k++)
        for (uint32_t s = 0; s < dot->sum_count; s++) {
            uint32_t a = outer_register(dot, 0, s) | k << dot->plan.factor[0].outer_registers;
            uint32_t b = outer_register(dot, 1, s) | k << dot->plan.factor[1].outer_registers;
            dot->sums[s] = multiply_add(dot, dot->factor[0][a], dot->factor[1][b], dot->sums[s]);
        }
}

static void add_all_steps(struct dot *dot)
{
    struct emitter *emitter = emitter_of(dot);
    LLVMBuilderRef builder = emitter->builder;
    unsigned steps = 1u << (dot->plan.inner_bits - dot->step_bits);
    LLVMValueRef zero = emit_i32(emitter, 0);
    if (steps == 1) {
        add_step(dot, zero);
        return;
    }
    LLVMBasicBlockRef before = emit_current_block(emitter);
    LLVMBasicBlockRef loop = emit_new_block(emitter, ""), after = emit_new_block(emitter, "");
    LLVMValueRef *phis = arena_array(emitter->arena, LLVMValueRef, dot->sum_count);
    LLVMBuildBr(builder, loop);
    emit_at_end_of(emitter, loop);
    LLVMValueRef step = LLVMBuildPhi(builder, LLVMTypeOf(zero), "");
    LLVMAddIncoming(step, &zero, &before, 1);
    for (unsigned s = 0; s < dot->sum_count; s++) {
        phis[s] = LLVMBuildPhi(builder, LLVMTypeOf(dot->sums[s]), "");
        LLVMAddIncoming(phis[s], &dot->sums[s], &before, 1);
        dot->sums[s] = phis[s];
    }
    add_step(dot, step);
    LLVMValueRef next = LLVMBuildNUWAdd(builder, step, emit_i32(emitter, 1), "");
    LLVMBasicBlockRef end = emit_current_block(emitter);
    LLVMAddIncoming(step, &next, &end, 1);
    for (unsigned s = 0; s < dot->sum_count; s++)
        LLVMAddIncoming(phis[s], &dot->sums[s], &end, 1);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntNE, next, emit_i32(emitter, steps), "");
    LLVMBuildCondBr(builder, more, loop, after);
    emit_at_end_of(emitter, after);
}

/* ---- The operation --------------------------------------------------------------------------- */

static bool describe(struct gpu_kernel *kernel, MlirOperation op, struct dot *dot)
{
    *dot = (struct dot){.kernel = kernel, .op = op, .computing = dot_computing_type(op)};
    if (mlirTypeIsNull(dot->computing))
        return ir_error_not_built(op, "of these element types");
    if (!dot_staging_plan(op, &dot->plan))
        return ir_error_not_built(op, "on tiles of these layouts");
    for (unsigned f = 0; f < 2; f++)
        dot->element[f] = dot_element_of(op, f);
    return true;
}

bool gpu_lower_dot(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    if (gpu_is_mma(op))
        return gpu_lower_mma(kernel, op);
    struct dot dot;
    if (!describe(kernel, op, &dot))
        return false;
    const struct lowered *start = lowering_get(lowering, mlirOperationGetOperand(op, 2));
    MlirType sum_element = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    dot.sum_count = start->count;
    dot.sums = arena_array(emitter->arena, LLVMValueRef, start->count);
    for (unsigned s = 0; s < start->count; s++)
        dot.sums[s] = dot_convert(emitter, start->elements[s], dot.computing);
    stage(&dot);
    choose_step(&dot);
    for (unsigned f = 0; f < 2; f++)
        dot.factor[f] = arena_array(emitter->arena, LLVMValueRef,
            1u << (dot.plan.factor[f].outer_registers + dot.step_bits));
    add_all_steps(&dot);
    struct lowered *result = lowering_allocate(lowering, dot.sum_count);
    for (unsigned s = 0; s < dot.sum_count; s++)
        result->elements[s] = dot_convert(emitter, dot.sums[s], sum_element);
    lowering_set(lowering, mlirOperationGetResult(op, 0), result);
    return true;
}
