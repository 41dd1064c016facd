/* The order of tile accesses: which loads are made where.
 *
 * A load is not made where it stands; it waits ("pending") for the next write, since nothing can
 * change what it reads before that. At a store S, each pending load is one of these:
 *
 *     needed by S alone     pulled into the nest of S, if its addresses and those of S are linear
 *                           and do not meet, which is asked at run time; they may be the same,
 *                           element by element. Else it fills a buffer before the nest.
 *     needed elsewhere too  fills a buffer now, and everybody reads that
 *     needed by nobody      is forgotten
 *
 * A nest that fills a buffer writes to no memory of the user's, so pending loads may be pulled into
 * it freely. Volatile loads are made where they stand.
 */
#include "codegen/cpu/algebra.h"
#include "codegen/cpu/pull.h"
#include "codegen/cpu/uses.h"

/* ---- Pending loads --------------------------------------------------------------------------- */

/* Fills a buffer with the load's elements; from then on they come from there. */
static bool make_load(struct cpu_kernel *kernel, MlirOperation load)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    MlirValue result = mlirOperationGetResult(load, 0);
    MlirType tile = mlirValueGetType(result), element = ir_element_type(tile);
    if (cpu_buffer_of(kernel, result))
        return true;
    struct layout_shape shape = cpu_shape(tile);
    struct cpu_nest nest;
    struct cpu_pull pull;
    cpu_nest_begin(kernel, &shape, &nest);
    struct cpu_view *view = cpu_pull_begin(kernel, &nest, &pull);
    LLVMValueRef value = cpu_pull_load(&pull, view, load);
    if (!value)
        return false;
    struct cpu_buffer *buffer = cpu_buffer_reserve(kernel, result);
    LLVMValueRef store = LLVMBuildStore(emitter->builder, emit_to_memory(emitter, element, value),
        cpu_buffer_pointer(&pull, view, buffer, tile));
    cpu_nest_mark_access(kernel, &nest, store);
    cpu_nest_end(kernel, &nest);
    return true;
}

/* In program order; the loads that `consumer` alone needs are left. */
static bool make_loads_needed_beyond(struct cpu_kernel *kernel, MlirOperation consumer)
{
    for (size_t i = 0; i < kernel->pending_count; i++)
        if (cpu_load_needed_beyond(kernel, kernel->pending[i], consumer) &&
            !make_load(kernel, kernel->pending[i]))
            return false;
    return true;
}

bool cpu_flush_pending(struct cpu_kernel *kernel)
{
    bool done = make_loads_needed_beyond(kernel, (MlirOperation){NULL});
    kernel->pending_count = 0;
    return done;
}

static bool lower_scalar_load(struct cpu_kernel *kernel, MlirOperation op);

bool cpu_lower_load(struct cpu_kernel *kernel, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    if (!ir_is_tile(mlirValueGetType(result)))
        return lower_scalar_load(kernel, op);
    if (ir_bool_attribute(op, "isVolatile"))
        return make_load(kernel, op);
    kernel->pending[kernel->pending_count++] = op;
    return true;
}

/* ---- Stores of tiles ------------------------------------------------------------------------- */

/* A store, and the loads that its nest may make itself. */
struct store {
    MlirOperation op;
    struct memory_access access;
    struct cpu_needs loads;
    struct cpu_affine_session session;
    struct pointer_map addresses; /* of the loads and of the store: struct cpu_affine */
    bool is_linear;               /* all of them have one */
    LLVMValueRef independent;     /* i1, NULL: always */
    LLVMValueRef all_true;        /* i1: every mask is true throughout; NULL: not known */
};

/* The addresses of an access; NULL in `address` where they are not linear. */
static struct cpu_access describe_access(struct store *store, MlirOperation op)
{
    struct memory_access access = ir_memory_access(op);
    return (struct cpu_access){
        .address = cpu_affine_of(&store->session, access.pointer),
        .size = emit_memory_size(access.element),
    };
}

/* A step along the last dimension that is unknown yet is an element in nearly all programs, as
 * where strides are arguments. Then it may as well be known: neighbouring elements make vectors. */
static void assume_neighbours(struct cpu_kernel *kernel, struct cpu_access *access)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    unsigned last = access->address->shape.rank - 1;
    LLVMValueRef step = access->address->coefficient[last];
    if (!step || LLVMIsAConstantInt(step))
        return;
    struct cpu_affine *assumed = arena_new(emitter->arena, struct cpu_affine);
    *assumed = *access->address;
    assumed->coefficient[last] = emit_i64(emitter, access->size);
    assumed->has_range = false;
    LLVMValueRef holds = algebra_compare(emitter, LLVMIntEQ, step, assumed->coefficient[last]);
    assumed->valid = algebra_and(emitter, assumed->valid, holds);
    access->address = assumed;
}

