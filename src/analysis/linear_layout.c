/* Linear layouts over GF(2): see linear_layout.h. */
#include "analysis/linear_layout.h"

#include "analysis/bit_span.h"

#include <string.h>

/* ---- Shapes ---------------------------------------------------------------------------------- */

static bool power_of_two(uint64_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static unsigned log2_of(uint64_t power)
{
    return (unsigned)__builtin_ctzll(power);
}

bool layout_shape_make(unsigned rank, const int64_t *dimensions, struct layout_shape *out_shape)
{
    if (rank > LAYOUT_MAX_RANK)
        return false;
    *out_shape = (struct layout_shape){.rank = rank};
    unsigned total = 0;
    for (unsigned i = 0; i < rank; i++) {
        if (dimensions[i] <= 0 || !power_of_two((uint64_t)dimensions[i]))
            return false;
        unsigned bits = log2_of((uint64_t)dimensions[i]);
        total += bits;
        if (total > LAYOUT_MAX_BITS)
            return false;
        out_shape->bits[i] = (uint8_t)bits;
    }
    return true;
}

bool layout_shape_equal(const struct layout_shape *a, const struct layout_shape *b)
{
    return a->rank == b->rank && memcmp(a->bits, b->bits, a->rank) == 0;
}

unsigned layout_shape_total_bits(const struct layout_shape *shape)
{
    unsigned total = 0;
    for (unsigned i = 0; i < shape->rank; i++)
        total += shape->bits[i];
    return total;
}

unsigned layout_shape_shift(const struct layout_shape *shape, unsigned dimension)
{
    unsigned shift = 0;
    for (unsigned i = dimension + 1; i < shape->rank; i++)
        shift += shape->bits[i];
    return shift;
}

uint32_t layout_shape_mask(const struct layout_shape *shape, unsigned dimension)
{
    uint32_t ones = (1u << shape->bits[dimension]) - 1;
    return ones << layout_shape_shift(shape, dimension);
}

uint32_t layout_coordinate(const struct layout_shape *shape, uint32_t element, unsigned dimension)
{
    return (element & layout_shape_mask(shape, dimension)) >> layout_shape_shift(shape, dimension);
}

uint32_t layout_element(const struct layout_shape *shape, const uint32_t *coordinates)
{
    uint32_t element = 0;
    for (unsigned i = 0; i < shape->rank; i++)
        element |= coordinates[i] << layout_shape_shift(shape, i);
    return element;
}

/* The first dimension from `dimension` on that is larger than 1; LAYOUT_MAX_RANK: there is none. */
static unsigned next_large(const struct layout_shape *shape, unsigned dimension)
{
    for (; dimension < LAYOUT_MAX_RANK; dimension++)
        if (dimension < shape->rank && shape->bits[dimension] > 0)
            return dimension;
    return LAYOUT_MAX_RANK;
}

bool layout_shape_same_but_ones(
    const struct layout_shape *from, const struct layout_shape *to, unsigned *out_dimension)
{
    unsigned next = next_large(from, 0);
    for (unsigned i = 0; i < to->rank; i++) {
        out_dimension[i] = LAYOUT_MAX_RANK;
        if (to->bits[i] == 0)
            continue;
        if (next == LAYOUT_MAX_RANK || from->bits[next] != to->bits[i])
            return false;
        out_dimension[i] = next;
        next = next_large(from, next + 1);
    }
    return next == LAYOUT_MAX_RANK;
}

/* ---- Making layouts -------------------------------------------------------------------------- */

static void append_basis(struct layout_axis *axis, uint32_t vector)
{
    if (axis->count < LAYOUT_MAX_BITS)
        axis->basis[axis->count++] = vector;
}

/* How far each dimension of the tile is covered already, in bits. */
struct coverage {
    struct layout_shape shape;
    uint8_t bits[LAYOUT_MAX_RANK];
};

/* The next `count` bits along `dimension` go to `axis`; past the tile's end they are zero, and
 * `keep_zeros` says whether such columns are worth keeping. */
static void cover(struct coverage *coverage, struct layout_axis *axis, unsigned dimension,
    unsigned count, bool keep_zeros)
{
    unsigned shift = layout_shape_shift(&coverage->shape, dimension);
    for (unsigned i = 0; i < count; i++) {
        if (coverage->bits[dimension] < coverage->shape.bits[dimension])
            append_basis(axis, 1u << (shift + coverage->bits[dimension]++));
        else if (keep_zeros)
            append_basis(axis, 0);
    }
}

static bool valid_blocking(const struct layout_blocking *blocking, const struct layout_shape *shape)
{
    if (blocking->rank != shape->rank)
        return false;
    unsigned seen = 0;
    for (unsigned i = 0; i < blocking->rank; i++) {
        if (!power_of_two(blocking->size_per_thread[i]) ||
            !power_of_two(blocking->threads_per_warp[i]) ||
            !power_of_two(blocking->warps_per_block[i]) || blocking->order[i] >= blocking->rank)
            return false;
        seen |= 1u << blocking->order[i];
    }
    return seen == (1u << blocking->rank) - 1;
}

bool layout_from_blocking(const struct layout_blocking *blocking, const struct layout_shape *shape,
    struct linear_layout *out_layout)
{
    if (!valid_blocking(blocking, shape))
        return false;
    *out_layout = (struct linear_layout){.shape = *shape};
    const struct {
        enum layout_dimension in;
        const unsigned *sizes;
    } levels[] = {
        {LAYOUT_REGISTER, blocking->size_per_thread},
        {LAYOUT_LANE, blocking->threads_per_warp},
        {LAYOUT_WARP, blocking->warps_per_block},
    };
    struct coverage coverage = {.shape = *shape};
    for (unsigned level = 0; level < sizeof levels / sizeof *levels; level++) {
        enum layout_dimension in = levels[level].in;
        for (unsigned i = 0; i < blocking->rank; i++) {
            unsigned dimension = blocking->order[i];
            cover(&coverage, &out_layout->in[in], dimension,
                log2_of(levels[level].sizes[dimension]), in != LAYOUT_REGISTER);
        }
    }
    for (unsigned i = 0; i < blocking->rank; i++) /* the whole pattern repeats in registers */
        cover(&coverage, &out_layout->in[LAYOUT_REGISTER], blocking->order[i], LAYOUT_MAX_BITS,
            false);
    return true;
}

/* One coordinate bit; past the tile's end, and for none, a column of zero. */
static void cover_bit(
    struct coverage *coverage, struct layout_axis *axis, struct layout_bit bit, bool keep_zeros)
{
    bool is_inside =
        bit.dimension != LAYOUT_NOTHING && bit.bit < coverage->shape.bits[bit.dimension];
    if (is_inside) {
        unsigned shift = layout_shape_shift(&coverage->shape, bit.dimension);
        append_basis(axis, 1u << (shift + bit.bit));
        coverage->bits[bit.dimension]++;
    } else if (keep_zeros) {
        append_basis(axis, 0);
    }
}

static void cover_with_warps(struct coverage *coverage,
    const struct layout_instruction *instruction, unsigned dimension, struct layout_axis *axis)
{
    unsigned count = log2_of(instruction->warps[dimension]);
    if (!instruction->replicated[dimension]) {
        cover(coverage, axis, dimension, count, true);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        append_basis(axis, 0);
}

struct linear_layout layout_from_instruction(
    const struct layout_instruction *instruction, const struct layout_shape *shape)
{
    struct linear_layout layout = {.shape = *shape};
    struct coverage coverage = {.shape = *shape};
    struct layout_axis *registers = &layout.in[LAYOUT_REGISTER];
    for (unsigned i = 0; i < instruction->register_count; i++)
        cover_bit(&coverage, registers, instruction->registers[i], false);
    for (unsigned i = 0; i < instruction->lane_count; i++)
        cover_bit(&coverage, &layout.in[LAYOUT_LANE], instruction->lanes[i], true);
    for (unsigned i = 0; i < instruction->rank; i++)
        cover_with_warps(&coverage, instruction, instruction->order[i], &layout.in[LAYOUT_WARP]);
    for (unsigned i = 0; i < instruction->rank; i++)
        cover(&coverage, registers, instruction->order[i], LAYOUT_MAX_BITS, false);
    return layout;
}

/* The coordinate's bit in dimension d, as a bit of the offset: dimensions lie as `order` says. */
static void place_in_order(
    const struct layout_swizzle *swizzle, const struct layout_shape *shape, unsigned *out_shift)
{
    unsigned shift = 0;
    for (unsigned i = 0; i < swizzle->rank; i++) {
        out_shift[swizzle->order[i]] = shift;
        shift += shape->bits[swizzle->order[i]];
    }
}

/* Bit k of the phase number is bit log2(perPhase) + k of the row; it flips bit log2(vec) + k of the
 * coordinate in the row. */
bool layout_swizzled_offsets(
    const struct layout_swizzle *swizzle, const struct layout_shape *shape, uint32_t *out_columns)
{
    if (swizzle->rank != shape->rank || shape->rank == 0 ||
        (shape->rank < 2 && swizzle->max_phase > 1))
        return false;
    unsigned shift[LAYOUT_MAX_RANK];
    place_in_order(swizzle, shape, shift);
    for (unsigned d = 0; d < shape->rank; d++)
        for (unsigned i = 0; i < shape->bits[d]; i++)
            out_columns[layout_shape_shift(shape, d) + i] = 1u << (shift[d] + i);
    if (swizzle->max_phase == 1)
        return true;
    unsigned fast = swizzle->order[0], row = swizzle->order[1];
    unsigned group = log2_of(swizzle->vec), first = log2_of(swizzle->per_phase);
    for (unsigned k = 0; k < log2_of(swizzle->max_phase); k++) {
        if (first + k >= shape->bits[row])
            break;
        if (group + k >= shape->bits[fast])
            return false; /* phases beyond the row's end */
        out_columns[layout_shape_shift(shape, row) + first + k] ^= 1u << (group + k);
    }
    return true;
}

static void drop_zero_registers(struct linear_layout *layout)
{
    struct layout_axis *axis = &layout->in[LAYOUT_REGISTER];
    unsigned kept = 0;
    for (unsigned i = 0; i < axis->count; i++)
        if (axis->basis[i] != 0)
            axis->basis[kept++] = axis->basis[i];
    axis->count = kept;
}

struct linear_layout layout_slice(const struct linear_layout *layout, unsigned dimension)
{
    const struct layout_shape *shape = &layout->shape;
    unsigned low = layout_shape_shift(shape, dimension), width = shape->bits[dimension];
    unsigned total = layout_shape_total_bits(shape);
    struct layout_shape rest = *shape;
    rest.rank--;
    for (unsigned i = dimension; i < rest.rank; i++)
        rest.bits[i] = shape->bits[i + 1];

    uint32_t image[LAYOUT_MAX_BITS];
    for (unsigned bit = 0; bit < total; bit++) {
        if (bit < low)
            image[bit] = 1u << bit;
        else
            image[bit] = bit < low + width ? 0 : 1u << (bit - width);
    }
    struct linear_layout result = layout_map_elements(layout, image, &rest);
    drop_zero_registers(&result);
    return result;
}

/* ---- Using layouts --------------------------------------------------------------------------- */

uint32_t layout_apply(const struct linear_layout *layout, struct layout_place place)
{
    uint32_t element = 0;
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++)
        element ^= bit_combine(layout->in[in].basis, place.index[in]);
    return element;
}

unsigned layout_size(const struct linear_layout *layout, enum layout_dimension dimension)
{
    return 1u << layout->in[dimension].count;
}

unsigned layout_register_count(const struct linear_layout *layout)
{
    return layout_size(layout, LAYOUT_REGISTER);
}

static bool axis_equal(const struct layout_axis *a, const struct layout_axis *b)
{
    return a->count == b->count && memcmp(a->basis, b->basis, a->count * sizeof *a->basis) == 0;
}

bool layout_equal(const struct linear_layout *a, const struct linear_layout *b)
{
    if (!layout_shape_equal(&a->shape, &b->shape))
        return false;
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++)
        if (!axis_equal(&a->in[in], &b->in[in]))
            return false;
    return true;
}

struct layout_place layout_free_bits(const struct linear_layout *layout)
{
    struct layout_place free_bits = {{0}};
    struct bit_span span = {{0}, {0}};
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            if (!bit_span_add(&span, layout->in[in].basis[i], 0))
                free_bits.index[in] |= 1u << i;
    return free_bits;
}

bool layout_is_surjective(const struct linear_layout *layout)
{
    struct bit_span span = {{0}, {0}};
    unsigned rank = 0;
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            rank += bit_span_add(&span, layout->in[in].basis[i], 0);
    return rank == layout_shape_total_bits(&layout->shape);
}

struct linear_layout layout_map_elements(
    const struct linear_layout *layout, const uint32_t *image, const struct layout_shape *new_shape)
{
    struct linear_layout result = {.shape = *new_shape};
    for (unsigned in = 0; in < LAYOUT_DIMENSION_COUNT; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            append_basis(&result.in[in], bit_combine(image, layout->in[in].basis[i]));
    return result;
}
