/* Rings of tiles in shared memory: ttg.local_alloc of several tiles that are used in turn. Private
 * to src/passes/. */
#ifndef TEENY_PASSES_TILE_RING_H
#define TEENY_PASSES_TILE_RING_H

#include "passes/op_builder.h"

/* `tile` is the !ttg.memdesc of one tile: that of a ring of `count`, and of a tile in a ring, which
 * may be written. */
MlirType ring_type(MlirType tile, unsigned count);
MlirType ring_tile_type(MlirType tile);

/* Tile `index`, an i32, of the ring. */
MlirValue ring_tile(
    const struct op_builder *builder, MlirValue ring, MlirType tile, MlirValue index);

/* The index behind this one, in a ring of `count`. */
MlirValue ring_next(const struct op_builder *builder, MlirValue index, unsigned count);

#endif
