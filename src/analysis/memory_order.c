/* See memory_order.h. The state is what was accessed since the last barrier; at a block's start it
 * is the union over the ways to it, which only grows, until nothing changes. */
#include "analysis/memory_order.h"

#include "analysis/pointer_map.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

enum access {
    ACCESS_READ = 1,
    ACCESS_WRITE = 2,
};

/* ---- What an operation does ------------------------------------------------------------------ */

/* How an operation uses a buffer. */
enum use {
    USE_NONE,
    USE_SCRATCH, /* writes it, meets barriers of its own, and reads it last */
    USE_READ,
    USE_WRITE,
    USE_COPY, /* begins to write it; the thread's next wait may be the end of that */
    USE_WAIT, /* of no buffer: ends copies */
};

static const struct {
    enum use use;
    intptr_t operand; /* that says which buffer; -1: the operation's own */
    unsigned global;
    bool is_listed;
} table[OP_ID_COUNT] = {
    [OP_TTG_LOCAL_ALLOC] = {USE_WRITE, -1, 0, true},
    [OP_TTG_LOCAL_DEALLOC] = {USE_NONE, 0, 0, true},
    [OP_TTG_LOCAL_LOAD] = {USE_READ, 0, 0, true},
    [OP_TTG_LOCAL_STORE] = {USE_WRITE, 1, 0, true},
    [OP_TTG_ASYNC_COPY] = {USE_COPY, 1, ACCESS_READ, true},
    [OP_TTG_ASYNC_COMMIT_GROUP] = {USE_NONE, 0, 0, true},
    [OP_TTG_ASYNC_WAIT] = {USE_WAIT, 0, 0, true},
};

struct action {
    enum use use;
    const struct shared_buffer *buffer;
    unsigned global;  /* enum access bits */
    bool is_last_one; /* a wait for all copies */
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

static bool waits_for_all(MlirOperation op)
{
    MlirAttribute number =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("num"));
    return mlirIntegerAttrGetValueInt(number) == 0;
}

static struct action action_of(const struct shared_memory *shared, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    struct action action = {USE_NONE, NULL, table[id].global, false};
    if (!table[id].is_listed) {
        action.global = global_accesses(op);
        action.buffer = shared_memory_of(shared, op);
        action.use = action.buffer ? USE_SCRATCH : USE_NONE;
        return action;
    }
    action.use = table[id].use;
    if (action.use == USE_WAIT)
        action.is_last_one = waits_for_all(op);
    else if (id == OP_TTG_LOCAL_ALLOC && mlirOperationGetNumOperands(op) == 0)
        action.use = USE_NONE;
    else if (table[id].operand < 0)
        action.buffer = shared_memory_of(shared, op);
    else if (action.use != USE_NONE)
        action.buffer =
            shared_memory_behind(shared, mlirOperationGetOperand(op, table[id].operand));
    if (!action.buffer && action.use != USE_WAIT)
        action.use = USE_NONE; /* of what is not known, nothing can be said */
    return action;
}

/* ---- What is pending ------------------------------------------------------------------------- */

/* Accesses that some thread may have made while another has not come that far: sets of buffers. */
enum { READS, WRITES, COPIES, SETS };

struct pending {
    unsigned global; /* enum access bits */
    uint64_t *sets[SETS];
};

struct memory_order {
    arena *arena;
    const struct shared_memory *shared;
    const struct shared_buffer **buffers; /* by number */
    unsigned words;                       /* of a set */
    struct pointer_map barriers;          /* operations with a barrier before them */
    struct pointer_map entries;           /* block -> struct pending */
    struct pending now;                   /* while a block is passed through */
    bool changed;
};

static struct pending make_pending(struct memory_order *order)
{
    struct pending pending = {0};
    for (unsigned i = 0; i < SETS; i++)
        pending.sets[i] = arena_array(order->arena, uint64_t, order->words);
    return pending;
}

static void clear_set(const struct memory_order *order, uint64_t *set)
{
    memset(set, 0, order->words * sizeof *set);
}

