/* What the files that give operations their meaning share. */
#ifndef TEENY_FRONTEND_LOWER_OPERATIONS_H
#define TEENY_FRONTEND_LOWER_OPERATIONS_H

#include "frontend/lowering.h"

/* A call of teeny_op_NAME; argument 0 is a number that stands for nothing, but for program_id,
 * num_programs and arange. */
#define OPERATION(name, group, usage, summary)                                                     \
    value operation_##name(lowering *lowering, const ast_node *call);
#include "frontend/operations.def"
#undef OPERATION

/* The argument as the user wrote it: C promotes what it passes through `...`. */
const ast_node *operation_argument(const ast_node *call, size_t index);
value operation_value(lowering *lowering, const ast_node *call, size_t index);
/* Whether the arguments from one on are constants, as axes and dimensions are; else an error. */
bool operation_has_constants(lowering *lowering, const ast_node *call, size_t first);
/* An argument that is a constant, or `otherwise` where there is none. */
int64_t operation_constant(const ast_node *call, size_t index, int64_t otherwise);
/* The constants from an argument on. */
unsigned operation_dimensions(const ast_node *call, size_t first, int64_t *dimensions);
/* "[8,16]" */
const char *operation_describe_dimensions(
    lowering *lowering, unsigned rank, const int64_t *dimensions);
/* The element that a `(T *)0` argument names; ELEMENT_NONE after an error. */
element_type operation_element(lowering *lowering, const ast_node *call, size_t index);

/* Whether an argument that lanes are filled with is one number; else an error that calls it `what`.
 */
bool operation_is_number(lowering *lowering, const ast_node *call, value given, const char *what);

/* Whether a valid argument is a mask: a scalar, a comparison or a tile of integers; else an error.
 */
bool operation_is_mask(lowering *lowering, const ast_node *call, value mask);

/* The dimensions of a tile; its rank. */
unsigned value_shape(value tile, int64_t *dimensions);
/* A scalar or tile as a tile of this shape: dimensions of 1 repeat. Invalid after an error. */
value lower_broadcast(
    lowering *lowering, ast_place place, value from, unsigned rank, const int64_t *dimensions);

/* What C computes with where arithmetic scalars meet. */
element_type lower_common_element(const value *operands, size_t count);

/* A helper by name, or NULL; and its body in place of a call. */
const ast_function *lower_find_helper(lowering *lowering, const char *name);
value lower_inlined(lowering *lowering, ast_place place, const ast_function *helper,
    const value *arguments, size_t count);

/* A one for multiplication, a zero for addition: a scalar or tile of one number. */
MlirValue lower_number(lowering *lowering, element_type element, MlirType type, double number);

#endif
