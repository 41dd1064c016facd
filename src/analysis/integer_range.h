/* Ranges of signed integers of a given width: what an integer can be, from the least to the most.
 *
 * Arithmetic wraps as two's complement does: where a result may leave the width, its range is that
 * of the whole type. Widths are 1 to 64; a width of 1 has the values -1 and 0. */
#ifndef TEENY_ANALYSIS_INTEGER_RANGE_H
#define TEENY_ANALYSIS_INTEGER_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct integer_range {
    int64_t least, most;
};

struct integer_range range_all(unsigned width);
struct integer_range range_single(int64_t value);

bool range_is_single(struct integer_range range);
bool range_contains(struct integer_range range, int64_t value);
bool range_equal(struct integer_range a, struct integer_range b);

/* The least range that holds both. */
struct integer_range range_join(struct integer_range a, struct integer_range b);

struct integer_range range_add(struct integer_range a, struct integer_range b, unsigned width);
struct integer_range range_subtract(struct integer_range a, struct integer_range b, unsigned width);
struct integer_range range_multiply(struct integer_range a, struct integer_range b, unsigned width);

/* Truncating division and remainder, where the divisor is not 0; an unspecified value else. */
struct integer_range range_divide(struct integer_range a, struct integer_range b, unsigned width);
struct integer_range range_remainder(struct integer_range a, struct integer_range b);

/* Bits that both have. Shifting right by a known amount, with copies of the sign. */
struct integer_range range_and(struct integer_range a, struct integer_range b, unsigned width);
struct integer_range range_shift_right(struct integer_range a, unsigned amount);

struct integer_range range_minimum(struct integer_range a, struct integer_range b);
struct integer_range range_maximum(struct integer_range a, struct integer_range b);

/* The values of a narrower integer taken as unsigned, and of a wider one cut to `width`. */
struct integer_range range_extend_unsigned(struct integer_range a, unsigned from_width);
struct integer_range range_truncate(struct integer_range a, unsigned width);

#endif
