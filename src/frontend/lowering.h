/* What the files of the lowering share: its state, and the values it computes with. */
#ifndef TEENY_FRONTEND_LOWERING_H
#define TEENY_FRONTEND_LOWERING_H

#include "frontend/build.h"
#include "frontend/flow.h"
#include "frontend/lower.h"

/* An SSA value with what C knows of it. An invalid one (ssa null) is what an expression with an
 * error gives: the error was reported, and everything that uses the value stays silent.
 *
 * A comparison of tiles is an i1 tensor and `is_mask`; C sees integer lanes, -1 or 0, as wide as
 * `element`. A scalar bool is i1; a tile of bool is a mask. */
typedef struct value {
    MlirValue ssa;
    element_type element; /* NONE for pointers */
    bool is_mask;
    const ast_type *pointee;     /* of pointers */
    const struct tensor *tensor; /* of a tl_tensor: ssa is its base */
} value;

/* A view of memory: what a tl_tensor holds. */
typedef struct tensor {
    value base;
    value shape[AST_MAX_RANK], stride[AST_MAX_RANK]; /* i64 */
    unsigned rank;
    bool is_const;
} tensor;

/* A variable is a slot: its index in the tree, or one above all of them for a variable of the
 * lowering's own, such as the flag that a break sets. */
typedef unsigned slot;
#define NO_SLOT ((slot) - 1)

/* A function being lowered, inlined into its caller or the kernel itself. */
typedef struct inlined_call {
    const ast_function *function;
    struct inlined_call *caller;
    slot returned;      /* NO_SLOT where only the last statement returns */
    slot result;        /* what was returned */
    MlirLocation place; /* of the call, where there is a caller */
} inlined_call;

typedef struct lowering {
    builder builder;
    arena *arena;
    const source *source;
    const ast_function *functions;
    diagnostics *diagnostics;
    value *variables; /* by slot */
    size_t num_variables, capacity;
    inlined_call *call;
    slot broken, continued; /* flags of the loop or switch around, or NO_SLOT */
    const char *name;       /* of the variable that is being initialised, for locations */
    size_t num_calls;       /* of helpers, so far */
} lowering;

/* Reports an error of the table by its name; the result is invalid, for `return lower_error(...)`.
 */
#define lower_error(lowering, place, id, ...)                                                      \
    lower_report(                                                                                  \
        lowering, place, DIAGNOSTIC_##id, diagnostic_message_##id __VA_OPT__(, ) __VA_ARGS__)
value lower_report(lowering *lowering, ast_place place, diagnostic_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The error for what the language does not have, or not yet. */
value lower_refuse(lowering *lowering, const ast_node *node);

static inline bool value_is_valid(value value)
{
    return !mlirValueIsNull(value.ssa);
}

static inline bool value_is_pointer(value value)
{
    return value.pointee != NULL;
}

static inline bool value_is_tensor(value value)
{
    return value.tensor != NULL;
}

bool value_is_tile(value value);
MlirType value_type(value value);
bool value_has_shape_of(value one, value other);
/* "f32[64,128]", "mask[1024]", "i32", "f32 *": for messages, in the arena. */
const char *value_describe(lowering *lowering, value value);
const char *value_describe_type(
    lowering *lowering, element_type element, bool is_mask, MlirType type);

/* The MLIR type of an element as a value (bool is i1) and in memory (bool is i8). */
MlirType lower_element_type(lowering *lowering, element_type element);
MlirType lower_memory_type(lowering *lowering, element_type element);
MlirType lower_tile_type(
    lowering *lowering, element_type element, unsigned rank, const int64_t *dimensions);
/* False after an error: a tile has too many elements. */
bool lower_is_tile_size(
    lowering *lowering, ast_place place, unsigned rank, const int64_t *dimensions);
/* False after an error: the type says a tile's elements, and not its shape. */
bool lower_is_shaped(lowering *lowering, const ast_variable *variable, ast_place place);
/* Null for a type that the language does not have. */
MlirType lower_type(lowering *lowering, const ast_type *type);

/* Sets the location of what is built next, and gives the one before. */
MlirLocation lower_at(lowering *lowering, ast_place place);

/* A slot with a value of its own. */
slot lower_new_slot(lowering *lowering, value initial);
/* What a variable holds that was given no value: zero. Invalid where its type does not say its
 * shape. */
value lower_initial_zero(lowering *lowering, const ast_variable *variable);
value lower_zero_like(lowering *lowering, value like);
/* An i1. */
value lower_boolean(lowering *lowering, bool number);
/* A value for a variable, as a mask or lanes as its type says; an error at `place` where its tile
 * is another. */
value lower_as_declared(
    lowering *lowering, const ast_variable *variable, ast_place place, value initial);

void lower_statement(lowering *lowering, const ast_node *node);
/* The statements of a block, what follows an early exit guarded by its flag. */
void lower_run(lowering *lowering, flow_run run);
/* A function's body; the value that it returns, invalid for void. */
value lower_body(lowering *lowering, const ast_function *function);

/* Control flow; see lower_control.c and lower_loops.c. */
void lower_if(lowering *lowering, const ast_node *node);
void lower_loop(lowering *lowering, const ast_node *node);
void lower_switch(lowering *lowering, const ast_node *node);
void lower_guarded(lowering *lowering, MlirValue condition, flow_run run);
/* True as long as none of the ways out in the set FLOW_* was taken. */
MlirValue lower_is_alive(lowering *lowering, unsigned exits);
/* A scalar as an i1; null after an error. */
MlirValue lower_condition(lowering *lowering, const ast_node *node);
/* The condition where `guard` holds, else false: it is not evaluated then. */
MlirValue lower_condition_if(lowering *lowering, MlirValue guard, const ast_node *node);
value lower_conditional(lowering *lowering, const ast_node *node);
value lower_logical(lowering *lowering, const ast_node *node);
value lower_expression(lowering *lowering, const ast_node *node);

/* tensor.base, tensor.shape[i] and tensor.stride[i]. */
value lower_member(lowering *lowering, const ast_node *node);
value lower_member_element(lowering *lowering, const ast_node *node);

/* Operators and conversions on values that are already lowered. */
value lower_binary(lowering *lowering, ast_place place, ast_operator op, value left, value right);
value lower_unary(lowering *lowering, ast_place place, ast_operator op, value operand);
value lower_convert(lowering *lowering, value from, element_type to);
/* An i1 of the same shape: `!= 0`, also of a pointer. */
value lower_truth(lowering *lowering, value from);
/* A mask as the integer lanes that C sees; anything else as it is. */
value lower_lanes(lowering *lowering, value from);
/* A scalar over the shape of a tile; a tile as it is. */
value lower_spread(lowering *lowering, value scalar, value shape);

/* Pointers: moved by an offset; any operator of which one side is a pointer; an unsigned integer.
 */
value lower_add_pointer(lowering *lowering, ast_place place, value pointer, value offset);
value lower_pointer_binary(
    lowering *lowering, ast_place place, ast_operator op, value left, value right);
value lower_pointer_bits(lowering *lowering, value pointer);

/* Memory: `pointer` is a scalar or a tile of pointers; mask and other may be invalid: none. */
struct access_flags; /* access_flags.h; NULL: none */
value lower_load(
    lowering *lowering, value pointer, value mask, value other, const struct access_flags *flags);
void lower_store(
    lowering *lowering, value pointer, value stored, value mask, const struct access_flags *flags);

/* A call of teeny_op_NAME: an operation of the language. */
value lower_operation(lowering *lowering, const ast_node *call, const char *name);

#endif
