/* See pipelined_loop.h. */
#include "passes/pipelined_loop.h"

#include "analysis/shared_memory.h"
#include "dialect/dialect.h"
#include "passes/op_builder.h"
#include "passes/pass_support.h"
#include "passes/tile_ring.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { BOUNDS = 3 };

/* Carried by the new loop behind what the old one carries, and then the carried values of slices.
 */
enum { AHEAD_COUNTER, AHEAD_EXISTS, WRITTEN_TILE, READ_TILE, OWN_COUNT };

struct pipelining {
    arena *arena;
    MlirOperation loop;
    MlirBlock body;
    MlirContext context;
    struct pipelined_loads loads;
    unsigned stages;
    MlirValue *rings; /* one a load */
    MlirValue begin, end, step;
    intptr_t carried_count; /* of the old loop */
    MlirType i1, i32, counter;
};

/* A round that runs ahead: its counter, whether the loop has it, and what it makes of slices. */
struct round {
    MlirValue counter, exists;
    struct ir_mapping *values;
};

static MlirValue argument_of(const struct pipelining *pipelining, intptr_t carried)
{
    return mlirBlockGetArgument(pipelining->body, 1 + carried);
}

static bool is_in_slice(const struct pipelining *pipelining, intptr_t carried)
{
    return pointer_map_get(&pipelining->loads.carried, argument_of(pipelining, carried).ptr) !=
           NULL;
}

