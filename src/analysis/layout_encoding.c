/* Layout attributes as linear layouts. A new encoding is one more reader in the table below. */
#include "analysis/layout_encoding.h"

#include "dialect/dialect.h"

#include "mlir-c/BuiltinTypes.h"

bool layout_shape_of_type(MlirType type, struct layout_shape *out_shape)
{
    if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type))
        return false;
    int64_t dimensions[LAYOUT_MAX_RANK];
    int64_t rank = mlirShapedTypeGetRank(type);
    if (rank > LAYOUT_MAX_RANK)
        return false;
    for (int64_t i = 0; i < rank; i++)
        dimensions[i] = mlirShapedTypeGetDimSize(type, i);
    return layout_shape_make((unsigned)rank, dimensions, out_shape);
}

static bool read_blocked(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_blocked blocked;
    if (!ttg_blocked_read(encoding, &blocked))
        return false;
    struct layout_blocking blocking = {
        .rank = blocked.rank,
        .size_per_thread = blocked.size_per_thread,
        .threads_per_warp = blocked.threads_per_warp,
        .warps_per_block = blocked.warps_per_cta,
        .order = blocked.order,
    };
    return layout_from_blocking(&blocking, shape, out_layout);
}

/* The parent speaks of a tile with one more dimension, of size 1 here. */
static bool read_slice(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_slice slice;
    if (!ttg_slice_read(encoding, &slice) || shape->rank >= LAYOUT_MAX_RANK ||
        slice.dim > shape->rank)
        return false;
    struct layout_shape parent_shape = {.rank = shape->rank + 1};
    for (unsigned i = 0; i < parent_shape.rank; i++)
        if (i != slice.dim)
            parent_shape.bits[i] = shape->bits[i < slice.dim ? i : i - 1];
    struct linear_layout parent;
    if (!layout_from_encoding(slice.parent, &parent_shape, &parent))
        return false;
    *out_layout = layout_slice(&parent, slice.dim);
    return true;
}

/* ---- Tensor cores: mma.sync m16n8k16, PTX ISA, "Matrix Fragments" ---------------------------- */

enum { ROW = 0, COLUMN = 1 };

/* Rows of a warp's lanes: lane 4 r + c. */
#define LANES_OF(slow, fast) {{fast, 1}, {fast, 2}, {slow, 0}, {slow, 1}, {slow, 2}}

static bool read_mma(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_mma mma;
    if (!ttg_mma_read(encoding, &mma) || shape->rank != 2)
        return false;
    struct layout_instruction instruction = {.rank = 2,
        .register_count = 2,
        .registers = {{COLUMN, 0}, {ROW, 3}},
        .lane_count = 5,
        .lanes = LANES_OF(ROW, COLUMN),
        .warps = {mma.warps_per_cta[0], mma.warps_per_cta[1]},
        .order = {COLUMN, ROW}};
    *out_layout = layout_from_instruction(&instruction, shape);
    return true;
}

/* The first factor is 16 rows by 16 of the inner dimension, the second 16 of the inner dimension by
 * 8 columns; warps that stand side by side along the other's dimension hold the same. */
static bool read_mma_operand(unsigned index, struct ttg_mma mma, const struct layout_shape *shape,
    struct linear_layout *out_layout)
{
    static const struct layout_instruction factors[] = {
        {.rank = 2,
            .register_count = 3,
            .registers = {{COLUMN, 0}, {ROW, 3}, {COLUMN, 3}},
            .lane_count = 5,
            .lanes = LANES_OF(ROW, COLUMN),
            .order = {COLUMN, ROW},
            .replicated = {false, true}},
        {.rank = 2,
            .register_count = 2,
            .registers = {{ROW, 0}, {ROW, 3}},
            .lane_count = 5,
            .lanes = LANES_OF(COLUMN, ROW),
            .order = {COLUMN, ROW},
            .replicated = {true, false}},
    };
    if (shape->rank != 2)
        return false;
    struct layout_instruction instruction = factors[index];
    instruction.warps[ROW] = mma.warps_per_cta[0];
    instruction.warps[COLUMN] = mma.warps_per_cta[1];
    *out_layout = layout_from_instruction(&instruction, shape);
    return true;
}

/* The inner dimension lies in each thread's registers. */
static bool read_blocked_operand(unsigned index, MlirAttribute parent,
    const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_blocked blocked;
    if (!ttg_blocked_read(parent, &blocked) || blocked.rank != shape->rank)
        return false;
    unsigned size[LAYOUT_MAX_RANK], inner = shape->rank - (index == 0 ? 1 : 2);
    for (unsigned i = 0; i < shape->rank; i++)
        size[i] = i == inner ? 1u << shape->bits[i] : blocked.size_per_thread[i];
    struct layout_blocking blocking = {
        .rank = blocked.rank,
        .size_per_thread = size,
        .threads_per_warp = blocked.threads_per_warp,
        .warps_per_block = blocked.warps_per_cta,
        .order = blocked.order,
    };
    return layout_from_blocking(&blocking, shape, out_layout);
}

static bool read_dot_operand(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    struct ttg_dot_operand operand;
    struct ttg_mma mma;
    if (!ttg_dot_operand_read(encoding, &operand))
        return false;
    if (ttg_mma_read(operand.parent, &mma))
        return read_mma_operand(operand.index, mma, shape, out_layout);
    return read_blocked_operand(operand.index, operand.parent, shape, out_layout);
}

/* ---- All of them ----------------------------------------------------------------------------- */

bool layout_from_encoding(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout)
{
    static bool (*const readers[])(
        MlirAttribute, const struct layout_shape *, struct linear_layout *) = {
        read_blocked,
        read_slice,
        read_mma,
        read_dot_operand,
    };
    if (mlirAttributeIsNull(encoding))
        return false;
    for (unsigned i = 0; i < sizeof readers / sizeof *readers; i++)
        if (readers[i](encoding, shape, out_layout))
            return true;
    return false;
}

bool layout_offsets_from_encoding(
    MlirAttribute encoding, const struct layout_shape *shape, uint32_t *out_columns)
{
    struct ttg_swizzled_shared shared;
    if (!ttg_swizzled_shared_read(encoding, &shared))
        return false;
    struct layout_swizzle swizzle = {
        shared.rank, shared.vec, shared.per_phase, shared.max_phase, shared.order};
    return layout_swizzled_offsets(&swizzle, shape, out_columns);
}

bool layout_of_type(MlirType type, struct linear_layout *out_layout)
{
    struct layout_shape shape;
    return layout_shape_of_type(type, &shape) &&
           layout_from_encoding(mlirRankedTensorTypeGetEncoding(type), &shape, out_layout);
}