/* Finds out whether the loads may be pulled into the store's nest. */
static void check_independence(struct cpu_kernel *kernel, struct store *store)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct cpu_access of_store = describe_access(store, store->op);
    store->is_linear = of_store.address != NULL;
    if (!store->is_linear)
        return;
    assume_neighbours(kernel, &of_store);
    pointer_map_set(&store->addresses, store->op.ptr, of_store.address);
    store->independent = of_store.address->valid;
    for (size_t i = 0; i < store->loads.count; i++) {
        const struct cpu_need *need = &store->loads.list[i];
        struct cpu_access of_load = describe_access(store, need->load);
        if (need->same_index)
            assume_neighbours(kernel, &of_load);
        pointer_map_set(&store->addresses, need->load.ptr, of_load.address);
        LLVMValueRef apart = cpu_access_independent(emitter, of_load, of_store, need->same_index);
        store->independent = algebra_and(emitter, store->independent, apart);
    }
}

static bool add_mask(struct cpu_kernel *kernel, struct store *store, MlirOperation op)
{
    MlirValue mask = ir_memory_access(op).mask;
    if (mlirValueIsNull(mask))
        return true;
    LLVMValueRef all_true = cpu_all_true(&store->session, mask);
    if (!all_true)
        return false;
    store->all_true = algebra_and(&kernel->lowering.emitter, store->all_true, all_true);
    return true;
}

static void check_masks(struct cpu_kernel *kernel, struct store *store)
{
    bool is_known = add_mask(kernel, store, store->op);
    for (size_t i = 0; i < store->loads.count && is_known; i++)
        is_known = add_mask(kernel, store, store->loads.list[i].load);
    if (!is_known)
        store->all_true = NULL;
}

static void emit_store_if(
    struct cpu_kernel *kernel, LLVMBasicBlockRef *out_after, LLVMValueRef mask)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBasicBlockRef write = emit_new_block(emitter, "write");
    *out_after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, mask, write, *out_after);
    emit_at_end_of(emitter, write);
}

/* Stores the element at the view's index; everything it depends on comes before the branch. */
static bool store_element(struct cpu_pull *pull, struct cpu_view *view, const struct store *store)
{
    struct cpu_kernel *kernel = pull->kernel;
    struct emitter *emitter = &kernel->lowering.emitter;
    const struct memory_access *access = &store->access;
    LLVMValueRef pointer = cpu_pull_pointer(pull, view, store->op, access->pointer);
    LLVMValueRef value = cpu_pull_element(pull, view, access->value);
    bool always;
    LLVMValueRef mask = cpu_pull_mask(pull, view, access->mask, &always);
    if (!pointer || !value || (!mask && !always))
        return false;
    value = emit_to_memory(emitter, access->element, value);
    LLVMBasicBlockRef after = NULL;
    if (mask)
        emit_store_if(kernel, &after, mask);
    LLVMValueRef written = LLVMBuildStore(emitter->builder, value, pointer);
    cpu_nest_mark_access(kernel, pull->nest, written);
    if (mask) {
        LLVMBuildBr(emitter->builder, after);
        emit_at_end_of(emitter, after);
    }
    return true;
}

static bool emit_nest(
    struct cpu_kernel *kernel, const struct store *store, bool linear, bool unmasked)
{
    struct layout_shape shape = cpu_shape(mlirValueGetType(store->access.pointer));
    struct cpu_nest nest;
    struct cpu_pull pull;
    cpu_nest_begin(kernel, &shape, &nest);
    struct cpu_view *view = cpu_pull_begin(kernel, &nest, &pull);
    pull.addresses = linear ? &store->addresses : NULL;
    pull.unmasked = unmasked;
    if (!store_element(&pull, view, store))
        return false;
    cpu_nest_end(kernel, &nest);
    return true;
}

/* The nest that makes the loads itself: without masks where they are all true. */
static bool emit_pulled(struct cpu_kernel *kernel, const struct store *store)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    if (!store->all_true)
        return emit_nest(kernel, store, true, false);
    LLVMBasicBlockRef full = emit_new_block(emitter, "full");
    LLVMBasicBlockRef partial = emit_new_block(emitter, "partial");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, store->all_true, full, partial);
    emit_at_end_of(emitter, full);
    if (!emit_nest(kernel, store, true, true))
        return false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, partial);
    if (!emit_nest(kernel, store, true, false))
        return false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, after);
    return true;
}

