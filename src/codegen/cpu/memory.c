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
 * A nest that fills a buffer or reduces writes to no memory of the user's, so pending loads may be
 * pulled into it freely. Volatile loads are made where they stand, and for a debugger
 * all loads.
 */
#include "codegen/cpu/algebra.h"
#include "codegen/cpu/loops.h"
#include "codegen/cpu/pending.h"
#include "codegen/cpu/root.h"

/* ---- Loads of tiles -------------------------------------------------------------------------- */

static bool lower_scalar_load(struct cpu_kernel *kernel, MlirOperation op);

bool cpu_lower_load(struct cpu_kernel *kernel, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    if (!ir_is_tile(mlirValueGetType(result)))
        return lower_scalar_load(kernel, op);
    cpu_pending_add(kernel, result);
    bool stands = ir_bool_attribute(op, "isVolatile") || kernel->lowering.emitter.debug;
    return !stands || cpu_make(kernel, result);
}

/* ---- Stores of tiles ------------------------------------------------------------------------- */

struct store {
    MlirOperation op;
    struct memory_access access;
    struct cpu_root root;
    bool is_linear;           /* the store and all of its loads */
    LLVMValueRef independent; /* i1: the nest may make the loads; NULL: always */
};

/* The addresses of an access; NULL in `address` where they are not linear. */
static struct cpu_access describe_access(struct store *store, MlirOperation op)
{
    struct memory_access access = ir_memory_access(op);
    return (struct cpu_access){
        .address = cpu_affine_of(&store->root.session, access.pointer),
        .size = emit_memory_size(access.element),
    };
}

static void assume_neighbours(struct cpu_kernel *kernel, struct cpu_access *access)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef holds;
    struct cpu_affine *assumed =
        cpu_affine_of_neighbours(emitter, access->address, access->size, &holds);
    if (holds)
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
    pointer_map_set(&store->root.addresses, store->op.ptr, of_store.address);
    store->independent = of_store.address->valid;
    for (size_t i = 0; i < store->root.loads.count; i++) {
        const struct cpu_need *need = &store->root.loads.list[i];
        MlirOperation load = mlirOpResultGetOwner(need->value);
        struct cpu_access of_load = describe_access(store, load);
        if (need->same_index)
            assume_neighbours(kernel, &of_load);
        pointer_map_set(&store->root.addresses, load.ptr, of_load.address);
        LLVMValueRef apart = cpu_access_independent(emitter, of_load, of_store, need->same_index);
        store->independent = algebra_and(emitter, store->independent, apart);
    }
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
static bool store_element(
    struct cpu_pull *pull, struct cpu_view *view, const LLVMValueRef *turn, void *user)
{
    const struct store *store = user;
    struct cpu_kernel *kernel = pull->kernel;
    struct emitter *emitter = &kernel->lowering.emitter;
    const struct memory_access *access = &store->access;
    LLVMValueRef pointer = cpu_pull_pointer(pull, view, store->op, access->pointer);
    LLVMValueRef value = cpu_pull_element(pull, view, access->value);
    bool always;
    (void)turn;
    LLVMValueRef mask = cpu_pull_mask(pull, view, access->mask, &always);
    if (!pointer || !value || (!mask && !always))
        return false;
    if (!always && emit_is_false(mask))
        return true;
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

/* Where the mask is false there is nothing to do but to keep what is kept. */
static bool emit_nest(struct cpu_kernel *kernel, const struct cpu_version *version, void *user)
{
    const struct store *store = user;
    struct cpu_loops loops = cpu_loops_over(&store->root.shape);
    if (store->root.fills.count == 0)
        loops.skipped_by = store->access.mask;
    return cpu_loops_emit(kernel, version, &loops, store_element, user);
}

/* The loads fill buffers, then the nest reads those. */
static bool emit_buffered(struct cpu_kernel *kernel, struct store *store)
{
    struct cpu_version version = cpu_root_version(&store->root, false, false);
    for (size_t i = 0; i < store->root.loads.count; i++)
        if (!cpu_make(kernel, store->root.loads.list[i].value))
            return false;
    return emit_nest(kernel, &version, store);
}

/* Both, and a branch between. The buffers hold the loads on one of the ways only, so they are
 * forgotten after it: nobody else needs these loads. */
static bool emit_either(struct cpu_kernel *kernel, struct store *store)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBasicBlockRef apart = emit_new_block(emitter, "apart");
    LLVMBasicBlockRef meeting = emit_new_block(emitter, "meeting");
    LLVMBasicBlockRef after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, store->independent, apart, meeting);
    emit_at_end_of(emitter, apart);
    if (!cpu_root_emit_linear(&store->root, emit_nest, store))
        return false;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, meeting);
    bool was_rare = kernel->in_rare_code;
    kernel->in_rare_code = true;
    bool done = emit_buffered(kernel, store);
    kernel->in_rare_code = was_rare;
    LLVMBuildBr(emitter->builder, after);
    emit_at_end_of(emitter, after);
    return done;
}

