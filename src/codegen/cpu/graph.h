/* The blocks of a function as a graph: edges, loops, and what can be reached from where. */
#ifndef TEENY_CODEGEN_CPU_GRAPH_H
#define TEENY_CODEGEN_CPU_GRAPH_H

#include "codegen/ir_read.h"

/* A way from one block to another; a branch with two ways to one block is two edges. */
struct cpu_edge {
    MlirOperation branch;
    intptr_t successor; /* which one of the branch's */
    size_t from, to;    /* numbers of blocks */
};

/* Only blocks that can be reached are in it. */
struct cpu_graph {
    MlirBlock *blocks; /* each after all that dominate it */
    size_t count;
    struct cpu_edge *edges;
    size_t edge_count;
    unsigned *depth;            /* of each block: how many loops it lies in */
    struct pointer_map numbers; /* block -> its number plus one */
};

struct cpu_graph *cpu_graph_make(arena *arena, MlirOperation function);

size_t cpu_graph_number(const struct cpu_graph *graph, MlirBlock block);

/* What the edge hands to an argument of its block; null where the branch makes the value. */
MlirValue cpu_edge_value(const struct cpu_edge *edge, intptr_t argument);

/* Marks the blocks that can be reached from the end of block `from` without entering `avoided`. */
bool *cpu_graph_reach(const struct cpu_graph *graph, arena *arena, size_t from, size_t avoided);

#endif
