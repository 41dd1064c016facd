/* What structured operations carry: the variables that a statement changes; for lower_control.c and
 * lower_loops.c. */
#ifndef TEENY_FRONTEND_LOWER_CARRIED_H
#define TEENY_FRONTEND_LOWER_CARRIED_H

#include "frontend/lowering.h"

/* The slots that a statement changes. */
typedef struct carried {
    slot *slots;
    const ast_variable **variables; /* NULL for flags */
    size_t count;
} carried;

/* What the runs assign, and the flags of the exits that leave them. */
carried carried_of(lowering *lowering, const flow_run *runs, size_t num_runs, unsigned exits);

/* The values that the slots have now, in the arena, with room for one more. */
value *carried_values(lowering *lowering, const carried *carried);
void carried_set(lowering *lowering, const carried *carried, const value *values);

/* A block whose arguments, behind `num_first` of the given types, are the slots' values from now
 * on. Building goes on in it. */
MlirBlock carried_begin_block(lowering *lowering, const carried *carried, const value *like,
    const MlirType *first, size_t num_first);

/* A terminator: scf.yield, or scf.condition with its condition in front. */
void carried_end_block(lowering *lowering, const char *name, const MlirValue *first,
    size_t num_first, const value *values, size_t count);

/* An operation whose regions have one block each; its results become the slots' values. */
MlirOperation carried_operation(lowering *lowering, const char *name, const MlirValue *operands,
    size_t num_operands, const carried *carried, const value *results, size_t num_results,
    const MlirBlock *blocks, size_t num_blocks);

#endif