/* Loads through pointers that were loaded themselves, and the like, go to buffers first; that may
 * leave fewer loads for the nest. */
static bool make_scattered_loads(struct cpu_kernel *kernel, const MlirValue *values, size_t count)
{
    struct cpu_affine_session session;
    cpu_affine_begin(kernel, &session);
    for (bool again = true; again;) {
        struct cpu_needs needs = cpu_needs_of(kernel, values, count);
        again = false;
        for (size_t i = 0; i < needs.count; i++) {
            MlirValue value = needs.list[i].value;
            if (!cpu_is_load(value) || cpu_buffer_of(kernel, value) ||
                cpu_affine_of(&session, ir_memory_access(mlirOpResultGetOwner(value)).pointer))
                continue;
            if (!cpu_make(kernel, value))
                return false;
            again = true;
        }
    }
    return true;
}

/* Leaves to the store's nest what it alone needs, or keeps by the way. */
static bool make_what_others_need(struct cpu_kernel *kernel, MlirOperation op,
    const MlirValue *values, size_t count, const struct layout_shape *shape)
{
    struct pointer_map fills = cpu_root_would_fill(kernel, values, count, shape);
    return cpu_pending_make_needed_beyond(kernel, op, &fills) &&
           make_scattered_loads(kernel, values, count);
}

static bool emit_store(struct cpu_kernel *kernel, struct store *store)
{
    cpu_root_describe(&store->root);
    check_independence(kernel, store);
    cpu_root_add_mask(&store->root, store->access.mask);
    if (!store->is_linear)
        return emit_buffered(kernel, store);
    if (!store->independent)
        return cpu_root_emit_linear(&store->root, emit_nest, store);
    return emit_either(kernel, store);
}

static bool lower_tile_store(struct cpu_kernel *kernel, MlirOperation op)
{
    struct store store = {.op = op, .access = ir_memory_access(op)};
    MlirValue values[3];
    size_t count = (size_t)mlirOperationGetNumOperands(op);
    for (size_t i = 0; i < count; i++)
        values[i] = mlirOperationGetOperand(op, (intptr_t)i);
    struct layout_shape shape = cpu_shape(mlirValueGetType(store.access.pointer));
    if (!emit_memory_type(&kernel->lowering.emitter, store.access.element))
        return ir_error_not_built(op, "of this element type");
    if (!make_what_others_need(kernel, op, values, count, &shape) ||
        !cpu_root_begin(kernel, values, count, &shape, &store.root) || !emit_store(kernel, &store))
        return false;
    cpu_root_end(&store.root);
    kernel->pending->count = 0;
    return true;
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
    struct cpu_view *view = cpu_pull_begin(kernel, &nest, NULL, &pull);
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
    if (!cpu_pending_flush(kernel))
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
