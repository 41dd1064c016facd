/* See uses.h: two walks over the graph of values, one towards operands and one towards uses. */
#include "codegen/cpu/uses.h"

static bool is_pending(const struct cpu_kernel *kernel, MlirOperation op)
{
    for (size_t i = 0; i < kernel->pending_count; i++)
        if (mlirOperationEqual(kernel->pending[i], op))
            return true;
    return false;
}

/* A stack of values that are still to be looked at, each once. */
struct walk_item {
    struct walk_item *below;
    MlirValue value;
};

struct walk {
    arena *arena;
    struct pointer_map seen;
    struct walk_item *top;
};

static void walk_init(struct walk *walk, arena *arena)
{
    *walk = (struct walk){.arena = arena};
    pointer_map_init(&walk->seen, arena);
}

static void walk_add(struct walk *walk, MlirValue value)
{
    if (pointer_map_get(&walk->seen, value.ptr))
        return;
    struct walk_item *item = arena_new(walk->arena, struct walk_item);
    *item = (struct walk_item){walk->top, value};
    walk->top = item;
    pointer_map_set(&walk->seen, value.ptr, item);
}

/* False where nothing is left. */
static bool walk_next(struct walk *walk, MlirValue *out_value)
{
    if (!walk->top)
        return false;
    *out_value = walk->top->value;
    walk->top = walk->top->below;
    return true;
}

static void add_operands(struct walk *walk, MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        walk_add(walk, mlirOperationGetOperand(op, i));
}

/* ---- Towards operands ------------------------------------------------------------------------ */

static void add_need(struct cpu_needs *needs, MlirOperation load, bool same_index)
{
    for (size_t i = 0; i < needs->count; i++) {
        if (!mlirOperationEqual(needs->list[i].load, load))
            continue;
        needs->list[i].same_index &= same_index;
        return;
    }
    needs->list[needs->count++] = (struct cpu_need){load, same_index};
}

static bool keeps_index(MlirOperation op)
{
    return op_id_of(op) == OP_TT_LOAD || ir_is_elementwise(op);
}

/* Goes on from the values of `from`. What is met behind an operation that changes the index goes to
 * `moved`, to be looked at afterwards. */
static void collect(
    struct cpu_kernel *kernel, struct walk *from, struct walk *moved, struct cpu_needs *needs)
{
    for (MlirValue value; walk_next(from, &value);) {
        if (!mlirValueIsAOpResult(value) || !ir_is_tile(mlirValueGetType(value)) ||
            cpu_buffer_of(kernel, value))
            continue;
        MlirOperation owner = mlirOpResultGetOwner(value);
        if (is_pending(kernel, owner))
            add_need(needs, owner, from != moved);
        add_operands(keeps_index(owner) ? from : moved, owner);
    }
}

struct cpu_needs cpu_loads_needed_by(struct cpu_kernel *kernel, MlirOperation op)
{
    arena *arena = kernel->lowering.emitter.arena;
    struct cpu_needs needs = {arena_array(arena, struct cpu_need, kernel->pending_count), 0};
    struct walk same, moved;
    walk_init(&same, arena);
    walk_init(&moved, arena);
    add_operands(&same, op);
    collect(kernel, &same, &moved, &needs);
    collect(kernel, &moved, &moved, &needs);
    return needs;
}

/* ---- Towards uses ---------------------------------------------------------------------------- */

static void add_results(struct walk *walk, MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        walk_add(walk, mlirOperationGetResult(op, i));
}

/* A load that is in a buffer has been made, and has taken what it needed. */
static bool was_made(const struct cpu_kernel *kernel, MlirOperation op)
{
    return op_id_of(op) == OP_TT_LOAD && cpu_buffer_of(kernel, mlirOperationGetResult(op, 0));
}

bool cpu_load_needed_beyond(struct cpu_kernel *kernel, MlirOperation load, MlirOperation consumer)
{
    struct walk walk;
    walk_init(&walk, kernel->lowering.emitter.arena);
    add_results(&walk, load);
    for (MlirValue value; walk_next(&walk, &value);) {
        for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
            use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            if (cpu_is_pulled(user) || is_pending(kernel, user))
                add_results(&walk, user);
            else if (!mlirOperationEqual(user, consumer) && !was_made(kernel, user))
                return true;
        }
    }
    return false;
}
