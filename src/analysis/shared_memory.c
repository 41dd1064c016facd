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

enum { ALIGNMENT = 16, ROOM_FOR_NEIGHBOURS = 4096 };

struct shared_memory {
    arena *arena;
    struct pointer_map buffers; /* operation -> struct shared_buffer */
    struct shared_buffer *first, *last;
    unsigned bytes;
};

/* ---- What each operation needs --------------------------------------------------------------- */

static unsigned of_rearrangement(MlirOperation op)
{
    struct rearrangement rearrangement;
    if (!rearrangement_of(op, &rearrangement))
        return 0;
    unsigned size = element_size(mlirValueGetType(mlirOperationGetResult(op, 0)));
    return exchange_plan(&rearrangement.from, &rearrangement.to, size).bytes;
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

static unsigned bytes_of(MlirOperation op)
{
    switch (op_id_of(op)) {
    case OP_TT_REDUCE:
        return of_reduce(op);
    case OP_TT_DOT:
        return of_dot(op);
    default:
        return rearrangement_is(op) ? of_rearrangement(op) : 0;
    }
}

/* ---- Where it lies --------------------------------------------------------------------------- */

static MlirWalkResult collect(MlirOperation op, void *user)
{
    struct shared_memory *shared = user;
    unsigned bytes = bytes_of(op);
    if (bytes == 0)
        return MlirWalkResultAdvance;
    struct shared_buffer *buffer = arena_new(shared->arena, struct shared_buffer);
    buffer->owner = op;
    buffer->bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (shared->last)
        shared->last->next = buffer;
    else
        shared->first = buffer;
    shared->last = buffer;
    pointer_map_set(&shared->buffers, op.ptr, buffer);
    return MlirWalkResultAdvance;
}

/* One after the other, from the start again where the room is used up. */
static void place(struct shared_memory *shared)
{
    unsigned room = ROOM_FOR_NEIGHBOURS, end = 0;
    for (struct shared_buffer *buffer = shared->first; buffer; buffer = buffer->next)
        room = buffer->bytes > room ? buffer->bytes : room;
    for (struct shared_buffer *buffer = shared->first; buffer; buffer = buffer->next) {
        if (end + buffer->bytes > room)
            end = 0;
        buffer->offset = end;
        end += buffer->bytes;
        shared->bytes = end > shared->bytes ? end : shared->bytes;
    }
}

struct shared_memory *shared_memory_create(arena *arena, MlirOperation function)
{
    struct shared_memory *shared = arena_new(arena, struct shared_memory);
    shared->arena = arena;
    pointer_map_init(&shared->buffers, arena);
    mlirOperationWalk(function, collect, shared, MlirWalkPreOrder);
    place(shared);
    return shared;
}

const struct shared_buffer *shared_memory_of(const struct shared_memory *shared, MlirOperation op)
{
    return pointer_map_get(&shared->buffers, op.ptr);
}

const struct shared_buffer *shared_memory_first(const struct shared_memory *shared)
{
    return shared->first;
}

unsigned shared_memory_bytes(const struct shared_memory *shared)
{
    return shared->bytes;
}
