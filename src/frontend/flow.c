/* See flow.h. */
#include "frontend/flow.h"

#include <string.h>

static bool is_loop(const ast_node *node)
{
    return node->kind == AST_FOR || node->kind == AST_WHILE || node->kind == AST_DO;
}

unsigned flow_exits(const ast_node *node)
{
    switch (node->kind) {
    case AST_BREAK:
        return FLOW_BREAK;
    case AST_CONTINUE:
        return FLOW_CONTINUE;
    case AST_RETURN:
        return FLOW_RETURN;
    default:
        break;
    }
    if (node->type)
        return 0; /* an expression */
    unsigned exits = 0;
    for (size_t i = 0; i < node->num_children; i++)
        exits |= flow_exits(node->children[i]);
    if (is_loop(node))
        exits &= FLOW_RETURN;
    if (node->kind == AST_SWITCH)
        exits &= ~(unsigned)FLOW_BREAK;
    return exits;
}

bool flow_always_exits(const ast_node *node)
{
    switch (node->kind) {
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_RETURN:
        return true;
    case AST_IF:
        return flow_always_exits(node->children[1]) && flow_always_exits(node->children[2]);
    case AST_COMPOUND:
        for (size_t i = 0; i < node->num_children; i++)
            if (flow_always_exits(node->children[i]))
                return true;
        return false;
    default:
        return false;
    }
}

bool flow_returns_early(const ast_node *body)
{
    for (size_t i = 0; i < body->num_children; i++) {
        const ast_node *each = body->children[i];
        bool is_last = i + 1 == body->num_children;
        bool is_plain_return = each->kind == AST_RETURN && is_last;
        if (!is_plain_return && (flow_exits(each) & FLOW_RETURN))
            return true;
    }
    return false;
}

static bool is_step(ast_operator op)
{
    return op == AST_OP_PRE_INCREMENT || op == AST_OP_PRE_DECREMENT ||
           op == AST_OP_POST_INCREMENT || op == AST_OP_POST_DECREMENT;
}

bool flow_is_pure(const ast_node *expression)
{
    switch (expression->kind) {
    case AST_INTEGER:
    case AST_FLOATING:
    case AST_VARIABLE:
        return true;
    case AST_UNARY:
        if (expression->op == AST_OP_DEREFERENCE || is_step(expression->op))
            return false;
        break;
    case AST_BINARY:
    case AST_CAST:
    case AST_CONDITIONAL:
        break;
    default:
        return false;
    }
    for (size_t i = 0; i < expression->num_children; i++)
        if (!flow_is_pure(expression->children[i]))
            return false;
    return true;
}

/* ---- Assigned variables ---------------------------------------------------------------------- */

enum { UNSEEN, DECLARED, ASSIGNED };

typedef struct collector {
    arena *arena;
    flow_variables found;
    size_t capacity;
    unsigned char *seen; /* by ast_variable.index */
    size_t num_seen;
} collector;

static unsigned char *mark_of(collector *collector, const ast_variable *variable)
{
    if (variable->index >= collector->num_seen) {
        size_t larger = 2 * (size_t)variable->index + 64;
        unsigned char *marks = arena_array(collector->arena, unsigned char, larger);
        if (collector->num_seen)
            memcpy(marks, collector->seen, collector->num_seen);
        collector->seen = marks;
        collector->num_seen = larger;
    }
    return &collector->seen[variable->index];
}

static void add_assigned(collector *collector, const ast_variable *variable)
{
    unsigned char *mark = mark_of(collector, variable);
    if (*mark != UNSEEN)
        return;
    *mark = ASSIGNED;
    flow_variables *found = &collector->found;
    if (found->count == collector->capacity) {
        size_t capacity = collector->capacity ? 2 * collector->capacity : 16;
        const ast_variable **list = arena_array(collector->arena, const ast_variable *, capacity);
        if (found->count)
            memcpy(list, found->list, sizeof *list * found->count);
        found->list = list;
        collector->capacity = capacity;
    }
    found->list[found->count++] = variable;
}

static const ast_node *assigned_target(const ast_node *node)
{
    bool is_assigning =
        node->kind == AST_ASSIGN ||
        (node->kind == AST_UNARY && (is_step(node->op) || node->op == AST_OP_ADDRESS));
    const ast_node *target = is_assigning ? node->children[0] : NULL;
    return target && target->kind == AST_VARIABLE ? target : NULL;
}

static void collect(collector *collector, const ast_node *node)
{
    if (node->kind == AST_DECLARATION) {
        *mark_of(collector, node->variable) = DECLARED;
        if (node->variable->initializer)
            collect(collector, node->variable->initializer);
        return;
    }
    const ast_node *target = assigned_target(node);
    if (target)
        add_assigned(collector, target->variable);
    for (size_t i = 0; i < node->num_children; i++)
        collect(collector, node->children[i]);
}

flow_variables flow_assigned(arena *arena, const flow_run *runs, size_t num_runs)
{
    collector collector = {.arena = arena};
    for (size_t i = 0; i < num_runs; i++)
        for (size_t k = 0; k < runs[i].count; k++)
            collect(&collector, runs[i].nodes[k]);
    return collector.found;
}
