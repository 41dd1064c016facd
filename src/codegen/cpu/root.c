/* See root.h. */
#include "codegen/cpu/root.h"

#include "codegen/cpu/algebra.h"
#include "codegen/cpu/loops.h"
#include "codegen/cpu/pending.h"

/* ---- What is kept by the way ----------------------------------------------------------------- */

static bool can_fill(
    struct cpu_kernel *kernel, const struct cpu_need *need, const struct layout_shape *shape)
{
    struct layout_shape tile = cpu_shape(mlirValueGetType(need->value));
    return pointer_map_get(&kernel->kept, need->value.ptr) && need->same_index &&
           layout_shape_equal(&tile, shape);
}

struct pointer_map cpu_root_would_fill(struct cpu_kernel *kernel, const MlirValue *values,
    size_t count, const struct layout_shape *shape)
{
    struct pointer_map fills;
    pointer_map_init(&fills, kernel->lowering.emitter.arena);
    struct cpu_needs needs = cpu_needs_of(kernel, values, count);
    for (size_t i = 0; i < needs.count; i++) {
        MlirValue value = needs.list[i].value;
        if (!cpu_buffer_of(kernel, value) && can_fill(kernel, &needs.list[i], shape))
            pointer_map_set(&fills, value.ptr, kernel);
    }
    return fills;
}

/* In program order, so that what is made first can be read by what is made later. */
static bool make_first_other(struct cpu_root *root, bool *out_made)
{
    struct cpu_kernel *kernel = root->kernel;
    struct cpu_needs needs = cpu_needs_of(kernel, root->values, root->value_count);
    *out_made = false;
    for (size_t p = 0; p < kernel->pending->count; p++) {
        MlirValue pending = kernel->pending->list[p];
        if (!pointer_map_get(&kernel->kept, pending.ptr) || cpu_buffer_of(kernel, pending))
            continue;
        for (size_t i = 0; i < needs.count; i++) {
            if (!mlirValueEqual(needs.list[i].value, pending) ||
                can_fill(kernel, &needs.list[i], &root->shape))
                continue;
            *out_made = true;
            return cpu_make(kernel, pending);
        }
    }
    return true;
}

/* What is left: loads to be made in the nest, and tiles to be kept. */
static void sort_needs(struct cpu_root *root)
{
    struct cpu_kernel *kernel = root->kernel;
    arena *arena = kernel->lowering.emitter.arena;
    struct cpu_needs needs = cpu_needs_of(kernel, root->values, root->value_count);
    root->loads.list = arena_array(arena, struct cpu_need, needs.count);
    for (size_t i = 0; i < needs.count; i++) {
        MlirValue value = needs.list[i].value;
        if (cpu_buffer_of(kernel, value))
            continue;
        if (cpu_is_load(value))
            root->loads.list[root->loads.count++] = needs.list[i];
        if (pointer_map_get(&kernel->kept, value.ptr)) {
            MlirType element = ir_element_type(mlirValueGetType(value));
            uint64_t elements = UINT64_C(1) << layout_shape_total_bits(&root->shape);
            pointer_map_set(&root->fills, value.ptr, cpu_buffer_make(kernel, element, elements));
        }
    }
}

static void init(struct cpu_kernel *kernel, const MlirValue *values, size_t count,
    const struct layout_shape *shape, struct cpu_root *root)
{
    arena *arena = kernel->lowering.emitter.arena;
    *root = (struct cpu_root){
        .kernel = kernel, .values = values, .value_count = count, .shape = *shape};
    pointer_map_init(&root->fills, arena);
    pointer_map_init(&root->addresses, arena);
    pointer_map_init(&root->near, arena);
    cpu_affine_begin(kernel, &root->session);
}

bool cpu_root_begin(struct cpu_kernel *kernel, const MlirValue *values, size_t count,
    const struct layout_shape *shape, struct cpu_root *out_root)
{
    init(kernel, values, count, shape, out_root);
    for (bool again = true; again;)
        if (!make_first_other(out_root, &again))
            return false;
    sort_needs(out_root);
    return true;
}

