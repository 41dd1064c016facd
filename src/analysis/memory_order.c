/* See memory_order.h. The state is what was accessed since the last barrier; at a block's start it
 * is the union over the ways to it, which only grows, until nothing changes. */
#include "analysis/memory_order.h"

#include "analysis/pointer_map.h"
#include "dialect/dialect.h"

enum access {
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
};

/* Accesses that some thread may have made while another has not come that far. */
struct pending {
    unsigned global;                 /* enum access bits */
    unsigned shared_from, shared_to; /* bytes of shared memory that are read; empty: 0, 0 */
};

struct memory_order {
    const struct shared_memory *shared;
    struct pointer_map barriers; /* operations with a barrier before them */
    struct pointer_map entries;  /* block -> struct pending */
    bool changed;
};

static unsigned global_accesses(MlirOperation op)
{
    unsigned effects = ir_effects(op), accesses = 0;
    if (effects & (IR_EFFECT_READ | IR_EFFECT_UNKNOWN))
        accesses |= ACCESS_READ;
    if (effects & (IR_EFFECT_WRITE | IR_EFFECT_UNKNOWN))
        accesses |= ACCESS_WRITE;
    return accesses;
}

static bool conflicts_global(unsigned pending, unsigned accesses)
{
    return (pending && (accesses & ACCESS_WRITE)) || ((pending & ACCESS_WRITE) && accesses);
}

static bool conflicts(
    const struct pending *pending, unsigned accesses, const struct shared_buffer *buffer)
{
    if (conflicts_global(pending->global, accesses))
        return true;
    return buffer && buffer->offset < pending->shared_to &&
           pending->shared_from < buffer->offset + buffer->bytes;
}

/* What is pending at the end of the block; notes the operations that need a barrier. */
static struct pending pass_through(
    struct memory_order *order, MlirBlock block, struct pending pending)
{
    static const struct pending nothing;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op)) {
        unsigned accesses = global_accesses(op);
        const struct shared_buffer *buffer = shared_memory_of(order->shared, op);
        if (conflicts(&pending, accesses, buffer)) {
            pointer_map_set(&order->barriers, op.ptr, order);
            pending = nothing;
        }
        if (buffer)
            pending = (struct pending){0, buffer->offset, buffer->offset + buffer->bytes};
        pending.global |= accesses;
    }
    return pending;
}

/* Of two ranges, all from the first to the last byte of either. */
static struct pending either(struct pending a, struct pending b)
{
    struct pending both = a.shared_to ? a : b;
    both.global = a.global | b.global;
    if (a.shared_to && b.shared_to) {
        both.shared_from = a.shared_from < b.shared_from ? a.shared_from : b.shared_from;
        both.shared_to = a.shared_to > b.shared_to ? a.shared_to : b.shared_to;
    }
    return both;
}

static void arrive(struct memory_order *order, MlirBlock block, struct pending pending)
{
    struct pending *entry = pointer_map_get(&order->entries, block.ptr);
    struct pending both = either(*entry, pending);
    if (both.global == entry->global && both.shared_from == entry->shared_from &&
        both.shared_to == entry->shared_to)
        return;
    *entry = both;
    order->changed = true;
}

static void pass_through_all(struct memory_order *order, MlirRegion body)
{
    for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block)) {
        const struct pending *entry = pointer_map_get(&order->entries, block.ptr);
        struct pending pending = pass_through(order, block, *entry);
        for (intptr_t i = 0; i < mlirBlockGetNumSuccessors(block); i++)
            arrive(order, mlirBlockGetSuccessor(block, i), pending);
    }
}

struct memory_order *memory_order_create(
    arena *arena, MlirOperation function, const struct shared_memory *shared)
{
    struct memory_order *order = arena_new(arena, struct memory_order);
    order->shared = shared;
    pointer_map_init(&order->barriers, arena);
    pointer_map_init(&order->entries, arena);
    MlirRegion body = mlirOperationGetRegion(function, 0);
    for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block))
        pointer_map_set(&order->entries, block.ptr, arena_new(arena, struct pending));
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
