/* Branches: what their ways hand over to the tiles that are arguments of blocks.
 *
 * All arguments of a block change at once, each from values that may read the old ones. So one is
 * written only when no other that is still to come reads its buffer; its own element of the same
 * index it may read. Where they wait for each other in a ring, as in a swap, a value is computed
 * into a buffer of its own first.
 */
#include "codegen/cpu/arguments.h"
#include "codegen/cpu/pending.h"
#include "codegen/cpu/root.h"

/* One tile that changes on an edge. */
struct change {
    MlirValue argument, value;
    struct cpu_buffer *target, *held; /* held: the value has been computed and lies there */
};

struct changes {
    struct cpu_kernel *kernel;
    struct change *list;
    size_t count;
};

/* ---- What reads what ------------------------------------------------------------------------- */

enum reading { READS_NOT, READS_SAME_INDEX, READS_OTHERS };

static enum reading reading_of(
    struct cpu_kernel *kernel, const struct change *change, const struct cpu_buffer *buffer)
{
    enum reading reading = READS_NOT;
    if (change->held)
        return reading;
    struct cpu_needs needs = cpu_buffered_behind(kernel, change->value);
    for (size_t i = 0; i < needs.count; i++) {
        if (cpu_buffer_of(kernel, needs.list[i].value) != buffer)
            continue;
        if (!needs.list[i].same_index)
            return READS_OTHERS;
        reading = READS_SAME_INDEX;
    }
    return reading;
}

static bool can_be_written(const struct changes *changes, size_t candidate)
{
    const struct change *list = changes->list;
    for (size_t i = 0; i < changes->count; i++) {
        enum reading reading = reading_of(changes->kernel, &list[i], list[candidate].target);
        if (reading == READS_OTHERS || (reading == READS_SAME_INDEX && i != candidate))
            return false;
    }
    return true;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void copy_buffer(struct cpu_kernel *kernel, const struct change *change)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirType type = mlirValueGetType(change->argument), element = ir_element_type(type);
    struct layout_shape flat = {.rank = 1}, shape = cpu_shape(type);
    flat.bits[0] = (uint8_t)layout_shape_total_bits(&shape);
    struct cpu_nest nest;
    cpu_nest_begin(kernel, &flat, &nest);
    LLVMValueRef from = cpu_buffer_place(kernel, change->held, element, nest.index[0]);
    LLVMValueRef to = cpu_buffer_place(kernel, change->target, element, nest.index[0]);
    LLVMTypeRef memory_type = emit_memory_type(emitter, element);
    LLVMValueRef loaded = LLVMBuildLoad2(emitter->builder, memory_type, from, "");
    cpu_nest_mark_access(kernel, &nest, loaded);
    cpu_nest_mark_access(kernel, &nest, LLVMBuildStore(emitter->builder, loaded, to));
    cpu_nest_end(kernel, &nest);
}

static bool write_change(struct changes *changes, size_t number)
{
    struct change change = changes->list[number];
    changes->list[number] = changes->list[--changes->count];
    if (!change.held)
        return cpu_fill(changes->kernel, change.value, change.target);
    copy_buffer(changes->kernel, &change);
    return true;
}

static bool hold(struct changes *changes, struct change *change)
{
    MlirType type = mlirValueGetType(change->argument);
    struct layout_shape shape = cpu_shape(type);
    uint64_t elements = UINT64_C(1) << layout_shape_total_bits(&shape);
    struct cpu_buffer *buffer = cpu_buffer_make(changes->kernel, ir_element_type(type), elements);
    if (!cpu_fill(changes->kernel, change->value, buffer))
        return false;
    change->held = buffer;
    return true;
}

static bool write_next(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (can_be_written(changes, i))
            return write_change(changes, i);
    for (size_t i = 0; i < changes->count; i++)
        if (!changes->list[i].held)
            return hold(changes, &changes->list[i]);
    return false;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static void find_changes(
    struct cpu_kernel *kernel, const struct cpu_edge *edge, struct changes *changes)
{
    MlirBlock block = kernel->graph->blocks[edge->to];
    intptr_t count = mlirBlockGetNumArguments(block);
    arena *arena = kernel->lowering.emitter.arena;
    *changes = (struct changes){kernel, arena_array(arena, struct change, (size_t)count), 0};
    for (intptr_t a = 0; a < count; a++) {
        MlirValue argument = mlirBlockGetArgument(block, a);
        struct cpu_buffer *target = cpu_buffer_of(kernel, argument);
        MlirValue value = cpu_resolve(kernel, cpu_edge_value(edge, a));
        if (target && cpu_buffer_of(kernel, value) != target)
            changes->list[changes->count++] = (struct change){argument, value, target, NULL};
    }
}

static const struct cpu_edge *find_edge(
    const struct cpu_graph *graph, MlirOperation branch, intptr_t successor)
{
    size_t i = 0;
    while (!mlirOperationEqual(graph->edges[i].branch, branch) ||
           graph->edges[i].successor != successor)
        i++;
    return &graph->edges[i];
}

bool cpu_lower_edge(struct lowering *lowering, MlirOperation branch, intptr_t successor)
{
    struct cpu_kernel *kernel = (struct cpu_kernel *)lowering;
    const struct cpu_edge *edge = find_edge(kernel->graph, branch, successor);
    struct changes changes;
    find_changes(kernel, edge, &changes);
    while (changes.count > 0)
        if (!write_next(&changes))
            return false;
    cpu_arguments_add_incoming(kernel, edge);
    return true;
}

/* Tiles to be kept are made before the ways part; loads that only this branch needs are made on the
 * way that needs them. */
bool cpu_lower_branch(struct cpu_kernel *kernel, MlirOperation op)
{
    struct cpu_pending *pending = kernel->pending;
    for (size_t i = 0; i < pending->count; i++)
        if (!cpu_is_load(pending->list[i]) &&
            cpu_needed_beyond(kernel, pending->list[i], (MlirOperation){NULL}, NULL) &&
            !cpu_make(kernel, pending->list[i]))
            return false;
    bool done =
        cpu_pending_make_needed_beyond(kernel, op, NULL) && lowering_branch(&kernel->lowering, op);
    pending->count = 0;
    return done;
}
