/* choose-dot-layouts: gives every product the layout that computes it best.
 *
 * f16 and bf16 into f32 goes to the tensor cores, where the tiles are as large as their
 * instruction: the result lies as #ttg.nvidia_mma says, the factors as #ttg.dot_op of it. Any other
 * product is made of multiply-adds, and a thread that computes a block of the result reads each row
 * and column once for all of it. Conversions go around the product; remove-layout-conversions
 * moves them out of the way.
 */
#include "analysis/layout_encoding.h"
#include "analysis/pointer_map.h"
#include "base/arena.h"
#include "dialect/dialect.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinTypes.h"

enum { LANES = 32, FIRST_WITH_MMA = 80 };

/* The instruction's tile, as powers of two. */
enum { MMA_ROW_BITS = 4, MMA_COLUMN_BITS = 3, MMA_INNER_BITS = 4 };

static MlirType type_of_operand(MlirOperation op, intptr_t index)
{
    return mlirValueGetType(mlirOperationGetOperand(op, index));
}

static MlirType element_of_operand(MlirOperation op, intptr_t index)
{
    return mlirShapedTypeGetElementType(type_of_operand(op, index));
}

/* ---- Tensor cores ---------------------------------------------------------------------------- */

static bool suits_mma(
    MlirOperation dot, const struct layout_shape *shape, const struct pass_options *options)
{
    MlirType a = element_of_operand(dot, 0), b = element_of_operand(dot, 1);
    struct layout_shape factor;
    return options->compute_capability >= FIRST_WITH_MMA && shape->rank == 2 &&
           (mlirTypeIsAF16(a) || mlirTypeIsABF16(a)) && mlirTypeEqual(a, b) &&
           mlirTypeIsAF32(element_of_operand(dot, 2)) && shape->bits[0] >= MMA_ROW_BITS &&
           shape->bits[1] >= MMA_COLUMN_BITS &&
           layout_shape_of_type(type_of_operand(dot, 0), &factor) &&
           factor.bits[1] >= MMA_INNER_BITS;
}

/* Looks from a product's result through elementwise operations for another product that takes it as
 * a factor. */
static bool feeds_a_factor(MlirValue value, struct pointer_map *seen)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_id id = op_id_of(user);
        if (id == OP_TT_DOT && mlirOpOperandGetOperandNumber(use) < 2)
            return true;
        bool passes = ir_is_elementwise(user) || id == OP_TTG_CONVERT_LAYOUT;
        if (!passes || mlirOperationGetNumResults(user) == 0 || pointer_map_get(seen, user.ptr))
            continue;
        pointer_map_set(seen, user.ptr, seen);
        if (feeds_a_factor(mlirOperationGetResult(user, 0), seen))
            return true;
    }
    return false;
}

/* Looks back from a factor through elementwise operations for another product that made it. */
static bool is_made_by_dot(MlirValue value, struct pointer_map *seen)
{
    if (!mlirValueIsAOpResult(value))
        return false;
    MlirOperation op = mlirOpResultGetOwner(value);
    if (op_id_of(op) == OP_TT_DOT)
        return true;
    bool passes = ir_is_elementwise(op) || op_id_of(op) == OP_TTG_CONVERT_LAYOUT;
    if (!passes || pointer_map_get(seen, op.ptr))
        return false;
    pointer_map_set(seen, op.ptr, seen);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (is_made_by_dot(mlirOperationGetOperand(op, i), seen))
            return true;
    return false;
}

static bool is_one_of_two(MlirOperation dot)
{
    arena *arena = arena_create();
    struct pointer_map forward, back;
    pointer_map_init(&forward, arena);
    pointer_map_init(&back, arena);
    bool is_one = feeds_a_factor(mlirOperationGetResult(dot, 0), &forward) ||
                  is_made_by_dot(mlirOperationGetOperand(dot, 0), &back);
    arena_destroy(arena);
    return is_one;
}

/* Warps split the longer side of what each of them computes, so that both factors are read about as
 * often. Two products, the first of which makes the second's first factor, split rows alone: a warp
 * then has what the second one wants of the first, and both have the rows of a warp in common. */
