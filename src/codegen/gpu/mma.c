/* tt.dot by the tensor cores' mma.sync, where the layouts of its operands are those of the
 * instruction: the registers of a fragment are neighbours in the layout, so that each instruction
 * takes whole groups of registers. Which groups go together is read off the layouts. */
#include "codegen/gpu/mma.h"

#include "analysis/layout_encoding.h"
#include "codegen/gpu/bits.h"

#include "mlir-c/BuiltinTypes.h"

/* Registers of an instruction's fragments, as powers of two. */
enum { FACTOR_BITS_A = 3, FACTOR_BITS_B = 2, SUM_BITS = 2, WORDS_A = 4, WORDS_B = 2, SUMS = 4 };

struct mma {
    struct gpu_kernel *kernel;
    enum nv_op instruction;
    MlirType element; /* of the factors */
    struct linear_layout a, b, sum;
    const struct lowered *a_values, *b_values;
};

bool gpu_is_mma(MlirOperation dot)
{
    MlirType type = mlirValueGetType(mlirOperationGetResult(dot, 0));
    struct ttg_mma mma;
    return mlirTypeIsARankedTensor(type) &&
           ttg_mma_read(mlirRankedTensorTypeGetEncoding(type), &mma);
}

/* The element that a register of lane 0 in warp 0 holds, as row and column. */
struct corner {
    uint32_t row, column;
};

static struct corner corner_of(const struct linear_layout *layout, uint32_t register_index)
{
    uint32_t element = layout_apply(layout, (struct layout_place){{register_index, 0, 0, 0}});
    return (struct corner){layout_coordinate(&layout->shape, element, 0),
        layout_coordinate(&layout->shape, element, 1)};
}

/* The group of 2^bits registers that starts at the corner. */
static uint32_t find_group(const struct linear_layout *layout, unsigned bits, struct corner corner)
{
    for (uint32_t first = 0;; first += 1u << bits) {
        struct corner found = corner_of(layout, first);
        if (found.row == corner.row && found.column == corner.column)
            return first;
    }
}

static LLVMValueRef pair(const struct mma *mma, const struct lowered *values, uint32_t first)
{
    return gpu_pack(&mma->kernel->lowering.emitter, mma->element, &values->elements[first], 2);
}

/* sums += a b, for one instruction's fragments. */
static void multiply(const struct mma *mma, uint32_t a, uint32_t b, LLVMValueRef *sums)
{
    struct emitter *emitter = &mma->kernel->lowering.emitter;
    LLVMValueRef operands[WORDS_A + WORDS_B + SUMS];
    for (uint32_t i = 0; i < WORDS_A; i++)
        operands[i] = pair(mma, mma->a_values, a + 2 * i);
    for (uint32_t i = 0; i < WORDS_B; i++)
        operands[WORDS_A + i] = pair(mma, mma->b_values, b + 2 * i);
    for (uint32_t i = 0; i < SUMS; i++)
        operands[WORDS_A + WORDS_B + i] = sums[i];
    LLVMValueRef results =
        nv_emit(emitter, mma->kernel->options.column, mma->instruction, NULL, operands);
    for (unsigned i = 0; i < SUMS; i++)
        sums[i] = LLVMBuildExtractValue(emitter->builder, results, i, "");
}

/* The inner dimension outermost: neighbouring instructions add to different sums. */
static void multiply_all(const struct mma *mma, struct lowered *sums)
{
    enum { INNER = 16 };
    uint32_t inner = 1u << mma->a.shape.bits[1];
    for (uint32_t k = 0; k < inner; k += INNER)
        for (uint32_t s = 0; s < sums->count; s += SUMS) {
            struct corner place = corner_of(&mma->sum, s);
            uint32_t a = find_group(&mma->a, FACTOR_BITS_A, (struct corner){place.row, k});
            uint32_t b = find_group(&mma->b, FACTOR_BITS_B, (struct corner){k, place.column});
            multiply(mma, a, b, &sums->elements[s]);
        }
}

static bool describe(struct gpu_kernel *kernel, MlirOperation op, struct mma *mma)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
    MlirType sum = mlirValueGetType(mlirOperationGetResult(op, 0));
    *mma = (struct mma){.kernel = kernel,
        .element = ir_element_type(mlirValueGetType(a)),
        .a_values = lowering_get(lowering, a),
        .b_values = lowering_get(lowering, b)};
    if (!gpu_layout(op, mlirValueGetType(a), &mma->a) ||
        !gpu_layout(op, mlirValueGetType(b), &mma->b) || !gpu_layout(op, sum, &mma->sum))
        return false;
    bool is_half = mlirTypeIsAF16(mma->element);
    bool is_known = (is_half || mlirTypeIsABF16(mma->element)) &&
                    mlirTypeEqual(mma->element, ir_element_type(mlirValueGetType(b))) &&
                    mlirTypeIsAF32(ir_element_type(sum));
    mma->instruction = is_half ? NV_MMA_M16N8K16_F16 : NV_MMA_M16N8K16_BF16;
    return is_known || ir_error_not_built(op, "of these element types as an mma");
}

/* Whether an operand has the layout of the instruction's factor. */
static bool is_factor(MlirOperation op, unsigned index)
{
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, index));
    MlirType sum = mlirValueGetType(mlirOperationGetResult(op, 0));
    struct ttg_dot_operand operand;
    return ttg_dot_operand_read(mlirRankedTensorTypeGetEncoding(type), &operand) &&
           operand.index == index &&
           mlirAttributeEqual(operand.parent, mlirRankedTensorTypeGetEncoding(sum));
}

/* Whether the tile is at least as large as the instruction's. */
static bool is_large(const struct mma *mma)
{
    return mma->sum.shape.bits[0] >= 4 && mma->sum.shape.bits[1] >= 3 && mma->a.shape.bits[1] >= 4;
}

bool gpu_lower_mma(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    struct mma mma;
    if (!is_factor(op, 0) || !is_factor(op, 1))
        return ir_error(op, "an mma takes factors that lie as #ttg.dot_op of its result says");
    if (!describe(kernel, op, &mma))
        return false;
    if (!is_large(&mma))
        return ir_error_not_built(op, "of tiles below 16x16 and 16x8 as an mma");
    const struct lowered *start = lowering_get(lowering, mlirOperationGetOperand(op, 2));
    struct lowered *sums = lowering_allocate(lowering, start->count);
    for (unsigned i = 0; i < sums->count; i++)
        sums->elements[i] = start->elements[i];
    multiply_all(&mma, sums);
    lowering_set(lowering, mlirOperationGetResult(op, 0), sums);
    return true;
}
