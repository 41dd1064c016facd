/* See shared_lifetime.h. */
#include "analysis/shared_lifetime.h"

#include "analysis/block_order.h"
#include "analysis/pointer_map.h"
#include "analysis/shared_memory.h"
#include "dialect/dialect.h"

#include <stdint.h>

struct loop {
    struct loop *next;
    struct lifetime points;
};

struct shared_lifetimes {
    arena *arena;
    struct pointer_map points; /* operation -> its point */
    struct pointer_map ends;   /* operation with regions -> the last point inside */
    struct pointer_map starts; /* block -> its first point */
    struct loop *loops;
    unsigned count; /* of points */
};

static void *as_pointer(unsigned number)
{
    return (void *)(uintptr_t)number;
}

static unsigned number_at(const struct pointer_map *map, const void *key)
{
    return (unsigned)(uintptr_t)pointer_map_get(map, key);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void add_loop(struct shared_lifetimes *lifetimes, unsigned first, unsigned last)
{
    struct loop *loop = arena_new(lifetimes->arena, struct loop);
    *loop = (struct loop){lifetimes->loops, {first, last}};
    lifetimes->loops = loop;
}

static void number_block(struct shared_lifetimes *lifetimes, MlirBlock block);

/* Counts from 1 on, so that no number is NULL. Whatever has regions may run them again. */
static void number_operation(struct shared_lifetimes *lifetimes, MlirOperation op)
{
    unsigned own = ++lifetimes->count;
    pointer_map_set(&lifetimes->points, op.ptr, as_pointer(own));
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
        for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
            !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
            number_block(lifetimes, block);
    if (lifetimes->count == own)
        return;
    add_loop(lifetimes, own, lifetimes->count);
    pointer_map_set(&lifetimes->ends, op.ptr, as_pointer(lifetimes->count));
}

static void number_block(struct shared_lifetimes *lifetimes, MlirBlock block)
{
    pointer_map_set(&lifetimes->starts, block.ptr, as_pointer(lifetimes->count + 1));
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        number_operation(lifetimes, op);
}

/* A branch to a block that does not come later closes a loop. */
static void add_ways_back(struct shared_lifetimes *lifetimes, MlirBlock block)
{
    MlirOperation end = mlirBlockGetTerminator(block);
    unsigned last = number_at(&lifetimes->points, end.ptr);
    for (intptr_t i = 0; i < mlirBlockGetNumSuccessors(block); i++) {
        MlirBlock successor = mlirBlockGetSuccessor(block, i);
        unsigned first = number_at(&lifetimes->starts, successor.ptr);
        if (first <= last)
            add_loop(lifetimes, first, last);
    }
}

struct shared_lifetimes *shared_lifetimes_create(arena *arena, MlirOperation function)
{
    struct shared_lifetimes *lifetimes = arena_new(arena, struct shared_lifetimes);
    lifetimes->arena = arena;
    pointer_map_init(&lifetimes->points, arena);
    pointer_map_init(&lifetimes->ends, arena);
    pointer_map_init(&lifetimes->starts, arena);
    size_t count;
    MlirBlock *blocks = ir_blocks_with_loops_together(function, arena, &count);
    for (size_t i = 0; i < count; i++)
        number_block(lifetimes, blocks[i]);
    for (size_t i = 0; i < count; i++)
        add_ways_back(lifetimes, blocks[i]);
    return lifetimes;
}

struct lifetime shared_lifetime_inside(const struct shared_lifetimes *lifetimes, MlirOperation op)
{
    unsigned first = number_at(&lifetimes->points, op.ptr);
    unsigned last = number_at(&lifetimes->ends, op.ptr);
    return (struct lifetime){first, last ? last : first};
}

/* ---- Lifetimes ------------------------------------------------------------------------------- */

struct uses {
    const struct shared_lifetimes *lifetimes;
    struct lifetime points;
    bool is_copied_to;
    struct pointer_map freeing; /* blocks with a ttg.local_dealloc */
};

static void add_uses(struct uses *uses, MlirValue memory)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        unsigned point = number_at(&uses->lifetimes->points, user.ptr);
        if (point > uses->points.last)
            uses->points.last = point;
        enum op_id id = op_id_of(user);
        uses->is_copied_to |= id == OP_TTG_ASYNC_COPY;
        if (id == OP_TTG_LOCAL_DEALLOC)
            pointer_map_set(&uses->freeing, mlirOperationGetBlock(user).ptr, uses);
        if (shared_memory_is_view(user))
            add_uses(uses, mlirOperationGetResult(user, 0));
    }
}

struct block_list {
    struct block_list *next;
    MlirBlock block;
};

static void push(arena *arena, struct block_list **list, MlirBlock block)
{
    struct block_list *entry = arena_new(arena, struct block_list);
    *entry = (struct block_list){*list, block};
    *list = entry;
}

/* Whether every way from the owner on meets a ttg.local_dealloc before it ends or comes back. One
 * in a region of its own may not be met. */
static bool is_always_freed(struct uses *uses, MlirOperation owner)
{
    arena *arena = uses->lifetimes->arena;
    struct pointer_map *passed = &uses->freeing;
    struct block_list *ahead = NULL;
    MlirBlock start = mlirOperationGetBlock(owner);
    push(arena, &ahead, start);
    while (ahead) {
        MlirBlock block = ahead->block;
        ahead = ahead->next;
        if (pointer_map_get(passed, block.ptr))
            continue;
        pointer_map_set(passed, block.ptr, uses);
        intptr_t successors = mlirBlockGetNumSuccessors(block);
        if (successors == 0)
            return false;
        for (intptr_t i = 0; i < successors; i++) {
            MlirBlock successor = mlirBlockGetSuccessor(block, i);
            if (mlirBlockEqual(successor, start))
                return false;
            push(arena, &ahead, successor);
        }
    }
    return true;
}

static struct lifetime through_loops(
    const struct shared_lifetimes *lifetimes, struct lifetime points)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (const struct loop *loop = lifetimes->loops; loop; loop = loop->next) {
            if (points.first >= loop->points.first || points.last < loop->points.first ||
                points.last >= loop->points.last)
                continue;
            points.last = loop->points.last;
            changed = true;
        }
    }
    return points;
}

struct lifetime shared_lifetime_of(const struct shared_lifetimes *lifetimes, MlirOperation owner)
{
    unsigned point = number_at(&lifetimes->points, owner.ptr);
    struct uses uses = {.lifetimes = lifetimes, .points = {point, point}};
    if (op_id_of(owner) != OP_TTG_LOCAL_ALLOC)
        return uses.points;
    pointer_map_init(&uses.freeing, lifetimes->arena);
    add_uses(&uses, mlirOperationGetResult(owner, 0));
    if (uses.is_copied_to && !is_always_freed(&uses, owner))
        return (struct lifetime){1, lifetimes->count};
    return through_loops(lifetimes, uses.points);
}