static struct ttg_mma choose_warps(
    const struct layout_shape *shape, unsigned num_warps, bool rows_alone)
{
    struct ttg_mma mma = {{1, 1}};
    unsigned rows = shape->bits[0], columns = shape->bits[1];
    for (unsigned warps = 1; warps < num_warps; warps *= 2) {
        bool can_split_columns = columns > MMA_COLUMN_BITS && !rows_alone;
        bool can_split_rows = rows > MMA_ROW_BITS;
        if (can_split_columns && (columns > rows || !can_split_rows)) {
            mma.warps_per_cta[1] *= 2;
            columns--;
        } else {
            mma.warps_per_cta[0] *= 2;
            rows -= can_split_rows;
        }
    }
    return mma;
}

static MlirAttribute choose_mma(
    MlirOperation dot, const struct layout_shape *shape, const struct pass_options *options)
{
    struct ttg_mma mma = choose_warps(shape, options->num_warps, is_one_of_two(dot));
    MlirAttribute layout = ttg_mma_attr(mlirOperationGetContext(dot), mma);
    for (unsigned i = 0; i < 2; i++)
        pass_convert_operand(dot, i, ttg_dot_operand_attr((struct ttg_dot_operand){i, layout}));
    return layout;
}

/* ---- Multiply-adds --------------------------------------------------------------------------- */

/* A thread's block is 4x4 where there are enough elements, lanes stand 4 by 8, warps split the
 * longer side. A batch goes to the warps. */
static MlirAttribute choose_block(
    MlirOperation dot, const struct layout_shape *shape, const struct pass_options *options)
{
    enum { BLOCK_BITS = 2 };
    unsigned size[LAYOUT_MAX_RANK], threads[LAYOUT_MAX_RANK], warps[LAYOUT_MAX_RANK];
    unsigned order[LAYOUT_MAX_RANK], rank = shape->rank < 3 ? 2 : 3, row = rank - 2,
                                     column = rank - 1;
    unsigned left = layout_shape_total_bits(shape),
             used = (unsigned)__builtin_ctz(LANES) + (unsigned)__builtin_ctz(options->num_warps);
    left = left > used ? left - used : 0; /* log2 of the elements of a thread */
    for (unsigned i = 0; i < rank; i++) {
        size[i] = threads[i] = warps[i] = 1;
        order[i] = rank - 1 - i;
    }
    unsigned each = left / 2 < BLOCK_BITS ? left / 2 : BLOCK_BITS;
    size[row] = size[column] = 1u << each;
    threads[row] = 4;
    threads[column] = LANES / threads[row];
    for (unsigned count = 1; count < options->num_warps; count *= 2) {
        unsigned rows = 1u << shape->bits[row], columns = 1u << shape->bits[column];
        bool is_tall = rows / (size[row] * threads[row] * warps[row]) >
                       columns / (size[column] * threads[column] * warps[column]);
        if (rank == 3 && warps[0] < 1u << shape->bits[0])
            warps[0] *= 2;
        else
            warps[is_tall ? row : column] *= 2;
    }
    struct ttg_blocked blocked = {rank, size, threads, warps, order};
    return ttg_blocked_attr(mlirOperationGetContext(dot), &blocked);
}

/* ---- The pass -------------------------------------------------------------------------------- */

static MlirWalkResult choose(MlirOperation op, void *user)
{
    const struct pass_options *options = user;
    struct layout_shape shape;
    if (op_id_of(op) != OP_TT_DOT || !layout_shape_of_type(type_of_operand(op, 2), &shape) ||
        shape.rank < 2)
        return MlirWalkResultAdvance;
    MlirAttribute layout = suits_mma(op, &shape, options) ? choose_mma(op, &shape, options)
                                                          : choose_block(op, &shape, options);
    pass_convert_operand(op, 2, layout);
    pass_convert_result(op, 0, layout);
    return MlirWalkResultAdvance;
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    struct pass_options copy = *options;
    mlirOperationWalk(module, choose, &copy, MlirWalkPostOrder);
    return true;
}

MlirPass pass_create_choose_dot_layouts(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "choose-dot-layouts",
        "gives products the layout of tensor cores, or one that saves reads", run, options);
}
