/* See shared_memory.h. */
#include "analysis/shared_memory.h"

#include "analysis/dot_staging.h"
#include "analysis/element_size.h"
#include "analysis/layout_encoding.h"
#include "analysis/layout_exchange.h"
#include "analysis/pointer_map.h"
#include "analysis/rearrangement.h"
#include "analysis/reduction.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"

/* A tile of a ttg.local_alloc starts at the first bank, as its swizzle expects. */
enum { ALIGNMENT = 16, TILE_ALIGNMENT = 128, ROOM_FOR_NEIGHBOURS = 4096, SMALL_ROUND = 32 << 10 };

struct shared_memory {
    arena *arena;
    struct shared_lifetimes *lifetimes;
    struct pointer_map buffers; /* operation -> struct shared_buffer */
    struct shared_buffer *first, *last;
    struct long_buffer *longs; /* those that live long and have their place, the lowest first */
    unsigned count, bytes;
};

struct long_buffer {
    struct long_buffer *next;
    const struct shared_buffer *buffer;
};

/* ---- What each operation needs --------------------------------------------------------------- */

static unsigned of_rearrangement(MlirOperation op, unsigned most_bytes)
{
    struct rearrangement rearrangement;
    if (!rearrangement_of(op, &rearrangement))
        return 0;
    unsigned size = element_size(mlirValueGetType(mlirOperationGetResult(op, 0)));
    return exchange_plan(&rearrangement.from, &rearrangement.to, size, most_bytes).bytes;
}

static unsigned of_reduce(MlirOperation op)
{
    MlirAttribute axis =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("axis"));
    unsigned bytes = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
        struct linear_layout layout;
        struct reduction reduction;
        if (!layout_of_type(type, &layout) ||
            !reduction_plan(&layout, (unsigned)mlirIntegerAttrGetValueInt(axis), &reduction))
            return 0;
        bytes += reduction_bytes(&reduction, element_size(type));
    }
    return bytes;
}

static unsigned of_dot(MlirOperation op)
{
    struct dot_staging staging;
    return dot_staging_plan(op, &staging) ? staging.bytes : 0;
}

unsigned shared_memory_bytes_of_type(MlirType type)
{
    struct ttg_memory memory;
    if (!ttg_memory_read(type, &memory))
        return 0;
    unsigned bytes = element_size(memory.element);
    for (unsigned i = 0; i < memory.rank; i++)
        bytes *= (unsigned)memory.shape[i];
    return bytes;
}

static unsigned bytes_of(MlirOperation op)
{
    switch (op_id_of(op)) {
    case OP_TTG_LOCAL_ALLOC:
        return shared_memory_bytes_of_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    case OP_TT_REDUCE:
        return of_reduce(op);
    case OP_TT_DOT:
        return of_dot(op);
    default:
        return rearrangement_is(op) ? of_rearrangement(op, EXCHANGE_WHOLE) : 0;
    }
}

/* ---- Where it lies --------------------------------------------------------------------------- */

