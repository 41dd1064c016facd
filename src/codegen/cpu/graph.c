/* See graph.h. */
#include "codegen/cpu/graph.h"

/* ---- Edges ----------------------------------------------------------------------------------- */

static size_t count_successors(const struct cpu_graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->count; i++)
        count += (size_t)mlirBlockGetNumSuccessors(graph->blocks[i]);
    return count;
}

static void find_edges(struct cpu_graph *graph, arena *arena)
{
    graph->edges = arena_array(arena, struct cpu_edge, count_successors(graph));
    for (size_t i = 0; i < graph->count; i++) {
        MlirOperation branch = mlirBlockGetTerminator(graph->blocks[i]);
        for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(branch); s++) {
            size_t to = cpu_graph_number(graph, mlirOperationGetSuccessor(branch, s));
            graph->edges[graph->edge_count++] = (struct cpu_edge){branch, s, i, to};
        }
    }
}

size_t cpu_graph_number(const struct cpu_graph *graph, MlirBlock block)
{
    return (size_t)pointer_map_get(&graph->numbers, block.ptr) - 1;
}

MlirValue cpu_edge_value(const struct cpu_edge *edge, intptr_t argument)
{
    intptr_t first = 0, count = 0;
    if (!ir_successor_operands(edge->branch, edge->successor, &first, &count) || argument >= count)
        return (MlirValue){NULL};
    return mlirOperationGetOperand(edge->branch, first + argument);
}

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Adds what leads to `block`, once. */
static void add_predecessors(
    const struct cpu_graph *graph, size_t block, bool *seen, size_t *stack, size_t *depth)
{
    for (size_t i = 0; i < graph->edge_count; i++) {
        size_t from = graph->edges[i].from;
        if (graph->edges[i].to != block || seen[from])
            continue;
        seen[from] = true;
        stack[(*depth)++] = from;
    }
}

/* The loop of a back edge: all that leads to its end without passing its head. */
static void count_loop(struct cpu_graph *graph, arena *arena, const struct cpu_edge *back)
{
    bool *seen = arena_array(arena, bool, graph->count);
    size_t *stack = arena_array(arena, size_t, graph->count), depth = 0;
    seen[back->to] = seen[back->from] = true;
    if (back->from != back->to)
        stack[depth++] = back->from;
    while (depth > 0)
        add_predecessors(graph, stack[--depth], seen, stack, &depth);
    for (size_t i = 0; i < graph->count; i++)
        graph->depth[i] += seen[i];
}

static void find_loops(struct cpu_graph *graph, arena *arena)
{
    graph->depth = arena_array(arena, unsigned, graph->count);
    for (size_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to <= graph->edges[i].from)
            count_loop(graph, arena, &graph->edges[i]);
}

struct cpu_graph *cpu_graph_make(arena *arena, MlirOperation function)
{
    struct cpu_graph *graph = arena_new(arena, struct cpu_graph);
    graph->blocks = ir_blocks_in_order(function, arena, &graph->count);
    pointer_map_init(&graph->numbers, arena);
    for (size_t i = 0; i < graph->count; i++)
        pointer_map_set(&graph->numbers, graph->blocks[i].ptr, (void *)(i + 1));
    find_edges(graph, arena);
    find_loops(graph, arena);
    return graph;
}

/* ---- Reach ----------------------------------------------------------------------------------- */

static void add_successors(const struct cpu_graph *graph, size_t block, size_t avoided,
    bool *reached, size_t *stack, size_t *depth)
{
    for (size_t i = 0; i < graph->edge_count; i++) {
        size_t to = graph->edges[i].to;
        if (graph->edges[i].from != block || to == avoided || reached[to])
            continue;
        reached[to] = true;
        stack[(*depth)++] = to;
    }
}

bool *cpu_graph_reach(const struct cpu_graph *graph, arena *arena, size_t from, size_t avoided)
{
    bool *reached = arena_array(arena, bool, graph->count);
    size_t *stack = arena_array(arena, size_t, graph->count + 1), depth = 0;
    stack[depth++] = from;
    while (depth > 0)
        add_successors(graph, stack[--depth], avoided, reached, stack, &depth);
    return reached;
}