/* The loads fill buffers, then the nest reads those. */
static bool emit_buffered(struct cpu_kernel *kernel, const struct store *store)
{
    for (size_t i = 0; i < store->loads.count; i++)
        if (!make_load(kernel, store->loads.list[i].load))
            return false;
    return emit_nest(kernel, store, false, false);
}

/* Both, and a branch between. The buffers hold the loads on one of the ways only, so they are
 * forgotten after it: nobody else needs these loads. */
static bool emit_either(struct cpu_kernel *kernel, const struct store *store)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBasicBlockRef apart = emit_new_block(emitter, "apart");
    LLVMBasicBlockRef meeting = emit_new_block(emitter, "meeting");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, store->independent, apart, meeting);
    emit_at_end_of(emitter, apart);
    if (!emit_pulled(kernel, store))
        return false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, meeting);
    kernel->in_rare_code = true;
    bool done = emit_buffered(kernel, store);
    kernel->in_rare_code = false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, after);
    return done;
}

/* Loads through pointers that were loaded themselves, and the like, go to buffers first; that may
 * leave fewer loads for the nest. */
static bool make_scattered_loads(struct cpu_kernel *kernel, struct store *store)
{
    for (bool again = true; again;) {
        again = false;
        store->loads = cpu_loads_needed_by(kernel, store->op);
        for (size_t i = 0; i < store->loads.count; i++) {
            if (describe_access(store, store->loads.list[i].load).address)
                continue;
            if (!make_load(kernel, store->loads.list[i].load))
                return false;
            again = true;
        }
    }
    return true;
}

static bool lower_tile_store(struct cpu_kernel *kernel, MlirOperation op)
{
    struct store store = {.op = op, .access = ir_memory_access(op)};
    cpu_affine_begin(kernel, &store.session);
    pointer_map_init(&store.addresses, kernel->lowering.emitter.arena);
    if (!emit_memory_type(&kernel->lowering.emitter, store.access.element))
        return ir_error_not_built(op, "of this element type");
    if (!make_loads_needed_beyond(kernel, op) || !make_scattered_loads(kernel, &store))
        return false;
    check_independence(kernel, &store);
    check_masks(kernel, &store);
    bool done;
    if (!store.is_linear)
        done = emit_buffered(kernel, &store);
    else if (!store.independent)
        done = emit_pulled(kernel, &store);
    else
        done = emit_either(kernel, &store);
    kernel->pending_count = 0;
    return done;
}

/* ---- Scalars --------------------------------------------------------------------------------- */

static LLVMValueRef scalar_or_null(struct cpu_kernel *kernel, MlirValue value)
{
    return mlirValueIsNull(value) ? NULL : lowering_get_scalar(&kernel->lowering, value);
}

static bool lower_scalar_load(struct cpu_kernel *kernel, MlirOperation op)
{
    struct cpu_nest nest = {.shape.rank = 0};
    struct cpu_pull pull;
    struct cpu_view *view = cpu_pull_begin(kernel, &nest, &pull);
    LLVMValueRef value = cpu_pull_load(&pull, view, op);
    if (!value)
        return false;
    lowering_set_scalar(&kernel->lowering, mlirOperationGetResult(op, 0), value);
    return true;
}

static bool lower_scalar_store(struct cpu_kernel *kernel, MlirOperation op)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct memory_access access = ir_memory_access(op);
    if (!emit_memory_type(emitter, access.element))
        return ir_error_not_built(op, "of this element type");
    if (!cpu_flush_pending(kernel))
        return false;
    LLVMValueRef mask = scalar_or_null(kernel, access.mask);
    LLVMValueRef pointer = scalar_or_null(kernel, access.pointer);
    LLVMValueRef value =
        emit_to_memory(emitter, access.element, scalar_or_null(kernel, access.value));
    LLVMBasicBlockRef after = NULL;
    if (mask)
        emit_store_if(kernel, &after, mask);
    LLVMBuildStore(emitter->builder, value, pointer);
    if (mask) {
        LLVMBuildBr(emitter->builder, after);
        emit_at_end_of(emitter, after);
    }
    return true;
}

bool cpu_lower_store(struct cpu_kernel *kernel, MlirOperation op)
{
    bool is_tile = ir_is_tile(mlirValueGetType(mlirOperationGetOperand(op, 0)));
    return is_tile ? lower_tile_store(kernel, op) : lower_scalar_store(kernel, op);
}
