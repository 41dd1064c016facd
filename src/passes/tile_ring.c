/* See tile_ring.h. */
#include "passes/tile_ring.h"

#include "dialect/dialect.h"

MlirType ring_tile_type(MlirType tile)
{
    struct ttg_memory memory;
    ttg_memory_read(tile, &memory);
    memory.is_mutable = true;
    return ttg_memory_type(&memory);
}

MlirType ring_type(MlirType tile, unsigned count)
{
    enum { MOST_RANK = 8 };
    struct ttg_memory memory;
    int64_t shape[MOST_RANK] = {count};
    ttg_memory_read(tile, &memory);
    for (unsigned i = 0; i < memory.rank; i++)
        shape[i + 1] = memory.shape[i];
    memory.rank++;
    memory.shape = memory.whole = shape;
    memory.is_mutable = true;
    return ttg_memory_type(&memory);
}

MlirValue ring_tile(
    const struct op_builder *builder, MlirValue ring, MlirType tile, MlirValue index)
{
    return op_build_binary(builder, "ttg.memdesc_index", ring, index, ring_tile_type(tile));
}

MlirValue ring_next(const struct op_builder *builder, MlirValue index, unsigned count)
{
    MlirType type = mlirValueGetType(index);
    MlirValue one = op_build_integer(builder, type, 1);
    MlirValue next = op_build_binary(builder, "arith.addi", index, one, type);
    MlirValue is_over =
        op_build_compare(builder, OP_COMPARE_SGE, next, op_build_integer(builder, type, count));
    return op_build_select(builder, is_over, op_build_integer(builder, type, 0), next);
}
