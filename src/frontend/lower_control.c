/* Branches and conditions, as the operations of MLIR's scf dialect. Loops are in lower_loops.c.
 *
 * Those are structured: a region ends at its end. What C's statements change is carried through
 * them as operands and results, and an early exit is a flag that is carried like a variable:
 * lower_run guards what follows by it. So nothing is duplicated, and every pass sees loops as
 * loops.
 */
#include "frontend/lower_carried.h"

#include <string.h>

/* ---- Conditions ------------------------------------------------------------------------------ */

MlirValue lower_condition(lowering *lowering, const ast_node *node)
{
    value condition = lower_expression(lowering, node);
    if (!value_is_valid(condition))
        return (MlirValue){0};
    if (!value_is_tile(condition))
        return lower_truth(lowering, condition).ssa;
    lower_error(lowering, node->place, TILE_CONDITION, value_describe(lowering, condition));
    return (MlirValue){0};
}

static MlirValue either(lowering *lowering, MlirValue left, MlirValue right)
{
    return build_value(&lowering->builder, "arith.ori", mlirValueGetType(left), left, right);
}

static MlirValue negated(lowering *lowering, MlirValue truth)
{
    MlirValue one = lower_boolean(lowering, true).ssa;
    return build_value(&lowering->builder, "arith.xori", mlirValueGetType(truth), truth, one);
}

MlirValue lower_is_alive(lowering *lowering, unsigned exits)
{
    const slot flags[] = {
        exits & FLOW_BREAK ? lowering->broken : NO_SLOT,
        exits & FLOW_CONTINUE ? lowering->continued : NO_SLOT,
        exits & FLOW_RETURN ? lowering->call->returned : NO_SLOT,
    };
    MlirValue gone = {0};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (flags[i] == NO_SLOT)
            continue;
        MlirValue flag = lowering->variables[flags[i]].ssa;
        gone = mlirValueIsNull(gone) ? flag : either(lowering, gone, flag);
    }
    return mlirValueIsNull(gone) ? lower_boolean(lowering, true).ssa : negated(lowering, gone);
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* One side of a branch, left without its terminator. */
static value *lower_side(
    lowering *lowering, const carried *carried, flow_run run, MlirBlock *out_block)
{
    *out_block = mlirBlockCreate(0, NULL, NULL);
    lowering->builder.block = *out_block;
    lower_run(lowering, run);
    return carried_values(lowering, carried);
}

/* Drops what has a value on neither side, and gives zero where one side has none: C leaves such a
 * variable without a value, so nothing reads it. */
static void settle_sides(
    lowering *lowering, carried *carried, const MlirBlock *blocks, value *const *sides)
{
    size_t kept = 0;
    for (size_t i = 0; i < carried->count; i++) {
        bool has[2] = {value_is_valid(sides[0][i]), value_is_valid(sides[1][i])};
        if (!has[0] && !has[1])
            continue;
        for (int side = 0; side < 2; side++) {
            lowering->builder.block = blocks[side];
            sides[side][kept] =
                has[side] ? sides[side][i] : lower_zero_like(lowering, sides[1 - side][i]);
        }
        carried->slots[kept] = carried->slots[i];
        carried->variables[kept++] = carried->variables[i];
    }
    carried->count = kept;
}

static void lower_branches(
    lowering *lowering, MlirValue condition, flow_run then_run, flow_run else_run)
{
    const flow_run runs[] = {then_run, else_run};
    unsigned exits = 0;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < runs[side].count; i++)
            exits |= flow_exits(runs[side].nodes[i]);
    carried carried = carried_of(lowering, runs, 2, exits);
    value *before = carried_values(lowering, &carried);
    MlirBlock outer = lowering->builder.block, blocks[2];
    value *sides[2];
    for (size_t side = 0; side < 2; side++) {
        carried_set(lowering, &carried, before);
        sides[side] = lower_side(lowering, &carried, runs[side], &blocks[side]);
    }
    settle_sides(lowering, &carried, blocks, sides);
    for (size_t side = 0; side < 2; side++) {
        lowering->builder.block = blocks[side];
        carried_end_block(lowering, "scf.yield", NULL, 0, sides[side], carried.count);
    }
    lowering->builder.block = outer;
    if (mlirValueIsNull(condition)) {
        mlirBlockDestroy(blocks[0]);
        mlirBlockDestroy(blocks[1]);
        return;
    }
    carried_operation(
        lowering, "scf.if", &condition, 1, &carried, sides[0], carried.count, blocks, 2);
}

void lower_if(lowering *lowering, const ast_node *node)
{
    MlirValue condition = lower_condition(lowering, node->children[0]);
    lower_branches(
        lowering, condition, (flow_run){&node->children[1], 1}, (flow_run){&node->children[2], 1});
}

void lower_guarded(lowering *lowering, MlirValue condition, flow_run run)
{
    lower_branches(lowering, condition, run, (flow_run){0});
}

/* ---- ?: && || -------------------------------------------------------------------------------- */

