/* Linear layouts: which thread holds which element of a tile, as a linear map over GF(2).
 *
 * Sizes are powers of two, so every index is a string of bits, and a layout is a matrix of bits:
 *
 *     bits of (register, lane, warp, block)   -- in-dimensions: where an element is held
 *       x  one column ("basis vector") a bit
 *     = bits of the element's number          -- which element it is
 *
 * and the sum is exclusive or. The element's number counts the tile row by row: the last dimension
 * in the lowest bits. So a coordinate is a field of bits, and reshaping costs nothing.
 *
 * Example: tile 8, two registers a thread, four lanes:  register: 1   lane: 2 4
 *          lane 3, register 1 holds element 2 ^ 4 ^ 1 = 7.
 *
 * A column that depends on those before it (zero among them) means that an element is held more
 * than once; layout_free_bits() says where, so that exactly one holder acts on it.
 *
 * Layouts are plain values. Nothing here allocates or fails, except where a bool says so.
 */
#ifndef TEENY_ANALYSIS_LINEAR_LAYOUT_H
#define TEENY_ANALYSIS_LINEAR_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LAYOUT_MAX_RANK = 5,
    LAYOUT_MAX_BITS = 24, /* of an in-dimension, and of an element's number */
};

/* In-dimensions, in the order that decides which holder of an element is the first. */
enum layout_dimension {
    LAYOUT_REGISTER,
    LAYOUT_LANE,
    LAYOUT_WARP,
    LAYOUT_BLOCK,
    LAYOUT_DIMENSION_COUNT,
};

/* log2 of a tile's dimensions. */
struct layout_shape {
    unsigned rank;
    uint8_t bits[LAYOUT_MAX_RANK];
};

struct layout_axis {
    unsigned count; /* of basis vectors: log2 of the dimension's size */
    uint32_t basis[LAYOUT_MAX_BITS];
};

struct linear_layout {
    struct layout_shape shape;
    struct layout_axis in[LAYOUT_DIMENSION_COUNT];
};

/* A place: one index an in-dimension. */
struct layout_place {
    uint32_t index[LAYOUT_DIMENSION_COUNT];
};

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* False where a dimension is no power of two, or there are too many dimensions or elements. */
bool layout_shape_make(unsigned rank, const int64_t *dimensions, struct layout_shape *out_shape);

bool layout_shape_equal(const struct layout_shape *a, const struct layout_shape *b);

unsigned layout_shape_total_bits(const struct layout_shape *shape);

/* Where a dimension's coordinate lies in an element's number. */
unsigned layout_shape_shift(const struct layout_shape *shape, unsigned dimension);
uint32_t layout_shape_mask(const struct layout_shape *shape, unsigned dimension);

/* The coordinate of an element along one dimension, and the element at given coordinates. */
uint32_t layout_coordinate(const struct layout_shape *shape, uint32_t element, unsigned dimension);
uint32_t layout_element(const struct layout_shape *shape, const uint32_t *coordinates);

/* Whether two shapes differ only in dimensions of size 1. out_dimension (one a dimension of `to`)
 * tells which dimension of `from` each is; LAYOUT_MAX_RANK for those of size 1. */
bool layout_shape_same_but_ones(
    const struct layout_shape *from, const struct layout_shape *to, unsigned *out_dimension);

/* ---- Making layouts -------------------------------------------------------------------------- */

/* The numbers of #ttg.blocked; `order` lists the fastest-varying dimension first. */
struct layout_blocking {
    unsigned rank;
    const unsigned *size_per_thread;
    const unsigned *threads_per_warp;
    const unsigned *warps_per_block;
    const unsigned *order;
};

/* A tile smaller than the blocking is held several times over (lanes and warps with a zero basis;
 * registers that would only repeat are left out); a larger one is covered by further registers.
 * False where the numbers are no powers of two or do not go with the shape. */
bool layout_from_blocking(const struct layout_blocking *blocking, const struct layout_shape *shape,
    struct linear_layout *out_layout);

/* One bit of a coordinate, for layouts that are written out: bit `bit` of dimension `dimension`.
 * LAYOUT_NOTHING: a column of zero. */
struct layout_bit {
    uint8_t dimension, bit;
};
enum { LAYOUT_NOTHING = 0xff };

/* A layout of an instruction: which coordinate bits the first registers and the lanes stand for.
 * Then the warps, and then further registers, cover the rest: `warps` says how many along each
 * dimension, and `order` lists the fastest-varying dimension first for both. A dimension that is
 * `replicated` gives warps nothing new. */
struct layout_instruction {
    unsigned rank, register_count, lane_count;
    struct layout_bit registers[4], lanes[5];
    unsigned warps[2], order[2];
    bool replicated[2];
};
struct linear_layout layout_from_instruction(
    const struct layout_instruction *instruction, const struct layout_shape *shape);

/* The numbers of #ttg.swizzled_shared; `order` lists the fastest-varying dimension first. */
struct layout_swizzle {
    unsigned rank, vec, per_phase, max_phase;
    const unsigned *order;
};

/* Offsets in shared memory, in elements: the exclusive or of out_columns[i] over the bits i of an
 * element's number. False where the numbers do not go with the shape. */
bool layout_swizzled_offsets(
    const struct layout_swizzle *swizzle, const struct layout_shape *shape, uint32_t *out_columns);

/* What is left when one dimension is taken away: an element of the result lies wherever the layout
 * holds any element that differs from it in that dimension alone. Registers that would only repeat
 * are left out. Wants a rank above 1. */
struct linear_layout layout_slice(const struct linear_layout *layout, unsigned dimension);

/* ---- Using layouts --------------------------------------------------------------------------- */

uint32_t layout_apply(const struct linear_layout *layout, struct layout_place place);

unsigned layout_size(const struct linear_layout *layout, enum layout_dimension dimension);
unsigned layout_register_count(const struct linear_layout *layout);

bool layout_equal(const struct linear_layout *a, const struct linear_layout *b);

/* Every element is held somewhere. */
bool layout_is_surjective(const struct linear_layout *layout);

/* A mask for each in-dimension: the places whose index has none of the mask's bits hold each
 * element exactly once. */
struct layout_place layout_free_bits(const struct linear_layout *layout);

/* The layout of a tile seen through a linear map of its elements: element e becomes the exclusive
 * or of image[i] over the bits i of e. `image` has one entry a bit of an element's number. */
struct linear_layout layout_map_elements(const struct linear_layout *layout, const uint32_t *image,
    const struct layout_shape *new_shape);

#endif
