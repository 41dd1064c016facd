/* The loops of a matrix product:
 *
 *     for each matrix, for each panel of columns:       the panel of b stays in the first cache
 *         for each block of rows:
 *             sums in registers, from d or zero
 *             for each k:                               UNROLL of them a turn
 *                 a row of the panel, some vectors
 *                 for each row: sums += a[row][k] * those
 *             sums to d
 */
#include "codegen/cpu/dot.h"

#include "codegen/cpu/nest.h"
#include "codegen/cpu/pull.h"

enum { UNROLL_BITS = 2, MAX_ROWS = 8, MAX_VECTORS = 2, MAX_SUMS = MAX_ROWS * MAX_VECTORS };

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned log2_of(unsigned number)
{
    unsigned bits = 0;
    while (number >> (bits + 1))
        bits++;
    return bits;
}

/* With 32 registers 8 rows of 2 vectors leave half of them for factors; with 16, 4 rows of 2. */
struct cpu_dot_block cpu_dot_choose_block(
    const struct cpu_kernel *kernel, const struct cpu_dot *dot)
{
    enum { MANY_REGISTERS = 32 };
    unsigned lanes = kernel->options->vector_bytes / emit_memory_size(dot->element);
    struct cpu_dot_block block;
    block.row_bits =
        lesser(kernel->options->vector_registers >= MANY_REGISTERS ? 3 : 2, dot->row_bits);
    block.lane_bits = lesser(log2_of(lanes), dot->column_bits);
    block.vector_bits = lesser(1, dot->column_bits - block.lane_bits);
    return block;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

struct multiplication {
    struct cpu_kernel *kernel;
    const struct cpu_dot *dot;
    unsigned rows, vectors;
    LLVMTypeRef scalar, vector;
    LLVMValueRef a, b, d; /* i64: the first elements of the block of rows, the panel, the sums */
};

static struct emitter *emitter_of(const struct multiplication *work)
{
    return &work->kernel->lowering.emitter;
}

static LLVMValueRef scale(const struct multiplication *work, LLVMValueRef number, unsigned bits)
{
    return LLVMBuildMul(
        emitter_of(work)->builder, number, emit_i64(emitter_of(work), UINT64_C(1) << bits), "");
}

static LLVMValueRef add(const struct multiplication *work, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAdd(emitter_of(work)->builder, a, b, "");
}

static LLVMValueRef add_constant(
    const struct multiplication *work, LLVMValueRef number, uint64_t constant)
{
    return add(work, number, emit_i64(emitter_of(work), constant));
}

static void set_vector_alignment(const struct multiplication *work, LLVMValueRef access)
{
    LLVMSetAlignment(access, emit_memory_size(work->dot->element) << work->dot->block.lane_bits);
}

static LLVMValueRef load_vector(
    const struct multiplication *work, struct cpu_buffer *buffer, LLVMValueRef number)
{
    LLVMValueRef place = cpu_buffer_place(work->kernel, buffer, work->dot->element, number);
    LLVMValueRef loaded = LLVMBuildLoad2(emitter_of(work)->builder, work->vector, place, "");
    set_vector_alignment(work, loaded);
    return loaded;
}

/* A scalar in all lanes. */
static LLVMValueRef load_spread(
    const struct multiplication *work, struct cpu_buffer *buffer, LLVMValueRef number)
{
    struct emitter *emitter = emitter_of(work);
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef place = cpu_buffer_place(work->kernel, buffer, work->dot->element, number);
    LLVMValueRef loaded = LLVMBuildLoad2(builder, work->scalar, place, "");
    LLVMValueRef one = LLVMBuildInsertElement(
        builder, LLVMGetPoison(work->vector), loaded, emit_i32(emitter, 0), "");
    LLVMTypeRef indices =
        LLVMVectorType(emit_integer_type(emitter, 32), 1u << work->dot->block.lane_bits);
    return LLVMBuildShuffleVector(
        builder, one, LLVMGetPoison(work->vector), LLVMConstNull(indices), "");
}

static LLVMValueRef multiply_add(
    const struct multiplication *work, LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum)
{
    struct emitter *emitter = emitter_of(work);
    LLVMBuilderRef builder = emitter->builder;
    if (!ir_is_float(work->dot->element))
        return LLVMBuildAdd(builder, LLVMBuildMul(builder, a, b, ""), sum, "");
    if (!emitter->contract)
        return LLVMBuildFAdd(builder, LLVMBuildFMul(builder, a, b, ""), sum, "");
    LLVMValueRef arguments[] = {a, b, sum};
    return emit_intrinsic(emitter, "llvm.fmuladd", work->vector, arguments, 3);
}

/* The sum of row r and vector v in d. */
static LLVMValueRef sum_number(const struct multiplication *work, unsigned r, unsigned v)
{
    const struct cpu_dot *dot = work->dot;
    uint64_t offset = ((uint64_t)r << dot->column_bits) + ((uint64_t)v << dot->block.lane_bits);
    return add_constant(work, work->d, offset);
}

/* ---- The loop over k ------------------------------------------------------------------------- */

/* One k: `sums` are replaced. */
static void multiply_one(const struct multiplication *work, LLVMValueRef k, LLVMValueRef *sums)
{
    const struct cpu_dot *dot = work->dot;
    unsigned panel_bits = dot->block.vector_bits + dot->block.lane_bits;
    LLVMValueRef row = add(work, work->b, scale(work, k, panel_bits));
    LLVMValueRef factors[MAX_VECTORS];
    for (unsigned v = 0; v < work->vectors; v++)
        factors[v] =
            load_vector(work, dot->b, add_constant(work, row, (uint64_t)v << dot->block.lane_bits));
    LLVMValueRef first = add(work, work->a, k);
    for (unsigned r = 0; r < work->rows; r++) {
        LLVMValueRef spread =
            load_spread(work, dot->a, add_constant(work, first, (uint64_t)r << dot->inner_bits));
        for (unsigned v = 0; v < work->vectors; v++) {
            LLVMValueRef *sum = &sums[r * work->vectors + v];
            *sum = multiply_add(work, spread, factors[v], *sum);
        }
    }
}

static void multiply_all(const struct multiplication *work, LLVMValueRef *sums)
{
    struct emitter *emitter = emitter_of(work);
    LLVMBuilderRef builder = emitter->builder;
    unsigned count = work->rows * work->vectors, unroll = 1u << UNROLL_BITS;
    uint64_t inner = UINT64_C(1) << work->dot->inner_bits;
    if (inner < unroll)
        unroll = (unsigned)inner;
    LLVMBasicBlockRef before = emit_current_block(emitter), loop = emit_new_block(emitter, "inner");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildBr(builder, loop);
    emit_at_end_of(emitter, loop);
    LLVMValueRef k = LLVMBuildPhi(builder, emit_integer_type(emitter, 64), ""), phis[MAX_SUMS];
    LLVMValueRef zero = emit_i64(emitter, 0);
    LLVMAddIncoming(k, &zero, &before, 1);
    for (unsigned i = 0; i < count; i++) {
        phis[i] = LLVMBuildPhi(builder, work->vector, "");
        LLVMAddIncoming(phis[i], &sums[i], &before, 1);
        sums[i] = phis[i];
    }
    for (unsigned u = 0; u < unroll; u++)
        multiply_one(work, add_constant(work, k, u), sums);
    LLVMValueRef next = LLVMBuildNUWAdd(builder, k, emit_i64(emitter, unroll), "");
    LLVMAddIncoming(k, &next, &loop, 1);
    for (unsigned i = 0; i < count; i++)
        LLVMAddIncoming(phis[i], &sums[i], &loop, 1);
    LLVMValueRef is_done = LLVMBuildICmp(builder, LLVMIntEQ, next, emit_i64(emitter, inner), "");
    LLVMBuildCondBr(builder, is_done, after, loop);
    emit_at_end_of(emitter, after);
}

/* ---- The loops around it --------------------------------------------------------------------- */

static void multiply_block(const struct multiplication *work)
{
    LLVMValueRef sums[MAX_SUMS];
    for (unsigned r = 0; r < work->rows; r++)
        for (unsigned v = 0; v < work->vectors; v++)
            sums[r * work->vectors + v] =
                work->dot->accumulates ? load_vector(work, work->dot->d, sum_number(work, r, v))
                                       : LLVMConstNull(work->vector);
    multiply_all(work, sums);
    for (unsigned r = 0; r < work->rows; r++) {
        for (unsigned v = 0; v < work->vectors; v++) {
            LLVMValueRef place = cpu_buffer_place(
                work->kernel, work->dot->d, work->dot->element, sum_number(work, r, v));
            set_vector_alignment(work,
                LLVMBuildStore(emitter_of(work)->builder, sums[r * work->vectors + v], place));
        }
    }
}

/* Where the block of rows begins in a, the panel in b, and both in d. */
static void find_places(struct multiplication *work, const LLVMValueRef *index)
{
    const struct cpu_dot *dot = work->dot;
    LLVMValueRef batch = index[0], panel = index[1], rows = index[2];
    unsigned panel_bits = dot->block.vector_bits + dot->block.lane_bits;
    LLVMValueRef row =
        add(work, scale(work, batch, dot->row_bits), scale(work, rows, dot->block.row_bits));
    work->a = scale(work, row, dot->inner_bits);
    work->b = add(work, scale(work, batch, dot->inner_bits + dot->column_bits),
        scale(work, panel, dot->inner_bits + panel_bits));
    work->d = add(work, scale(work, row, dot->column_bits), scale(work, panel, panel_bits));
}

void cpu_dot_multiply(struct cpu_kernel *kernel, const struct cpu_dot *dot)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    const struct cpu_dot_block *block = &dot->block;
    LLVMTypeRef scalar = emit_type(emitter, dot->element);
    struct multiplication work = {
        .kernel = kernel,
        .dot = dot,
        .rows = 1u << block->row_bits,
        .vectors = 1u << block->vector_bits,
        .scalar = scalar,
        .vector = LLVMVectorType(scalar, 1u << block->lane_bits),
    };
    struct layout_shape loops = {.rank = 3,
        .bits = {(uint8_t)dot->batch_bits,
            (uint8_t)(dot->column_bits - block->vector_bits - block->lane_bits),
            (uint8_t)(dot->row_bits - block->row_bits)}};
    struct cpu_nest nest;
    cpu_nest_begin(kernel, &loops, &nest);
    nest.is_ordered = true;
    find_places(&work, nest.index);
    multiply_block(&work);
    cpu_nest_end(kernel, &nest);
}