void cpu_root_end(struct cpu_root *root)
{
    struct cpu_kernel *kernel = root->kernel;
    for (size_t i = 0; i < kernel->pending->count; i++) {
        MlirValue value = kernel->pending->list[i];
        struct cpu_buffer *buffer = pointer_map_get(&root->fills, value.ptr);
        if (buffer)
            cpu_buffer_set(kernel, value, buffer);
    }
}

/* ---- Versions -------------------------------------------------------------------------------- */

static void add_address(struct cpu_root *root, MlirOperation load)
{
    struct emitter *emitter = &root->kernel->lowering.emitter;
    struct memory_access access = ir_memory_access(load);
    struct cpu_affine *form = cpu_affine_of(&root->session, access.pointer);
    LLVMValueRef is_near;
    if (!form)
        return;
    pointer_map_set(&root->addresses, load.ptr, form);
    root->valid = algebra_and(emitter, root->valid, form->valid);
    unsigned size = emit_memory_size(access.element);
    pointer_map_set(&root->near, load.ptr, cpu_affine_of_neighbours(emitter, form, size, &is_near));
    root->is_near = algebra_and(emitter, root->is_near, is_near);
}

void cpu_root_add_mask(struct cpu_root *root, MlirValue mask)
{
    if (mlirValueIsNull(mask))
        return;
    LLVMValueRef all_true = cpu_all_true(&root->session, mask);
    root->masks_known &= all_true != NULL;
    root->masks.list[root->masks.count++] = mask;
    root->all_true = root->masks_known
                         ? algebra_and(&root->kernel->lowering.emitter, root->all_true, all_true)
                         : NULL;
}

void cpu_root_describe(struct cpu_root *root)
{
    arena *arena = root->kernel->lowering.emitter.arena;
    size_t count = root->loads.count;
    root->masks.session = &root->session;
    root->masks.list = arena_array(arena, MlirValue, count + 1); /* and a store's */
    root->masks_known = root->masks_follow = true;
    for (size_t i = 0; i < count; i++)
        add_address(root, mlirOpResultGetOwner(root->loads.list[i].value));
    for (size_t i = 0; i < count; i++) {
        MlirOperation load = mlirOpResultGetOwner(root->loads.list[i].value);
        MlirValue mask = ir_memory_access(load).mask;
        root->masks_follow &= root->loads.list[i].same_index || mlirValueIsNull(mask);
        cpu_root_add_mask(root, mask);
    }
}

struct cpu_version cpu_root_version(const struct cpu_root *root, bool linear, bool masks_are_true)
{
    bool can_ask = root->masks_known && root->masks_follow && root->masks.count > 0;
    return (struct cpu_version){
        .addresses = linear ? &root->addresses : NULL,
        .fills = &root->fills,
        .masks = &root->masks,
        .state = masks_are_true ? CPU_MASKS_TRUE : CPU_MASKS_UNKNOWN,
        .asks = linear && can_ask,
    };
}

/* if (condition) yes(); else no(); with the builder behind. */
struct branch {
    LLVMBasicBlockRef no, after;
};

static struct branch begin_branch(struct emitter *emitter, LLVMValueRef condition)
{
    LLVMBasicBlockRef yes = emit_new_block(emitter, "");
    struct branch branch = {emit_new_block(emitter, ""), emit_new_block(emitter, "")};
    LLVMBuildCondBr(emitter->builder, condition, yes, branch.no);
    emit_at_end_of(emitter, yes);
    return branch;
}

static void begin_other(struct emitter *emitter, const struct branch *branch)
{
    LLVMBuildBr(emitter->builder, branch->after);
    emit_at_end_of(emitter, branch->no);
}

static void end_branch(struct emitter *emitter, const struct branch *branch)
{
    LLVMBuildBr(emitter->builder, branch->after);
    emit_at_end_of(emitter, branch->after);
}

bool cpu_root_emit_linear(struct cpu_root *root, cpu_root_body *body, void *user)
{
    struct emitter *emitter = &root->kernel->lowering.emitter;
    struct cpu_version full = cpu_root_version(root, true, true);
    struct cpu_version partial = cpu_root_version(root, true, false);
    if (!root->all_true)
        return body(root->kernel, &partial, user);
    struct branch branch = begin_branch(emitter, root->all_true);
    if (!body(root->kernel, &full, user))
        return false;
    begin_other(emitter, &branch);
    if (!body(root->kernel, &partial, user))
        return false;
    end_branch(emitter, &branch);
    return true;
}