/* Two expressions of which one is computed. Both, and a choice, where that makes no difference. */
typedef value lower_part(lowering *lowering, const ast_node *node);

static value choose(lowering *lowering, MlirValue condition, value yes, value no)
{
    yes.ssa = build_value(
        &lowering->builder, "arith.select", value_type(yes), condition, yes.ssa, no.ssa);
    return yes;
}

/* What comes out of both ways; invalid after an error. */
static bool results_agree(lowering *lowering, const ast_node *node, const value *results)
{
    if (!value_is_valid(results[0]) || !value_is_valid(results[1]))
        return false;
    if (mlirTypeEqual(value_type(results[0]), value_type(results[1])))
        return true;
    lower_error(lowering, node->place, CHOICE_DIFFERS, value_describe(lowering, results[0]),
        value_describe(lowering, results[1]));
    return false;
}

/* As a branch, with a result behind the variables that it carries; `count` results in all. */
static value build_either(lowering *lowering, MlirValue condition, const carried *carried,
    value *const *sides, size_t count, const MlirBlock *blocks)
{
    MlirBlock outer = lowering->builder.block;
    for (size_t side = 0; side < 2; side++) {
        lowering->builder.block = blocks[side];
        carried_end_block(lowering, "scf.yield", NULL, 0, sides[side], count);
    }
    lowering->builder.block = outer;
    MlirOperation made =
        carried_operation(lowering, "scf.if", &condition, 1, carried, sides[0], count, blocks, 2);
    if (count == carried->count)
        return (value){0};
    value result = sides[0][carried->count];
    result.ssa = mlirOperationGetResult(made, (intptr_t)carried->count);
    return result;
}

static value lower_either(lowering *lowering, const ast_node *node, MlirValue condition,
    const ast_node *const *parts, lower_part *lower)
{
    if (mlirValueIsNull(condition))
        return (value){0};
    bool is_pure = flow_is_pure(parts[0]) && flow_is_pure(parts[1]);
    bool is_void = node->type->kind == AST_TYPE_VOID;
    const flow_run runs[] = {{&parts[0], 1}, {&parts[1], 1}};
    carried carried = carried_of(lowering, runs, 2, 0);
    value *before = carried_values(lowering, &carried), *sides[2], results[2];
    MlirBlock outer = lowering->builder.block, blocks[2];
    for (size_t side = 0; side < 2; side++) {
        if (!is_pure)
            lowering->builder.block = blocks[side] = mlirBlockCreate(0, NULL, NULL);
        carried_set(lowering, &carried, before);
        results[side] = lower_lanes(lowering, lower(lowering, parts[side]));
        sides[side] = carried_values(lowering, &carried);
    }
    bool fits = is_void || results_agree(lowering, node, results);
    if (is_pure)
        return fits && !is_void ? choose(lowering, condition, results[0], results[1]) : (value){0};
    settle_sides(lowering, &carried, blocks, sides);
    lowering->builder.block = outer;
    if (!fits) {
        mlirBlockDestroy(blocks[0]);
        mlirBlockDestroy(blocks[1]);
        return (value){0};
    }
    for (size_t side = 0; side < 2; side++)
        sides[side][carried.count] = results[side];
    return build_either(lowering, condition, &carried, sides, carried.count + !is_void, blocks);
}

value lower_conditional(lowering *lowering, const ast_node *node)
{
    MlirValue condition = lower_condition(lowering, node->children[0]);
    return lower_either(lowering, node, condition, &node->children[1], lower_expression);
}

static value lower_truth_of(lowering *lowering, const ast_node *node)
{
    MlirValue truth = lower_condition(lowering, node);
    return (value){.ssa = truth, .element = ELEMENT_bool};
}

/* a && b is a ? b != 0 : 0, and a || b is a ? 1 : b != 0. */
value lower_logical(lowering *lowering, const ast_node *node)
{
    MlirValue left = lower_condition(lowering, node->children[0]);
    ast_node *constant = arena_new(lowering->arena, ast_node);
    *constant = (ast_node){.kind = AST_INTEGER,
        .place = node->place,
        .type = node->type,
        .integer = node->op == AST_OP_LOGICAL_OR};
    const ast_node *parts[2] = {node->children[1], constant};
    if (node->op == AST_OP_LOGICAL_OR) {
        parts[0] = constant;
        parts[1] = node->children[1];
    }
    value truth = lower_either(lowering, node, left, parts, lower_truth_of);
    return lower_convert(lowering, truth, ELEMENT_i32);
}

MlirValue lower_condition_if(lowering *lowering, MlirValue guard, const ast_node *node)
{
    ast_type truth = {.kind = AST_TYPE_ELEMENT, .element = ELEMENT_i32};
    ast_node *constant = arena_new(lowering->arena, ast_node);
    ast_type *type = arena_new(lowering->arena, ast_type);
    *type = truth;
    *constant = (ast_node){.kind = AST_INTEGER, .place = node->place, .type = type};
    const ast_node *parts[2] = {node, constant};
    return lower_either(lowering, node, guard, parts, lower_truth_of).ssa;
}
