/* See uses.h: two walks over the graph of values, one towards operands and one towards uses. */
#include "codegen/cpu/uses.h"

#include "codegen/cpu/arguments.h"
#include "codegen/cpu/pending.h"

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

typedef bool wanted_function(const struct cpu_kernel *kernel, MlirValue value);

static bool is_buffered(const struct cpu_kernel *kernel, MlirValue value)
{
    return cpu_buffer_of(kernel, value) != NULL;
}

struct search {
    struct cpu_kernel *kernel;
    wanted_function *wanted;
    struct walk same, moved;
    struct cpu_need *list;
    size_t count, capacity;
};

static void add_need(struct search *search, MlirValue value, bool same_index)
{
    for (size_t i = 0; i < search->count; i++) {
        if (!mlirValueEqual(search->list[i].value, value))
            continue;
        search->list[i].same_index &= same_index;
        return;
    }
    if (search->count == search->capacity) {
        size_t capacity = search->capacity ? 2 * search->capacity : 8;
        struct cpu_need *list = arena_array(search->same.arena, struct cpu_need, capacity);
        for (size_t i = 0; i < search->count; i++)
            list[i] = search->list[i];
        search->list = list;
        search->capacity = capacity;
    }
    search->list[search->count++] = (struct cpu_need){value, same_index};
}

static bool keeps_index(MlirOperation op)
{
    return op_id_of(op) == OP_TT_LOAD || ir_is_elementwise(op);
}

/* Goes on from one value. What is met behind an operation that changes the index goes to `moved`,
 * to be looked at afterwards. */
static void look_at(struct search *search, struct walk *from, MlirValue value)
{
    struct cpu_kernel *kernel = search->kernel;
    if (!ir_is_tile(mlirValueGetType(value)))
        return;
    if (search->wanted(kernel, value))
        add_need(search, value, from == &search->same);
    if (cpu_buffer_of(kernel, value))
        return;
    const struct cpu_argument *argument = cpu_argument_of(kernel, value);
    if (argument)
        walk_add(from, argument->base);
    if (!mlirValueIsAOpResult(value))
        return;
    MlirOperation owner = mlirOpResultGetOwner(value);
    add_operands(keeps_index(owner) ? from : &search->moved, owner);
}

static struct cpu_needs run_search(
    struct cpu_kernel *kernel, wanted_function *wanted, const MlirValue *values, size_t count)
{
    struct search search = {.kernel = kernel, .wanted = wanted};
    walk_init(&search.same, kernel->lowering.emitter.arena);
    walk_init(&search.moved, kernel->lowering.emitter.arena);
    for (size_t i = 0; i < count; i++)
        walk_add(&search.same, values[i]);
    for (MlirValue value; walk_next(&search.same, &value);)
        look_at(&search, &search.same, value);
    for (MlirValue value; walk_next(&search.moved, &value);)
        look_at(&search, &search.moved, value);
    return (struct cpu_needs){search.list, search.count};
}

struct cpu_needs cpu_needs_of(struct cpu_kernel *kernel, const MlirValue *values, size_t count)
{
    return run_search(kernel, cpu_is_pending, values, count);
}

struct cpu_needs cpu_buffered_behind(struct cpu_kernel *kernel, MlirValue value)
{
    return run_search(kernel, is_buffered, &value, 1);
}

/* ---- Towards uses ---------------------------------------------------------------------------- */

static void add_results(struct walk *walk, MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        walk_add(walk, mlirOperationGetResult(op, i));
}

/* A scalar that is known has taken what it needed, and so has a tile that lies in a buffer, or will
 * when the nest in question has run. */
static bool was_made(
    const struct cpu_kernel *kernel, MlirOperation op, const struct pointer_map *filled)
{
    if (mlirOperationGetNumResults(op) == 0)
        return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (!cpu_buffer_of(kernel, result) && !lowering_get(&kernel->lowering, result) &&
            !(filled && pointer_map_get(filled, result.ptr)))
            return false;
    }
    return true;
}

static bool computes_later(const struct cpu_kernel *kernel, MlirOperation user)
{
    if (cpu_is_pulled(user))
        return true;
    return op_id_of(user) == OP_TT_LOAD && cpu_is_pending(kernel, mlirOperationGetResult(user, 0));
}

bool cpu_needed_beyond(struct cpu_kernel *kernel, MlirValue value, MlirOperation consumer,
    const struct pointer_map *filled)
{
    struct walk walk;
    walk_init(&walk, kernel->lowering.emitter.arena);
    walk_add(&walk, value);
    for (MlirValue next; walk_next(&walk, &next);) {
        for (MlirOpOperand use = mlirValueGetFirstUse(next); !mlirOpOperandIsNull(use);
            use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            MlirValue name;
            if (was_made(kernel, user, filled))
                continue;
            if (ir_is_terminator(user) && cpu_use_is_renaming(kernel, use, &name))
                walk_add(&walk, name);
            else if (computes_later(kernel, user))
                add_results(&walk, user);
            else if (!mlirOperationEqual(user, consumer))
                return true;
        }
    }
    return false;
}

static void add_user(struct cpu_users *users, arena *arena, MlirOperation user)
{
    for (size_t i = 0; i < users->count; i++)
        if (mlirOperationEqual(users->list[i], user))
            return;
    if (users->count == users->capacity) {
        users->capacity = users->capacity ? 2 * users->capacity : 8;
        MlirOperation *list = arena_array(arena, MlirOperation, users->capacity);
        for (size_t i = 0; i < users->count; i++)
            list[i] = users->list[i];
        users->list = list;
    }
    users->list[users->count++] = user;
}

static bool is_tile_load(MlirOperation op)
{
    return op_id_of(op) == OP_TT_LOAD && !ir_bool_attribute(op, "isVolatile") &&
           ir_is_tile(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

struct cpu_users cpu_users_of(struct cpu_kernel *kernel, MlirValue value)
{
    struct cpu_users users = {0};
    struct walk walk;
    walk_init(&walk, kernel->lowering.emitter.arena);
    walk_add(&walk, value);
    for (MlirValue next; walk_next(&walk, &next);) {
        for (MlirOpOperand use = mlirValueGetFirstUse(next); !mlirOpOperandIsNull(use);
            use = mlirOpOperandGetNextUse(use)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            MlirValue name;
            bool computes = cpu_is_pulled(user) || is_tile_load(user);
            if (ir_is_terminator(user) && cpu_use_is_renaming(kernel, use, &name))
                walk_add(&walk, name);
            else if (computes && !was_made(kernel, user, NULL))
                add_results(&walk, user);
            else
                add_user(&users, walk.arena, user);
        }
    }
    return users;
}
