/* What is known about the elements of one integer or pointer tile, along each of its dimensions.
 *
 * Sizes are powers of two and stored as their base-2 logarithms. A run of 2^k along a dimension is
 * 2^k elements that differ in that coordinate alone, starting at a multiple of 2^k.
 *
 *   contiguity c     in every run of 2^c, an element is its predecessor plus one: in integers
 * modulo their width, in pointers plus one pointee of 2^unit bytes divisibility d   the first
 * element of every run of 2^c (the contiguity) is divisible by 2^d; pointers count bytes; an
 * integer of w bits is divisible by at most 2^w (zero) constancy k      all elements of a run of
 * 2^k are equal range            every element, as a signed integer, lies in it
 *
 * 0 means nothing is known. Example: pid * 64 + arange(0, 128), contiguity 7 and divisibility 6:
 * the two runs of 64 start at multiples of 64, and all 128 elements count up.
 *
 * `likely` is contiguity as it would be if nothing ever wrapped and no dividend were negative. It
 * proves nothing: only for choices that are right either way, such as a layout's order.
 *
 * A division by zero or a shift by the width or more gives an unspecified value, about which the
 * facts may say anything. A scalar is a tile of one dimension of size 1.
 */
#ifndef TEENY_ANALYSIS_AXIS_FACTS_H
#define TEENY_ANALYSIS_AXIS_FACTS_H

#include "analysis/integer_range.h"
#include "analysis/linear_layout.h"

#include "mlir-c/IR.h"

struct axis_facts {
    struct layout_shape shape;
    uint8_t
        width; /* bits of an element: 64 for pointers; 0 for what is neither integer nor pointer */
    uint8_t unit; /* log2 of the bytes of a pointee; 0 for integers */
    bool is_pointer;
    uint8_t contiguity[LAYOUT_MAX_RANK];
    uint8_t divisibility[LAYOUT_MAX_RANK];
    uint8_t constancy[LAYOUT_MAX_RANK];
    uint8_t likely[LAYOUT_MAX_RANK];
    struct integer_range range; /* of integers; nothing for pointers */
};

/* Nothing known, for a value of this type. */
struct axis_facts axis_facts_unknown(MlirType type);

/* All elements the same. */
void axis_facts_set_constant(struct axis_facts *facts);

/* Cuts every fact to what its size and width allow, and draws what follows from one fact to the
 * others. Transfer functions end with it. */
void axis_facts_normalise(struct axis_facts *facts);

/* 2^result divides every element. */
unsigned axis_facts_everywhere(const struct axis_facts *facts);

/* 2^result divides the first element of every run of 2^run along the dimension. */
unsigned axis_facts_at_runs(const struct axis_facts *facts, unsigned dimension, unsigned run);

/* Of pointers: the longest run, as log2 of its elements, that is contiguous along the dimension and
 * whose every such run begins at an address that is a multiple of its size in bytes. One access may
 * take it. */
unsigned axis_aligned_elements(const struct axis_facts *pointers, unsigned dimension);

/* What holds for both: for a value that is one or the other. Their types are equal. */
struct axis_facts axis_facts_join(const struct axis_facts *a, const struct axis_facts *b);

bool axis_facts_equal(const struct axis_facts *a, const struct axis_facts *b);

/* A scalar's facts as those of a tile of that shape whose elements are all that scalar. */
struct axis_facts axis_facts_spread(
    const struct axis_facts *scalar, const struct layout_shape *shape);

#endif