static bool emit_rare(
    struct cpu_root *root, struct cpu_version version, cpu_root_body *body, void *user)
{
    struct cpu_kernel *kernel = root->kernel;
    bool was_rare = kernel->in_rare_code;
    kernel->in_rare_code = true;
    version.asks = false;
    bool done = body(kernel, &version, user);
    kernel->in_rare_code = was_rare;
    return done;
}

static bool emit_near_or_far(struct cpu_root *root, cpu_root_body *body, void *user)
{
    struct emitter *emitter = &root->kernel->lowering.emitter;
    if (!root->is_near)
        return cpu_root_emit_linear(root, body, user);
    struct branch branch = begin_branch(emitter, root->is_near);
    struct pointer_map far = root->addresses;
    root->addresses = root->near;
    bool done = cpu_root_emit_linear(root, body, user);
    root->addresses = far;
    if (!done)
        return false;
    begin_other(emitter, &branch);
    done = emit_rare(root, cpu_root_version(root, true, false), body, user);
    end_branch(emitter, &branch);
    return done;
}

bool cpu_root_emit(struct cpu_root *root, cpu_root_body *body, void *user)
{
    struct emitter *emitter = &root->kernel->lowering.emitter;
    cpu_root_describe(root);
    if (!root->valid) {
        bool done = emit_near_or_far(root, body, user);
        cpu_root_end(root);
        return done;
    }
    struct branch branch = begin_branch(emitter, root->valid);
    if (!emit_near_or_far(root, body, user))
        return false;
    begin_other(emitter, &branch);
    bool done = emit_rare(root, cpu_root_version(root, false, false), body, user);
    end_branch(emitter, &branch);
    cpu_root_end(root);
    return done;
}

/* ---- Filling buffers ------------------------------------------------------------------------- */

struct filling {
    MlirValue tile;
    struct cpu_buffer *buffer; /* NULL: the tile is kept by the way */
};

static bool fill_leaf(
    struct cpu_pull *pull, struct cpu_view *view, const LLVMValueRef *turn, void *user)
{
    const struct filling *filling = user;
    LLVMValueRef element = cpu_pull_element(pull, view, filling->tile);
    (void)turn;
    if (element && filling->buffer)
        cpu_buffer_store(pull, view, filling->buffer, mlirValueGetType(filling->tile), element);
    return element != NULL;
}

static bool fill_body(struct cpu_kernel *kernel, const struct cpu_version *version, void *user)
{
    const struct filling *filling = user;
    struct layout_shape shape = cpu_shape(mlirValueGetType(filling->tile));
    struct cpu_loops loops = cpu_loops_over(&shape);
    return cpu_loops_emit(kernel, version, &loops, fill_leaf, user);
}

bool cpu_fill(struct cpu_kernel *kernel, MlirValue tile, struct cpu_buffer *buffer)
{
    struct layout_shape shape = cpu_shape(mlirValueGetType(tile));
    struct filling filling = {tile, buffer};
    struct cpu_root root;
    return cpu_root_begin(kernel, &tile, 1, &shape, &root) &&
           cpu_root_emit(&root, fill_body, &filling);
}

bool cpu_make(struct cpu_kernel *kernel, MlirValue tile)
{
    MlirType type = mlirValueGetType(tile);
    struct layout_shape shape = cpu_shape(type);
    struct filling filling = {tile, NULL};
    struct cpu_root root;
    if (cpu_buffer_of(kernel, tile))
        return true;
    if (!cpu_root_begin(kernel, &tile, 1, &shape, &root))
        return false;
    uint64_t elements = UINT64_C(1) << layout_shape_total_bits(&shape);
    if (!pointer_map_get(&root.fills, tile.ptr))
        filling.buffer = cpu_buffer_make(kernel, ir_element_type(type), elements);
    if (!cpu_root_emit(&root, fill_body, &filling))
        return false;
    if (filling.buffer)
        cpu_buffer_set(kernel, tile, filling.buffer);
    return true;
}
