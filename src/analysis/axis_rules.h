/* Private to the axis analysis: sources, shapes and casts; arithmetic is in axis_transfer.c. */
#ifndef TEENY_ANALYSIS_AXIS_RULES_H
#define TEENY_ANALYSIS_AXIS_RULES_H

#include "analysis/axis_facts.h"

struct transfer {
    MlirOperation op;
    const struct axis_facts *operands;
};

/* `result` starts with nothing known but the constancy that any elementwise operation keeps. */
typedef void transfer_function(struct axis_facts *result, const struct transfer *transfer);

transfer_function axis_constant, axis_make_range, axis_program_id, axis_num_programs, axis_splat,
    axis_broadcast, axis_expand_dims, axis_reshape, axis_transpose, axis_same, axis_bitcast,
    axis_between_integer_and_pointer, axis_extend_signed, axis_extend_unsigned, axis_truncate;

/* The longest m such that the first element of every run of 2^m along the dimension is a multiple
 * of 2^m, and the run counts up: it cannot wrap, in integers of any width above m. */
unsigned axis_aligned_run(const struct axis_facts *integers, unsigned dimension);

/* The same integers in another width: wider, by sign or by zeros, or cut. */
struct axis_facts axis_extend(const struct axis_facts *integers, bool is_signed, unsigned width);

#endif
