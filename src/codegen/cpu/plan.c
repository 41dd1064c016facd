/* Which tiles are kept in buffers although they could be computed where they are needed.
 *
 * Pulling a tile into several nests computes it several times. That is right for offsets, masks and
 * a few sums, and wrong for an exponential: where the work is more than writing and reading a
 * buffer costs, the tile is kept. Needing it in a deeper loop than it belongs to, spread over a
 * larger tile, or both as it lies and with its elements moved, counts as several nests.
 *
 * Two passes: costs, from operands to results, and needs, from results to operands, which stop at
 * the tiles that were chosen on the way.
 */
#include "codegen/cpu/arguments.h"
#include "codegen/cpu/cpu.h"

/* What one element costs, in simple instructions. */
enum {
    COST_MOVE = 0,
    COST_SIMPLE = 1,
    COST_LOAD = 3,
    COST_NARROW = 6, /* to f16 or bf16 */
    COST_DIVISION = 8,
    COST_ROOT = 8,
    COST_FUNCTION = 20,

    WORTH_KEEPING = 8,
    WORTH_KEEPING_INTEGERS = 40, /* they are offsets, mostly, whose pattern a buffer would hide */
};

static const uint8_t costs[OP_ID_COUNT] = {
    [OP_ARITH_DIVF] = COST_DIVISION,
    [OP_ARITH_DIVSI] = COST_DIVISION,
    [OP_ARITH_DIVUI] = COST_DIVISION,
    [OP_ARITH_REMSI] = COST_DIVISION,
    [OP_ARITH_REMUI] = COST_DIVISION,
    [OP_ARITH_CEILDIVSI] = COST_DIVISION,
    [OP_ARITH_CEILDIVUI] = COST_DIVISION,
    [OP_ARITH_FLOORDIVSI] = COST_DIVISION,
    [OP_TT_PRECISE_DIVF] = COST_DIVISION,
    [OP_TT_PRECISE_SQRT] = COST_ROOT,
    [OP_MATH_SQRT] = COST_ROOT,
    [OP_MATH_RSQRT] = COST_ROOT,
    [OP_MATH_EXP] = COST_FUNCTION,
    [OP_MATH_EXP2] = COST_FUNCTION,
    [OP_MATH_LOG] = COST_FUNCTION,
    [OP_MATH_LOG2] = COST_FUNCTION,
    [OP_ARITH_TRUNCF] = COST_NARROW,
    [OP_TT_FP_TO_FP] = COST_NARROW,
    [OP_TT_LOAD] = COST_LOAD,
};

static bool costs_nothing(enum op_id id)
{
    switch (id) {
    case OP_ARITH_CONSTANT:
    case OP_TT_BROADCAST:
    case OP_TT_EXPAND_DIMS:
    case OP_TT_MAKE_RANGE:
    case OP_TT_RESHAPE:
    case OP_TT_SPLAT:
    case OP_TT_TRANS:
    case OP_UB_POISON:
        return true;
    default:
        return false;
    }
}

/* The nests that need a tile. */
struct need {
    void *only; /* the one operation; NULL: none so far */
    bool several;
};

struct plan {
    struct cpu_kernel *kernel;
    struct pointer_map costs; /* tile -> its cost plus one */
    struct pointer_map needs; /* tile -> struct need */
};

/* ---- Costs ----------------------------------------------------------------------------------- */

static uintptr_t cost_of(const struct plan *plan, MlirValue value)
{
    if (!ir_is_tile(mlirValueGetType(value)))
        return 0;
    uintptr_t known = (uintptr_t)pointer_map_get(&plan->costs, value.ptr);
    return known ? known - 1 : COST_SIMPLE; /* what lies in a buffer is read */
}

static void find_cost(struct plan *plan, MlirOperation op)
{
    enum { LARGEST = 1000 };
    enum op_id id = op_id_of(op);
    if (!cpu_is_pulled(op) && id != OP_TT_LOAD)
        return;
    uintptr_t cost = costs[id] ? costs[id] : costs_nothing(id) ? COST_MOVE : COST_SIMPLE;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && id != OP_TT_LOAD; i++)
        cost += cost_of(plan, mlirOperationGetOperand(op, i));
    if (cost > LARGEST)
        cost = LARGEST;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        pointer_map_set(
            &plan->costs, mlirOperationGetResult(op, i).ptr, (void *)(uintptr_t)(cost + 1));
}

/* ---- Needs ----------------------------------------------------------------------------------- */

static void add_need(struct need *need, void *nest, bool several)
{
    need->several |= several || (need->only && need->only != nest);
    need->only = nest;
}

