/* See dot_staging.h. */
#include "analysis/dot_staging.h"

#include "analysis/element_size.h"
#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinTypes.h"

/* The result's coordinates that a factor has too go to the same coordinates there: rows for the
 * first, columns for the second, and the leading dimension of a batch for both. */
static void shared_coordinates(const struct layout_shape *result, const struct layout_shape *factor,
    unsigned dropped, uint32_t *image)
{
    for (unsigned i = 0; i < layout_shape_total_bits(result); i++)
        image[i] = 0;
    for (unsigned d = 0; d < result->rank; d++) {
        if (d == dropped)
            continue;
        unsigned from = layout_shape_shift(result, d), to = layout_shape_shift(factor, d);
        for (unsigned i = 0; i < result->bits[d]; i++)
            image[from + i] = 1u << (to + i);
    }
}

static void keep_outer_registers(struct dot_factor *factor)
{
    struct layout_axis *registers = &factor->wanted.in[LAYOUT_REGISTER];
    unsigned kept = 0;
    for (unsigned i = 0; i < registers->count; i++)
        if (registers->basis[i] != 0)
            registers->basis[kept++] = registers->basis[i];
    registers->count = factor->outer_registers = kept;
}

static void plan_factor(
    const struct linear_layout *result, bool is_first, unsigned bytes, struct dot_factor *factor)
{
    const struct layout_shape *shape = &factor->from.shape;
    unsigned inner = is_first ? shape->rank - 1 : shape->rank - 2;
    uint32_t image[LAYOUT_MAX_BITS];
    shared_coordinates(&result->shape, shape, inner, image);
    factor->wanted = layout_map_elements(result, image, shape);
    keep_outer_registers(factor);
    struct layout_axis *registers = &factor->wanted.in[LAYOUT_REGISTER];
    for (unsigned i = 0; i < shape->bits[inner] && registers->count < LAYOUT_MAX_BITS; i++)
        registers->basis[registers->count++] = 1u << (layout_shape_shift(shape, inner) + i);
    factor->memory = exchange_memory_plan(&factor->from, &factor->wanted, bytes);
    factor->bytes = bytes << layout_shape_total_bits(shape);
}

/* Each column of the result's layout lies along one dimension. */
static bool columns_are_straight(const struct linear_layout *layout)
{
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++) {
            unsigned touched = 0;
            for (unsigned d = 0; d < layout->shape.rank; d++)
                touched += (layout->in[in].basis[i] & layout_shape_mask(&layout->shape, d)) != 0;
            if (touched > 1)
                return false;
        }
    return true;
}

bool dot_staging_plan(MlirOperation dot, struct dot_staging *out_staging)
{
    enum { ALIGNMENT = 16 };
    MlirType type = mlirValueGetType(mlirOperationGetResult(dot, 0));
    *out_staging = (struct dot_staging){.bytes = 0};
    struct ttg_mma mma;
    if (mlirTypeIsARankedTensor(type) && ttg_mma_read(mlirRankedTensorTypeGetEncoding(type), &mma))
        return false;
    if (!layout_of_type(type, &out_staging->result) || !columns_are_straight(&out_staging->result))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        struct dot_factor *factor = &out_staging->factor[i];
        MlirType operand = mlirValueGetType(mlirOperationGetOperand(dot, i));
        if (!layout_of_type(operand, &factor->from))
            return false;
        plan_factor(&out_staging->result, i == 0, element_size(operand), factor);
        factor->offset = out_staging->bytes;
        out_staging->bytes += (factor->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    const struct layout_shape *first = &out_staging->factor[0].from.shape;
    out_staging->inner_bits = first->bits[first->rank - 1];
    return true;
}
