/* From the layout attributes of tile types to linear layouts. */
#ifndef TEENY_ANALYSIS_LAYOUT_ENCODING_H
#define TEENY_ANALYSIS_LAYOUT_ENCODING_H

#include "analysis/linear_layout.h"

#include "mlir-c/IR.h"

/* The shape of a ranked tensor type; false where it is no tile (see layout_shape_make). */
bool layout_shape_of_type(MlirType type, struct layout_shape *out_shape);

/* The layout that `encoding` (#ttg.blocked, #ttg.slice, #ttg.nvidia_mma, #ttg.dot_op) gives a tile
 * of this shape. False where the attribute is no such layout or does not go with the shape. */
bool layout_from_encoding(
    MlirAttribute encoding, const struct layout_shape *shape, struct linear_layout *out_layout);

/* Where #ttg.swizzled_shared puts the elements of a tile of this shape, in elements: a linear map
 * of their numbers, a column for each bit. False for another attribute, or one that does not go
 * with the shape. */
bool layout_offsets_from_encoding(
    MlirAttribute encoding, const struct layout_shape *shape, uint32_t *out_columns);

/* Both at once, for the type of a tile with an encoding. */
bool layout_of_type(MlirType type, struct linear_layout *out_layout);

#endif