static unsigned round_up(unsigned number, unsigned multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

static MlirWalkResult collect(MlirOperation op, void *user)
{
    struct shared_memory *shared = user;
    unsigned bytes = bytes_of(op);
    if (bytes == 0)
        return MlirWalkResultAdvance;
    struct shared_buffer *buffer = arena_new(shared->arena, struct shared_buffer);
    buffer->owner = op;
    buffer->number = shared->count++;
    buffer->lifetime = shared_lifetime_of(shared->lifetimes, op);
    buffer->bytes = round_up(bytes, ALIGNMENT);
    if (shared->last)
        shared->last->next = buffer;
    else
        shared->first = buffer;
    shared->last = buffer;
    pointer_map_set(&shared->buffers, op.ptr, buffer);
    return MlirWalkResultAdvance;
}

static bool is_long(const struct shared_buffer *buffer)
{
    return buffer->lifetime.first != buffer->lifetime.last;
}

static bool meet(const struct shared_buffer *a, const struct shared_buffer *b)
{
    return a->lifetime.first <= b->lifetime.last && b->lifetime.first <= a->lifetime.last;
}

/* The first place from `from` on where the buffer is in the way of none that lives long. Those come
 * by their places, so once passed, none is in the way again. */
static unsigned first_fit(
    const struct shared_memory *shared, const struct shared_buffer *buffer, unsigned from)
{
    bool is_tile = op_id_of(buffer->owner) == OP_TTG_LOCAL_ALLOC;
    unsigned alignment = is_tile ? TILE_ALIGNMENT : ALIGNMENT, offset = round_up(from, alignment);
    for (const struct long_buffer *each = shared->longs;
        each && each->buffer->offset < offset + buffer->bytes; each = each->next) {
        unsigned end = each->buffer->offset + each->buffer->bytes;
        if (end > offset && meet(buffer, each->buffer))
            offset = round_up(end, alignment);
    }
    return offset;
}

static void put(struct shared_memory *shared, struct shared_buffer *buffer, unsigned offset)
{
    buffer->offset = offset;
    if (offset + buffer->bytes > shared->bytes)
        shared->bytes = offset + buffer->bytes;
}

static void put_long(struct shared_memory *shared, struct shared_buffer *buffer)
{
    put(shared, buffer, first_fit(shared, buffer, 0));
    struct long_buffer **before = &shared->longs;
    while (*before && (*before)->buffer->offset < buffer->offset)
        before = &(*before)->next;
    struct long_buffer *own = arena_new(shared->arena, struct long_buffer);
    *own = (struct long_buffer){*before, buffer};
    *before = own;
}

/* Where the buffer would end at the earliest. */
static unsigned first_end(const struct shared_memory *shared, const struct shared_buffer *buffer)
{
    return first_fit(shared, buffer, 0) + buffer->bytes;
}

/* Makes a rearrangement's buffer smaller, by more rounds, until it ends within the room. */
static void fit_into(
    const struct shared_memory *shared, struct shared_buffer *buffer, unsigned room)
{
    while (buffer->bytes > SMALL_ROUND && first_end(shared, buffer) > room) {
        unsigned bytes = of_rearrangement(buffer->owner, buffer->bytes / 2);
        if (bytes == buffer->bytes)
            return;
        buffer->bytes = bytes;
    }
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* The room that is needed once the long ones are placed, with rounds for what would need more. */
static unsigned find_room(struct shared_memory *shared)
{
    unsigned room = larger(shared->bytes, ROOM_FOR_NEIGHBOURS);
    for (struct shared_buffer *buffer = shared->first; buffer; buffer = buffer->next)
        if (!is_long(buffer) && !rearrangement_is(buffer->owner))
            room = larger(room, first_end(shared, buffer));
    unsigned most = larger(room, SMALL_ROUND);
    for (struct shared_buffer *buffer = shared->first; buffer; buffer = buffer->next) {
        if (!rearrangement_is(buffer->owner))
            continue;
        fit_into(shared, buffer, most);
        room = larger(room, first_end(shared, buffer));
    }
    return room;
}

/* First those that live long, in program order; then the others, one behind the other, from the
 * start again where the room is used up. */
static void place(struct shared_memory *shared)
{
    for (struct shared_buffer *buffer = shared->first; buffer; buffer = buffer->next)
        if (is_long(buffer))
            put_long(shared, buffer);
    unsigned room = find_room(shared), next = 0;
    for (struct shared_buffer *buffer = shared->first; buffer; buffer = buffer->next) {
        if (is_long(buffer))
            continue;
        unsigned offset = first_fit(shared, buffer, next);
        if (offset + buffer->bytes > room)
            offset = first_fit(shared, buffer, 0);
        put(shared, buffer, offset);
        next = offset + buffer->bytes;
    }
}

struct shared_memory *shared_memory_create(arena *arena, MlirOperation function)
{
    struct shared_memory *shared = arena_new(arena, struct shared_memory);
    shared->arena = arena;
    shared->lifetimes = shared_lifetimes_create(arena, function);
    pointer_map_init(&shared->buffers, arena);
    mlirOperationWalk(function, collect, shared, MlirWalkPreOrder);
    place(shared);
    return shared;
}

/* ---- Queries --------------------------------------------------------------------------------- */

const struct shared_buffer *shared_memory_of(const struct shared_memory *shared, MlirOperation op)
{
    return pointer_map_get(&shared->buffers, op.ptr);
}

bool shared_memory_is_view(MlirOperation op)
{
    enum op_id id = op_id_of(op);
    return id == OP_TTG_MEMDESC_INDEX || id == OP_TTG_MEMDESC_SUBSLICE ||
           id == OP_TTG_MEMDESC_TRANS;
}

const struct shared_buffer *shared_memory_behind(
    const struct shared_memory *shared, MlirValue memory)
{
    while (mlirValueIsAOpResult(memory)) {
        MlirOperation op = mlirOpResultGetOwner(memory);
        if (!shared_memory_is_view(op))
            return shared_memory_of(shared, op);
        memory = mlirOperationGetOperand(op, 0);
    }
    return NULL;
}

struct lifetime shared_memory_points_of(const struct shared_memory *shared, MlirOperation op)
{
    return shared_lifetime_inside(shared->lifetimes, op);
}

const struct shared_buffer *shared_memory_first(const struct shared_memory *shared)
{
    return shared->first;
}

unsigned shared_memory_count(const struct shared_memory *shared)
{
    return shared->count;
}

unsigned shared_memory_bytes(const struct shared_memory *shared)
{
    return shared->bytes;
}
