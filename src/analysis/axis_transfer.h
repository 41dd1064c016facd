/* What an operation makes of the facts about its operands: one function an operation, in a table.
 */
#ifndef TEENY_ANALYSIS_AXIS_TRANSFER_H
#define TEENY_ANALYSIS_AXIS_TRANSFER_H

#include "analysis/axis_facts.h"

/* Facts about result `index` of `op`, given those about its operands, in order. Operations that are
 * not in the table give what holds for any elementwise operation without effects, or nothing. */
struct axis_facts axis_transfer(
    MlirOperation op, intptr_t index, const struct axis_facts *operands, intptr_t operand_count);

#endif