static MlirValue yielded(const struct pipelining *pipelining, intptr_t carried)
{
    return mlirOperationGetOperand(mlirBlockGetTerminator(pipelining->body), carried);
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static void allocate_rings(struct pipelining *pipelining)
{
    unsigned count = 0, next = 0;
    for (struct pipelined_load *load = pipelining->loads.first; load; load = load->next)
        count++;
    pipelining->rings = arena_array(pipelining->arena, MlirValue, count);
    for (struct pipelined_load *load = pipelining->loads.first; load; load = load->next) {
        struct op_builder builder = op_builder_before(pipelining->loop);
        builder.location = mlirOperationGetLocation(load->load);
        MlirType type = ring_type(load->memory, pipelining->stages);
        pipelining->rings[next++] = op_build_value(&builder,
            &(struct op_parts){.name = "ttg.local_alloc", .result_count = 1, .results = &type});
    }
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Chosen and not combined by `and`: the mask of a round that does not exist may have no value, such
 * as that of a shift by too much. */
static MlirValue mask_of(const struct pipelining *pipelining, const struct op_builder *builder,
    const struct pipelined_load *load, const struct round *round)
{
    enum { MOST_RANK = 8 };
    MlirType pointers = mlirValueGetType(load->pointer);
    int64_t shape[MOST_RANK];
    for (int64_t i = 0; i < mlirShapedTypeGetRank(pointers); i++)
        shape[i] = mlirShapedTypeGetDimSize(pointers, i);
    MlirType type = mlirRankedTensorTypeGet(
        mlirShapedTypeGetRank(pointers), shape, pipelining->i1, pass_encoding_of(pointers));
    if (mlirValueIsNull(load->mask))
        return op_build_unary(builder, "tt.splat", round->exists, type);
    MlirValue never =
        op_build_unary(builder, "tt.splat", op_build_integer(builder, pipelining->i1, 0), type);
    return op_build_select(
        builder, round->exists, ir_mapping_get(round->values, load->mask), never);
}

static MlirValue copy_tile(const struct pipelining *pipelining, const struct op_builder *place,
    const struct pipelined_load *load, const struct round *round, MlirValue tile)
{
    MlirContext context = pipelining->context;
    struct op_builder builder = *place;
    builder.location = mlirOperationGetLocation(load->load);
    MlirValue operands[] = {ir_mapping_get(round->values, load->pointer), tile,
        mask_of(pipelining, &builder, load, round)};
    MlirNamedAttribute attributes[4] = {
        op_attribute(context, "operandSegmentSizes",
            mlirDenseI32ArrayGet(context, 4, (int32_t[]){1, 1, 1, 0})),
        op_attribute(context, "contiguity", pass_i32_attribute(context, load->contiguity)),
    };
    intptr_t count = 2;
    static const char *const kept[] = {"cache", "evict"};
    for (unsigned i = 0; i < 2; i++) {
        MlirAttribute value =
            mlirOperationGetAttributeByName(load->load, mlirStringRefCreateFromCString(kept[i]));
        if (!mlirAttributeIsNull(value))
            attributes[count++] = op_attribute(context, kept[i], value);
    }
    MlirType token = ttg_token_type(context);
    return op_build_value(&builder, &(struct op_parts){.name = "ttg.async_copy_global_to_local",
                                        .operand_count = 3,
                                        .operands = operands,
                                        .result_count = 1,
                                        .results = &token,
                                        .attribute_count = count,
                                        .attributes = attributes});
}

static void commit(
    const struct pipelining *pipelining, const struct op_builder *builder, MlirValue token)
{
    MlirType type = ttg_token_type(pipelining->context);
    op_build(builder, &(struct op_parts){.name = "ttg.async_commit_group",
                          .operand_count = 1,
                          .operands = &token,
                          .result_count = 1,
                          .results = &type});
}

static void wait_for(
    const struct pipelining *pipelining, const struct op_builder *builder, unsigned under_way)
{
    MlirType type = ttg_token_type(pipelining->context);
    MlirNamedAttribute number = op_attribute(
        pipelining->context, "num", pass_i32_attribute(pipelining->context, under_way));
    op_build(builder, &(struct op_parts){.name = "ttg.async_wait",
                          .result_count = 1,
                          .results = &type,
                          .attribute_count = 1,
                          .attributes = &number});
}

/* Computes the slices of a round and begins its copies. */
static void copy_round(const struct pipelining *pipelining, const struct op_builder *builder,
    const struct round *round, MlirValue tile_index)
{
    for (MlirOperation op = mlirBlockGetFirstOperation(pipelining->body); !mlirOperationIsNull(op);
        op = mlirOperationGetNextInBlock(op))
        if (pointer_map_get(&pipelining->loads.slice, op.ptr))
            op_insert(builder, ir_clone(op, round->values));
    unsigned next = 0;
    MlirValue token = {NULL};
    for (struct pipelined_load *load = pipelining->loads.first; load; load = load->next) {
        MlirValue tile = ring_tile(builder, pipelining->rings[next++], load->memory, tile_index);
        token = copy_tile(pipelining, builder, load, round, tile);
    }
    commit(pipelining, builder, token);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Moves on to the round behind this one. Its counter means nothing where it does not exist. */
static void advance(
    const struct pipelining *pipelining, const struct op_builder *builder, struct round *round)
{
    MlirType type = pipelining->counter;
    MlirValue left = op_build_binary(builder, "arith.subi", pipelining->end, round->counter, type);
    MlirValue more = op_build_compare(builder, OP_COMPARE_UGT, left, pipelining->step);
    struct ir_mapping *values = ir_mapping_create();
    for (intptr_t i = 0; i < pipelining->carried_count; i++)
        if (is_in_slice(pipelining, i))
            ir_mapping_set(values, argument_of(pipelining, i),
                ir_mapping_get(round->values, yielded(pipelining, i)));
    ir_mapping_destroy(round->values);
    round->values = values;
    round->exists = op_build_binary(builder, "arith.andi", round->exists, more, pipelining->i1);
    round->counter = op_build_binary(builder, "arith.addi", round->counter, pipelining->step, type);
    ir_mapping_set(values, mlirBlockGetArgument(pipelining->body, 0), round->counter);
}

/* The rounds before the loop; gives the first one that the loop begins. */
static struct round build_prologue(struct pipelining *pipelining)
{
    struct op_builder builder = op_builder_before(pipelining->loop);
    struct round round = {pipelining->begin,
        op_build_compare(&builder, OP_COMPARE_SLT, pipelining->begin, pipelining->end),
        ir_mapping_create()};
    ir_mapping_set(round.values, mlirBlockGetArgument(pipelining->body, 0), round.counter);
    for (intptr_t i = 0; i < pipelining->carried_count; i++)
        ir_mapping_set(round.values, argument_of(pipelining, i),
            mlirOperationGetOperand(pipelining->loop, BOUNDS + i));
    for (unsigned i = 0; i + 1 < pipelining->stages; i++) {
        MlirValue tile = op_build_integer(&builder, pipelining->i32, (int64_t)i);
        copy_round(pipelining, &builder, &round, tile);
        advance(pipelining, &builder, &round);
    }
    return round;
}

/* ---- The new loop ---------------------------------------------------------------------------- */

struct new_loop {
    MlirBlock body;
    MlirValue *start; /* what it carries, at first */
    intptr_t count;
};

static void list_carried(
    struct pipelining *pipelining, const struct round *round, struct new_loop *loop)
{
    struct op_builder builder = op_builder_before(pipelining->loop);
    intptr_t old = pipelining->carried_count;
    loop->start = arena_array(pipelining->arena, MlirValue, (size_t)(2 * old + OWN_COUNT));
    for (intptr_t i = 0; i < old; i++)
        loop->start[i] = mlirOperationGetOperand(pipelining->loop, BOUNDS + i);
    MlirValue *own = loop->start + old;
    own[AHEAD_COUNTER] = round->counter;
    own[AHEAD_EXISTS] = round->exists;
    own[WRITTEN_TILE] =
        op_build_integer(&builder, pipelining->i32, (int64_t)pipelining->stages - 1);
    own[READ_TILE] = op_build_integer(&builder, pipelining->i32, 0);
    loop->count = old + OWN_COUNT;
    for (intptr_t i = 0; i < old; i++)
        if (is_in_slice(pipelining, i))
            loop->start[loop->count++] = ir_mapping_get(round->values, argument_of(pipelining, i));
}

static void make_body(const struct pipelining *pipelining, struct new_loop *loop)
{
    MlirLocation location = mlirOperationGetLocation(pipelining->loop);
    loop->body = mlirBlockCreate(1, &pipelining->counter, &location);
    for (intptr_t i = 0; i < loop->count; i++)
        mlirBlockAddArgument(loop->body, mlirValueGetType(loop->start[i]), location);
}

static MlirValue carried_by(const struct new_loop *loop, intptr_t index)
{
    return mlirBlockGetArgument(loop->body, 1 + index);
}

/* The round that runs ahead, as the new loop carries it. */
static struct round carried_round(const struct pipelining *pipelining, const struct new_loop *loop)
{
    intptr_t own = pipelining->carried_count, next = own + OWN_COUNT;
    struct round round = {carried_by(loop, own + AHEAD_COUNTER),
        carried_by(loop, own + AHEAD_EXISTS), ir_mapping_create()};
    ir_mapping_set(round.values, mlirBlockGetArgument(pipelining->body, 0), round.counter);
    for (intptr_t i = 0; i < pipelining->carried_count; i++)
        if (is_in_slice(pipelining, i))
            ir_mapping_set(round.values, argument_of(pipelining, i), carried_by(loop, next++));
    return round;
}

/* The tile takes the place of the load's own allocation; whoever wants the values reads them. */
static void replace_load(const struct op_builder *place, const struct pipelined_load *load,
    MlirValue tile, struct ir_mapping *values)
{
    struct op_builder builder = *place;
    builder.location = mlirOperationGetLocation(load->load);
    MlirValue result = mlirOperationGetResult(load->load, 0);
    ir_mapping_set(values, mlirOperationGetResult(load->staging, 0), tile);
    MlirOpOperand use = mlirValueGetFirstUse(result);
    if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
        ir_mapping_set(values, result,
            op_build_unary(&builder, "ttg.local_load", tile, mlirValueGetType(result)));
}

/* A view of memory that has become mutable. */
static void repair_view(MlirOperation op)
{
    if (!shared_memory_is_view(op))
        return;
    MlirValue result = mlirOperationGetResult(op, 0);
    struct ttg_memory from;
    if (ttg_memory_read(mlirValueGetType(mlirOperationGetOperand(op, 0)), &from) && from.is_mutable)
        mlirValueSetType(result, ring_tile_type(mlirValueGetType(result)));
}

static struct pipelined_load *load_at(const struct pipelining *pipelining, MlirOperation op)
{
    for (struct pipelined_load *load = pipelining->loads.first; load; load = load->next)
        if (mlirOperationEqual(load->load, op) || mlirOperationEqual(load->staging, op))
            return load;
    return NULL;
}

/* The round itself. */
static void clone_round(const struct pipelining *pipelining, const struct op_builder *builder,
    struct ir_mapping *values)
{
    MlirOperation end = mlirBlockGetTerminator(pipelining->body);
    for (MlirOperation op = mlirBlockGetFirstOperation(pipelining->body);
        !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
        if (load_at(pipelining, op))
            continue;
        MlirOperation copy = ir_clone(op, values);
        op_insert(builder, copy);
        repair_view(copy);
    }
}

static struct ir_mapping *map_round(const struct pipelining *pipelining,
    const struct new_loop *loop, const struct op_builder *builder)
{
    struct ir_mapping *values = ir_mapping_create();
    ir_mapping_set(
        values, mlirBlockGetArgument(pipelining->body, 0), mlirBlockGetArgument(loop->body, 0));
    for (intptr_t i = 0; i < pipelining->carried_count; i++)
        ir_mapping_set(values, argument_of(pipelining, i), carried_by(loop, i));
    MlirValue read_tile = carried_by(loop, pipelining->carried_count + READ_TILE);
    unsigned next = 0;
    for (struct pipelined_load *load = pipelining->loads.first; load; load = load->next)
        replace_load(builder, load,
            ring_tile(builder, pipelining->rings[next++], load->memory, read_tile), values);
    return values;
}

static void build_body(const struct pipelining *pipelining, const struct new_loop *loop)
{
    struct op_builder builder = {loop->body, {NULL}, mlirOperationGetLocation(pipelining->loop)};
    intptr_t old = pipelining->carried_count;
    MlirValue written_tile = carried_by(loop, old + WRITTEN_TILE);
    MlirValue *handed_on = arena_array(pipelining->arena, MlirValue, (size_t)loop->count);
    wait_for(pipelining, &builder, pipelining->stages - 2);
    struct round ahead = carried_round(pipelining, loop);
    copy_round(pipelining, &builder, &ahead, written_tile);
    advance(pipelining, &builder, &ahead);
    handed_on[old + AHEAD_COUNTER] = ahead.counter;
    handed_on[old + AHEAD_EXISTS] = ahead.exists;
    handed_on[old + WRITTEN_TILE] = ring_next(&builder, written_tile, pipelining->stages);
    handed_on[old + READ_TILE] =
        ring_next(&builder, carried_by(loop, old + READ_TILE), pipelining->stages);
    intptr_t next = old + OWN_COUNT;
    for (intptr_t i = 0; i < old; i++)
        if (is_in_slice(pipelining, i))
            handed_on[next++] = ir_mapping_get(ahead.values, argument_of(pipelining, i));
    ir_mapping_destroy(ahead.values);

    struct ir_mapping *values = map_round(pipelining, loop, &builder);
    clone_round(pipelining, &builder, values);
    for (intptr_t i = 0; i < old; i++)
        handed_on[i] = ir_mapping_get(values, yielded(pipelining, i));
    ir_mapping_destroy(values);
    op_build(
        &builder, &(struct op_parts){
                      .name = "scf.yield", .operand_count = loop->count, .operands = handed_on});
}

static MlirOperation insert_loop(const struct pipelining *pipelining, const struct new_loop *loop)
{
    struct op_builder builder = op_builder_before(pipelining->loop);
    intptr_t count = BOUNDS + loop->count;
    MlirValue *operands = arena_array(pipelining->arena, MlirValue, (size_t)count);
    MlirType *results = arena_array(pipelining->arena, MlirType, (size_t)count);
    for (intptr_t i = 0; i < BOUNDS; i++)
        operands[i] = mlirOperationGetOperand(pipelining->loop, i);
    for (intptr_t i = 0; i < loop->count; i++) {
        operands[BOUNDS + i] = loop->start[i];
        results[i] = mlirValueGetType(loop->start[i]);
    }
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, loop->body);
    return op_build(&builder, &(struct op_parts){.name = "scf.for",
                                  .operand_count = count,
                                  .operands = operands,
                                  .result_count = loop->count,
                                  .results = results,
                                  .region = region});
}

static void build_epilogue(const struct pipelining *pipelining)
{
    struct op_builder builder = op_builder_before(pipelining->loop);
    wait_for(pipelining, &builder, 0);
    unsigned next = 0;
    for (struct pipelined_load *load = pipelining->loads.first; load; load = load->next)
        op_build(&builder, &(struct op_parts){.name = "ttg.local_dealloc",
                               .operand_count = 1,
                               .operands = &pipelining->rings[next++]});
}

void pipelined_loop_build(
    arena *arena, MlirOperation loop, const struct pipelined_loads *loads, unsigned stages)
{
    MlirContext context = mlirOperationGetContext(loop);
    struct pipelining pipelining = {.arena = arena,
        .loop = loop,
        .body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)),
        .context = context,
        .loads = *loads,
        .stages = stages,
        .begin = mlirOperationGetOperand(loop, 0),
        .end = mlirOperationGetOperand(loop, 1),
        .step = mlirOperationGetOperand(loop, 2),
        .carried_count = mlirOperationGetNumResults(loop),
        .i1 = mlirIntegerTypeGet(context, 1),
        .i32 = mlirIntegerTypeGet(context, 32)};
    pipelining.counter = mlirValueGetType(pipelining.begin);
    allocate_rings(&pipelining);
    struct new_loop made;
    struct round round = build_prologue(&pipelining);
    list_carried(&pipelining, &round, &made);
    ir_mapping_destroy(round.values);
    make_body(&pipelining, &made);
    build_body(&pipelining, &made);
    MlirOperation replacement = insert_loop(&pipelining, &made);
    build_epilogue(&pipelining);
    for (intptr_t i = 0; i < pipelining.carried_count; i++)
        mlirValueReplaceAllUsesOfWith(
            mlirOperationGetResult(loop, i), mlirOperationGetResult(replacement, i));
    mlirOperationDestroy(loop);
}
