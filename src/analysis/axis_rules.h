/* Private to the axis analysis: sources, shapes and casts, and, in axis_bits.c, operations on bits;
 * other arithmetic is in axis_transfer.c.
 *
 * An aligned run is a run of 2^m whose first element is a multiple of 2^m: its elements differ in
 * their lowest m bits alone, so nothing wraps inside of it. */
#ifndef TEENY_ANALYSIS_AXIS_RULES_H
#define TEENY_ANALYSIS_AXIS_RULES_H

#include "analysis/axis_facts.h"

static inline unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static inline unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

struct transfer {
    MlirOperation op;
    const struct axis_facts *operands;
};

/* `result` starts with nothing known but the constancy that any elementwise operation keeps. */
typedef void transfer_function(struct axis_facts *result, const struct transfer *transfer);

transfer_function axis_constant, axis_make_range, axis_program_id, axis_num_programs, axis_splat,
    axis_broadcast, axis_expand_dims, axis_reshape, axis_transpose, axis_same, axis_bitcast,
    axis_between_integer_and_pointer, axis_extend_signed, axis_extend_unsigned, axis_truncate;
transfer_function axis_and_bits, axis_or_bits, axis_shift_left, axis_shift_right_signed,
    axis_shift_right_unsigned;

/* The longest m such that the first element of every run of 2^m along the dimension is a multiple
 * of 2^m, and the run counts up: it cannot wrap, in integers of any width above m. */
unsigned axis_aligned_run(const struct axis_facts *integers, unsigned dimension);

/* The longest run of `a` that is aligned and along which b is one value, a multiple of its length:
 * then a / b, a % b and a < b do the same for all of the run. */
unsigned axis_run_between_multiples(
    const struct axis_facts *a, const struct axis_facts *b, unsigned dimension);

/* 2^divisibility divides every element. */
void axis_set_everywhere(struct axis_facts *result, unsigned divisibility);

/* The same integers in another width: wider, by sign or by zeros, or cut. */
struct axis_facts axis_extend(const struct axis_facts *integers, bool is_signed, unsigned width);

#endif
