/* What a statement does to control flow and to variables, read off the tree.
 *
 * C leaves a statement early by break, continue and return. The lowering has structured operations
 * alone, so an early exit becomes a flag, and what follows it is guarded by the flag: these
 * questions tell where.
 */
#ifndef TEENY_FRONTEND_FLOW_H
#define TEENY_FRONTEND_FLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "frontend/ast.h"

/* The ways out of a statement: a set. A loop keeps its own break and continue inside. */
enum {
    FLOW_BREAK = 1,
    FLOW_CONTINUE = 2,
    FLOW_RETURN = 4,
};

unsigned flow_exits(const ast_node *node);

/* Whether the statement never comes to its end. */
bool flow_always_exits(const ast_node *node);

/* Whether a function returns from anywhere but its last statement. */
bool flow_returns_early(const ast_node *body);

/* Whether an expression may be computed where C would not: it reads no memory and changes nothing.
 */
bool flow_is_pure(const ast_node *expression);

/* A run of statements of one block. */
typedef struct flow_run {
    const ast_node *const *nodes;
    size_t count;
} flow_run;

/* The variables that a run assigns, or takes the address of, and did not declare itself; each once.
 */
typedef struct flow_variables {
    const ast_variable **list;
    size_t count;
} flow_variables;

flow_variables flow_assigned(arena *arena, const flow_run *runs, size_t num_runs);

#endif
