/* See block_order.h. */
#include "analysis/block_order.h"

#include "analysis/pointer_map.h"

/* A depth-first walk that keeps its own stack: the depth is up to the input. */
struct block_visit {
    MlirBlock block;
    intptr_t next_successor;
};

static size_t count_blocks(MlirRegion region)
{
    size_t count = 0;
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block))
        count++;
    return count;
}

/* The order among a block's successors. What is walked through first comes last. */
enum first_successor { FIRST_SUCCESSOR, LAST_SUCCESSOR };

static MlirBlock successor_at(MlirBlock block, intptr_t index, enum first_successor first)
{
    intptr_t count = mlirBlockGetNumSuccessors(block);
    return mlirBlockGetSuccessor(block, first == FIRST_SUCCESSOR ? index : count - 1 - index);
}

static MlirBlock *walk(
    MlirOperation function, arena *arena, enum first_successor first_successor, size_t *out_count)
{
    MlirRegion body = mlirOperationGetRegion(function, 0);
    size_t total = count_blocks(body), depth = 0, first = total;
    MlirBlock *finished = arena_array(arena, MlirBlock, total); /* post-order, from the end */
    struct block_visit *stack = arena_array(arena, struct block_visit, total);
    struct pointer_map seen;
    pointer_map_init(&seen, arena);

    stack[depth++].block = mlirRegionGetFirstBlock(body);
    pointer_map_set(&seen, stack[0].block.ptr, stack);
    while (depth > 0) {
        struct block_visit *top = &stack[depth - 1];
        if (top->next_successor == mlirBlockGetNumSuccessors(top->block)) {
            finished[--first] = top->block;
            depth--;
            continue;
        }
        MlirBlock next = successor_at(top->block, top->next_successor++, first_successor);
        if (pointer_map_get(&seen, next.ptr))
            continue;
        pointer_map_set(&seen, next.ptr, stack);
        stack[depth++] = (struct block_visit){.block = next};
    }
    *out_count = total - first;
    return finished + first;
}

MlirBlock *ir_blocks_in_order(MlirOperation function, arena *arena, size_t *out_count)
{
    return walk(function, arena, FIRST_SUCCESSOR, out_count);
}

MlirBlock *ir_blocks_with_loops_together(MlirOperation function, arena *arena, size_t *out_count)
{
    return walk(function, arena, LAST_SUCCESSOR, out_count);
}
