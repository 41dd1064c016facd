/* See memory_order.h. The state is what was accessed since the last barrier; at a block's start it
 * is the union over the ways to it, which only grows, until nothing changes. */
#include "analysis/memory_order.h"

#include "analysis/pointer_map.h"
#include "dialect/dialect.h"

enum pending {
    PENDING_READ = 1,
    PENDING_WRITE = 2,
};

struct memory_order {
    struct pointer_map barriers; /* operations with a barrier before them */
    struct pointer_map entries;  /* block -> struct entry */
    bool changed;
};

struct entry {
    unsigned pending;
};

static unsigned accesses_of(MlirOperation op)
{
    unsigned effects = ir_effects(op), accesses = 0;
    if (effects & (IR_EFFECT_READ | IR_EFFECT_UNKNOWN))
        accesses |= PENDING_READ;
    if (effects & (IR_EFFECT_WRITE | IR_EFFECT_UNKNOWN))
        accesses |= PENDING_WRITE;
    return accesses;
}

static bool conflicts(unsigned pending, unsigned accesses)
{
    return (pending && (accesses & PENDING_WRITE)) || ((pending & PENDING_WRITE) && accesses);
}

/* What is pending at the end of the block; notes the operations that need a barrier. */
static unsigned pass_through(struct memory_order *order, MlirBlock block, unsigned pending)
{
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op)) {
        unsigned accesses = accesses_of(op);
        if (conflicts(pending, accesses)) {
            pointer_map_set(&order->barriers, op.ptr, order);
            pending = 0;
        }
        pending |= accesses;
    }
    return pending;
}

static void arrive(struct memory_order *order, MlirBlock block, unsigned pending)
{
    struct entry *entry = pointer_map_get(&order->entries, block.ptr);
    if ((entry->pending | pending) == entry->pending)
        return;
    entry->pending |= pending;
    order->changed = true;
}

static void pass_through_all(struct memory_order *order, MlirRegion body)
{
    for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block)) {
        const struct entry *entry = pointer_map_get(&order->entries, block.ptr);
        unsigned pending = pass_through(order, block, entry->pending);
        for (intptr_t i = 0; i < mlirBlockGetNumSuccessors(block); i++)
            arrive(order, mlirBlockGetSuccessor(block, i), pending);
    }
}

struct memory_order *memory_order_create(arena *arena, MlirOperation function)
{
    struct memory_order *order = arena_new(arena, struct memory_order);
    pointer_map_init(&order->barriers, arena);
    pointer_map_init(&order->entries, arena);
    MlirRegion body = mlirOperationGetRegion(function, 0);
    for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block))
        pointer_map_set(&order->entries, block.ptr, arena_new(arena, struct entry));
    do {
        order->changed = false;
        pointer_map_clear(&order->barriers);
        pass_through_all(order, body);
    } while (order->changed);
    return order;
}

bool memory_order_needs_barrier(const struct memory_order *order, MlirOperation op)
{
    return pointer_map_get(&order->barriers, op.ptr) != NULL;
}
