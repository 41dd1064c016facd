/* See pending.h. */
#include "codegen/cpu/pending.h"

#include "codegen/cpu/root.h"
#include "codegen/cpu/uses.h"

static size_t count_results(const struct cpu_graph *graph)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->count; i++)
        for (MlirOperation op = mlirBlockGetFirstOperation(graph->blocks[i]);
            !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
            count += (size_t)mlirOperationGetNumResults(op);
    return count;
}

void cpu_pending_init(struct cpu_kernel *kernel)
{
    arena *arena = kernel->lowering.emitter.arena;
    kernel->pending = arena_new(arena, struct cpu_pending);
    kernel->pending->list = arena_array(arena, MlirValue, count_results(kernel->graph));
}

void cpu_pending_add(struct cpu_kernel *kernel, MlirValue tile)
{
    kernel->pending->list[kernel->pending->count++] = tile;
}

bool cpu_is_pending(const struct cpu_kernel *kernel, MlirValue value)
{
    for (size_t i = 0; i < kernel->pending->count; i++)
        if (mlirValueEqual(kernel->pending->list[i], value))
            return true;
    return false;
}

bool cpu_is_load(MlirValue value)
{
    return mlirValueIsAOpResult(value) && op_id_of(mlirOpResultGetOwner(value)) == OP_TT_LOAD;
}

/* Kept tiles first: what they need may then be needed by nobody else. */
static bool make_kind(
    struct cpu_kernel *kernel, bool loads, MlirOperation consumer, const struct pointer_map *filled)
{
    for (size_t i = 0; i < kernel->pending->count; i++) {
        MlirValue value = kernel->pending->list[i];
        if (cpu_is_load(value) != loads || cpu_buffer_of(kernel, value) ||
            (filled && pointer_map_get(filled, value.ptr)))
            continue;
        if (cpu_needed_beyond(kernel, value, consumer, filled) && !cpu_make(kernel, value))
            return false;
    }
    return true;
}

bool cpu_pending_make_needed_beyond(
    struct cpu_kernel *kernel, MlirOperation consumer, const struct pointer_map *filled)
{
    return make_kind(kernel, false, consumer, filled) && make_kind(kernel, true, consumer, filled);
}

bool cpu_pending_flush(struct cpu_kernel *kernel)
{
    bool done = cpu_pending_make_needed_beyond(kernel, (MlirOperation){NULL}, NULL);
    kernel->pending->count = 0;
    return done;
}