static void add_needs_of(const struct plan *plan, struct need *need, MlirValue tile)
{
    const struct need *other = pointer_map_get(&plan->needs, tile.ptr);
    if (other && other->only)
        add_need(need, other->only, other->several);
}

static bool is_kept(const struct plan *plan, MlirOperation op)
{
    MlirValue result = mlirOperationGetResult(op, 0);
    return pointer_map_get(&plan->kernel->kept, result.ptr) != NULL;
}

static size_t block_of(const struct plan *plan, MlirOperation op)
{
    return cpu_graph_number(plan->kernel->graph, mlirOperationGetBlock(op));
}

static bool spreads(MlirOperation op)
{
    if (op_id_of(op) != OP_TT_BROADCAST)
        return false;
    struct layout_shape from = cpu_shape(mlirValueGetType(mlirOperationGetOperand(op, 0)));
    struct layout_shape to = cpu_shape(mlirValueGetType(mlirOperationGetResult(op, 0)));
    return !layout_shape_equal(&from, &to);
}

static void add_use(struct plan *plan, struct need *need, size_t block, MlirOpOperand use)
{
    const struct cpu_graph *graph = plan->kernel->graph;
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirValue name;
    if (ir_is_terminator(user) && cpu_use_is_renaming(plan->kernel, use, &name)) {
        add_needs_of(plan, need, name);
        return;
    }
    bool is_deeper = graph->depth[block_of(plan, user)] > graph->depth[block];
    bool computes = cpu_is_pulled(user) || op_id_of(user) == OP_TT_LOAD;
    if (!computes || is_kept(plan, user)) {
        add_need(need, user.ptr, is_deeper);
        return;
    }
    struct need through = {0};
    for (intptr_t i = 0; i < mlirOperationGetNumResults(user); i++)
        add_needs_of(plan, &through, mlirOperationGetResult(user, i));
    if (through.only)
        add_need(need, through.only, through.several || is_deeper || spreads(user));
}

/* Elements that come from other places: beside a use that takes them as they lie, each is computed
 * twice in one nest, and again for every such operation that follows. */
static bool moves_elements(MlirOperation op)
{
    return op_id_of(op) == OP_TT_TRANS || op_id_of(op) == OP_TT_RESHAPE;
}

static struct need *find_needs(struct plan *plan, size_t block, MlirValue tile)
{
    struct need *need = arena_new(plan->kernel->lowering.emitter.arena, struct need);
    unsigned uses = 0, moving = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use)) {
        add_use(plan, need, block, use);
        uses++;
        moving += moves_elements(mlirOpOperandGetOwner(use));
    }
    need->several |= uses > 1 && moving > 0;
    pointer_map_set(&plan->needs, tile.ptr, need);
    return need;
}

static bool is_worth_keeping(const struct plan *plan, MlirValue tile)
{
    MlirType element = ir_element_type(mlirValueGetType(tile));
    if (tt_type_is_pointer(element))
        return false;
    uintptr_t limit = ir_is_float(element) ? WORTH_KEEPING : WORTH_KEEPING_INTEGERS;
    return cost_of(plan, tile) >= limit;
}

static void choose(struct plan *plan, size_t block, MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        if (!ir_is_tile(mlirValueGetType(result)))
            continue;
        const struct need *need = find_needs(plan, block, result);
        if (cpu_is_pulled(op) && mlirOperationGetNumResults(op) == 1 && need->several &&
            is_worth_keeping(plan, result))
            pointer_map_set(&plan->kernel->kept, result.ptr, plan->kernel);
    }
}

static void choose_in_block(struct plan *plan, size_t number)
{
    arena *arena = plan->kernel->lowering.emitter.arena;
    MlirBlock block = plan->kernel->graph->blocks[number];
    size_t count = 0, at = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        count++;
    MlirOperation *list = arena_array(arena, MlirOperation, count);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        list[at++] = op;
    while (at > 0)
        choose(plan, number, list[--at]);
    for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++) {
        MlirValue argument = mlirBlockGetArgument(block, a);
        if (ir_is_tile(mlirValueGetType(argument)))
            find_needs(plan, number, argument);
    }
}

void cpu_plan(struct cpu_kernel *kernel)
{
    const struct cpu_graph *graph = kernel->graph;
    struct plan plan = {.kernel = kernel};
    pointer_map_init(&plan.costs, kernel->lowering.emitter.arena);
    pointer_map_init(&plan.needs, kernel->lowering.emitter.arena);
    for (size_t i = 0; i < graph->count; i++)
        for (MlirOperation op = mlirBlockGetFirstOperation(graph->blocks[i]);
            !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
            find_cost(&plan, op);
    for (size_t i = graph->count; i-- > 0;)
        choose_in_block(&plan, i);
}