/* False where nothing was new. */
static bool add_set(const struct memory_order *order, uint64_t *to, const uint64_t *from)
{
    bool changed = false;
    for (unsigned i = 0; i < order->words; i++) {
        changed |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return changed;
}

static void add_buffer(uint64_t *set, const struct shared_buffer *buffer)
{
    set[buffer->number / 64] |= UINT64_C(1) << buffer->number % 64;
}

static bool lie_over_each_other(const struct shared_buffer *a, const struct shared_buffer *b)
{
    return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static bool meets_set(
    const struct memory_order *order, const uint64_t *set, const struct shared_buffer *buffer)
{
    for (unsigned i = 0; i < order->words; i++)
        for (uint64_t rest = set[i]; rest; rest &= rest - 1) {
            unsigned number = i * 64 + (unsigned)__builtin_ctzll(rest);
            if (lie_over_each_other(order->buffers[number], buffer))
                return true;
        }
    return false;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static bool conflicts(const struct memory_order *order, const struct action *action)
{
    const struct pending *now = &order->now;
    if ((now->global && (action->global & ACCESS_WRITE)) ||
        ((now->global & ACCESS_WRITE) && action->global))
        return true;
    if (!action->buffer)
        return false;
    return meets_set(order, now->sets[WRITES], action->buffer) ||
           (action->use != USE_READ && meets_set(order, now->sets[READS], action->buffer));
}

static void meet_barrier(struct memory_order *order)
{
    order->now.global = 0;
    clear_set(order, order->now.sets[READS]);
    clear_set(order, order->now.sets[WRITES]);
}

static void act(struct memory_order *order, const struct action *action)
{
    struct pending *now = &order->now;
    switch (action->use) {
    case USE_NONE:
        break;
    case USE_SCRATCH:
        meet_barrier(order);
        add_buffer(now->sets[READS], action->buffer);
        break;
    case USE_READ:
        add_buffer(now->sets[READS], action->buffer);
        break;
    case USE_WRITE:
        add_buffer(now->sets[WRITES], action->buffer);
        break;
    case USE_COPY:
        add_buffer(now->sets[COPIES], action->buffer);
        break;
    case USE_WAIT:
        if (add_set(order, now->sets[WRITES], now->sets[COPIES]))
            now->global |= ACCESS_READ;
        if (action->is_last_one)
            clear_set(order, now->sets[COPIES]);
        break;
    }
    now->global |= action->global;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* Notes the operations that need a barrier. */
static void pass_through(struct memory_order *order, MlirBlock block)
{
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op)) {
        struct action action = action_of(order->shared, op);
        if (conflicts(order, &action)) {
            pointer_map_set(&order->barriers, op.ptr, order);
            meet_barrier(order);
        }
        act(order, &action);
    }
}

/* Of a block's state. */
static bool add_pending(
    const struct memory_order *order, struct pending *to, const struct pending *from)
{
    bool changed = (from->global & ~to->global) != 0;
    to->global |= from->global;
    for (unsigned i = 0; i < SETS; i++)
        changed |= add_set(order, to->sets[i], from->sets[i]);
    return changed;
}

static void start_from(struct memory_order *order, const struct pending *entry)
{
    meet_barrier(order);
    clear_set(order, order->now.sets[COPIES]);
    add_pending(order, &order->now, entry);
}

static void pass_through_all(struct memory_order *order, MlirRegion body)
{
    for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block)) {
        start_from(order, pointer_map_get(&order->entries, block.ptr));
        pass_through(order, block);
        for (intptr_t i = 0; i < mlirBlockGetNumSuccessors(block); i++) {
            MlirBlock successor = mlirBlockGetSuccessor(block, i);
            struct pending *entry = pointer_map_get(&order->entries, successor.ptr);
            order->changed |= add_pending(order, entry, &order->now);
        }
    }
}

static void make_entries(struct memory_order *order, MlirRegion body)
{
    for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block)) {
        struct pending *entry = arena_new(order->arena, struct pending);
        *entry = make_pending(order);
        pointer_map_set(&order->entries, block.ptr, entry);
    }
}

static void list_buffers(struct memory_order *order)
{
    unsigned count = shared_memory_count(order->shared);
    order->buffers = arena_array(order->arena, const struct shared_buffer *, count + 1);
    order->words = (count + 63) / 64;
    for (const struct shared_buffer *buffer = shared_memory_first(order->shared); buffer;
        buffer = buffer->next)
        order->buffers[buffer->number] = buffer;
}

struct memory_order *memory_order_create(
    arena *arena, MlirOperation function, const struct shared_memory *shared)
{
    struct memory_order *order = arena_new(arena, struct memory_order);
    order->arena = arena;
    order->shared = shared;
    pointer_map_init(&order->barriers, arena);
    pointer_map_init(&order->entries, arena);
    MlirRegion body = mlirOperationGetRegion(function, 0);
    list_buffers(order);
    make_entries(order, body);
    order->now = make_pending(order);
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
