/* The values that operations are tried on. */
#ifndef TEENY_TESTS_CONFORM_VALUES_H
#define TEENY_TESTS_CONFORM_VALUES_H

#include "elements.h"

enum { SPECIALS = 16, SPECIAL_PAIRS = SPECIALS * SPECIALS };

/* The special values of a type: of floats both zeros, infinities and NaN, subnormals, the extremes,
 * halves; of integers 0, 1, all ones, the extremes, powers of two and their neighbours. */
struct number value_special(enum element_id element, unsigned which);

/* Element `i` of operand `operand`: the first SPECIAL_PAIRS of operands 0 and 1 are all pairs of
 * special values, of operand 2 they change with both; then come random patterns. */
struct number value_mixed(enum element_id element, unsigned operand, size_t i);

/* Special values, then numbers around those where rounding to a narrower type, or saturating to
 * it, turns: of integers powers of two with half a unit of some float's last place, of floats ties
 * and the ends of integers, then random ones. Of types of 8 bits all patterns. */
struct number value_turning(enum element_id element, unsigned operand, size_t i);

/* A small whole number or, of floats, a multiple of 1/8: sums and products of few are exact. */
struct number value_small(enum element_id element, unsigned operand, size_t i);

/* Random bits, the same for the same arguments. */
uint64_t value_bits(unsigned operand, size_t i);

#endif
