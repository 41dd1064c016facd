/* How a tile gets from one layout to another.
 *
 * Each target place (register, lane, warp) needs the element that some source place holds. Where
 * both lie in one thread, registers are renamed; where they lie in one warp, values are shuffled;
 * otherwise the tile goes through shared memory, at offsets that are a linear map of the elements'
 * numbers, chosen so that both sides move as many neighbouring elements at once as they hold and
 * that the threads of a warp meet no bank conflict, neither writing nor reading.
 *
 * A large tile can go in rounds, one part of it after the other through the same memory. Which part
 * an element belongs to is a linear map of its number that is zero for all differences between
 * threads, on both sides: so every thread has the same registers to write in a round, and the same
 * ones to read. What threads do not differ in is all that can be split.
 *
 * Plans are plain values, made of layouts alone: nothing here knows a machine but for the 32 banks
 * of 4 bytes and the 16 bytes of the widest access.
 */
#ifndef TEENY_ANALYSIS_LAYOUT_EXCHANGE_H
#define TEENY_ANALYSIS_LAYOUT_EXCHANGE_H

#include "analysis/linear_layout.h"

enum exchange_kind {
    EXCHANGE_REGISTERS, /* the source register is the same for all threads */
    EXCHANGE_SHUFFLES,
    EXCHANGE_SHARED,
};

/* Which source register, and which lane of the same warp, a target place takes its element from: a
 * linear map, a column for each bit of the target's register, lane and warp. */
struct exchange_source {
    uint32_t register_of[LAYOUT_DIMENSION_COUNT][LAYOUT_MAX_BITS];
    uint32_t lane_of[LAYOUT_DIMENSION_COUNT][LAYOUT_MAX_BITS];
};

/* Where elements lie in shared memory. */
struct exchange_memory {
    uint32_t offset_of[LAYOUT_MAX_BITS]; /* in elements, a column for each bit of their number */
    unsigned round_bits;  /* log2 of the rounds: as many of the highest offset bits number them */
    unsigned vector_bits; /* log2 of the elements that move at once */
    uint32_t vector[4];   /* the element differences that the lowest offset bits stand for */
};

struct exchange {
    enum exchange_kind kind;
    struct exchange_source source; /* EXCHANGE_REGISTERS, EXCHANGE_SHUFFLES */
    struct exchange_memory memory; /* EXCHANGE_SHARED */
    unsigned bytes;                /* of shared memory, for one round */
};

/* No limit to a plan's bytes: everything goes in one round. */
enum { EXCHANGE_WHOLE = 1 << 30 };

/* The plan for elements of `element_bytes` (1, 2, 4, 8 in memory). Element numbers of both layouts
 * mean the same elements; shapes are not compared. Both layouts hold every element.
 *
 * It takes as few rounds as bring its bytes down to `most_bytes`, or as many as the layouts allow.
 * So the plan for most_bytes = its own bytes is the same plan. */
struct exchange exchange_plan(const struct linear_layout *from, const struct linear_layout *to,
    unsigned element_bytes, unsigned most_bytes);

/* Where to put the elements, for a trip of the whole tile through shared memory. */
struct exchange_memory exchange_memory_plan(
    const struct linear_layout *from, const struct linear_layout *to, unsigned element_bytes);

/* Where the elements lie is given (offset_of, an entry a bit of their number): what moves at once
 * between there and a layout. */
struct exchange_memory exchange_memory_at(
    const uint32_t *offset_of, const struct linear_layout *layout, unsigned element_bytes);

/* The registers that are to move as one vector: which bits of the register's index, for each of the
 * plan's vector differences, lead from one element of a vector to another. */
void exchange_vector_registers(
    const struct linear_layout *layout, const struct exchange_memory *memory, uint32_t *out_bits);

#endif
