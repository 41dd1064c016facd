/* Loops and switches.
 *
 * A `for` that counts up by a constant to a bound that the loop does not change becomes scf.for,
 * which passes can pipeline and unroll; every other loop becomes scf.while, which means what C
 * means. Both carry the variables that the loop changes, and the flags of its early exits.
 */
#include "frontend/lower_carried.h"

#include <string.h>

#include <mlir-c/BuiltinTypes.h>

/* The parts of a loop; absent ones are empty statements. */
typedef struct loop_parts {
    const ast_node *init, *condition, *step, *body;
    bool tests_first; /* not a do loop */
} loop_parts;

static const ast_node nothing = {.kind = AST_EMPTY};

static loop_parts parts_of(const ast_node *node)
{
    const ast_node *const *children = node->children;
    switch (node->kind) {
    case AST_FOR:
        return (loop_parts){children[0], children[1], children[2], children[3], true};
    case AST_WHILE:
        return (loop_parts){&nothing, children[0], &nothing, children[1], true};
    default:
        return (loop_parts){&nothing, children[1], &nothing, children[0], false};
    }
}

/* Variables without a value get zero before a loop: what comes around must have one type. One whose
 * declaration does not say its type is dropped: it can only be used where the loop gave it a value.
 */
static void settle_entry(lowering *lowering, carried *carried)
{
    size_t kept = 0;
    for (size_t i = 0; i < carried->count; i++) {
        value *current = &lowering->variables[carried->slots[i]];
        if (!value_is_valid(*current) && carried->variables[i])
            *current = lower_initial_zero(lowering, carried->variables[i]);
        if (!value_is_valid(*current))
            continue;
        carried->slots[kept] = carried->slots[i];
        carried->variables[kept++] = carried->variables[i];
    }
    carried->count = kept;
}

/* Whether every variable has a value at the end of an iteration: one without lost it to an error.
 * Its type is the one that it began with, since no assignment changes that. */
static bool comes_around(const carried *carried, const value *end)
{
    for (size_t i = 0; i < carried->count; i++)
        if (!value_is_valid(end[i]))
            return false;
    return true;
}

/* ---- scf.while ------------------------------------------------------------------------------- */

/* Whether there is another iteration. The condition is not evaluated once the loop was left. */
static MlirValue lower_goes_on(lowering *lowering, const loop_parts *parts, unsigned exits)
{
    builder *builder = &lowering->builder;
    MlirValue alive = lower_is_alive(lowering, exits);
    if (parts->condition->kind == AST_EMPTY)
        return alive;
    if (!exits)
        return lower_condition(lowering, parts->condition);
    if (flow_is_pure(parts->condition)) {
        MlirValue condition = lower_condition(lowering, parts->condition);
        if (mlirValueIsNull(condition))
            return condition;
        return build_value(builder, "arith.andi", mlirValueGetType(alive), alive, condition);
    }
    return lower_condition_if(lowering, alive, parts->condition);
}

/* Body and step of one iteration. */
static void lower_iteration(
    lowering *lowering, const loop_parts *parts, unsigned body_exits, unsigned exits)
{
    if (body_exits & FLOW_CONTINUE)
        lowering->variables[lowering->continued] = lower_boolean(lowering, false);
    lower_run(lowering, (flow_run){&parts->body, 1});
    if (parts->step->kind == AST_EMPTY)
        return;
    if (exits)
        lower_guarded(lowering, lower_is_alive(lowering, exits), (flow_run){&parts->step, 1});
    else
        lower_statement(lowering, parts->step);
}

static void build_while(lowering *lowering, const loop_parts *parts, carried *carried,
    unsigned body_exits, unsigned exits)
{
    value *entry = carried_values(lowering, carried);
    MlirBlock outer = lowering->builder.block, blocks[2];

    blocks[0] = carried_begin_block(lowering, carried, entry, NULL, 0);
    if (!parts->tests_first)
        lower_iteration(lowering, parts, body_exits, exits);
    MlirValue goes_on = lower_goes_on(lowering, parts, exits);
    value *tested = carried_values(lowering, carried);
    bool is_right = !mlirValueIsNull(goes_on) && comes_around(carried, tested);
    if (is_right)
        carried_end_block(lowering, "scf.condition", &goes_on, 1, tested, carried->count);

    blocks[1] = carried_begin_block(lowering, carried, entry, NULL, 0);
    if (parts->tests_first)
        lower_iteration(lowering, parts, body_exits, exits);
    value *end = carried_values(lowering, carried);
    is_right &= comes_around(carried, end);
    if (is_right)
        carried_end_block(lowering, "scf.yield", NULL, 0, end, carried->count);

    lowering->builder.block = outer;
    carried_set(lowering, carried, entry);
    if (!is_right) {
        mlirBlockDestroy(blocks[1]);
        mlirBlockDestroy(blocks[0]);
        return;
    }
    MlirValue *operands = arena_array(lowering->arena, MlirValue, carried->count + 1);
    for (size_t i = 0; i < carried->count; i++)
        operands[i] = entry[i].ssa;
    carried_operation(
        lowering, "scf.while", operands, carried->count, carried, entry, carried->count, blocks, 2);
}

/* ---- scf.for --------------------------------------------------------------------------------- */

/* `for (T i = begin; i < end; i += step)` with T signed, step a positive constant, and `end` and i
 * left alone by the body. */
typedef struct counting {
    const ast_variable *variable;
    const ast_node *end;
    uint64_t step;
} counting;

static bool is_variable(const ast_node *node, const ast_variable *variable)
{
    return node->kind == AST_VARIABLE && node->variable == variable;
}

static bool contains(const flow_variables *variables, const ast_variable *variable)
{
    for (size_t i = 0; i < variables->count; i++)
        if (variables->list[i] == variable)
            return true;
    return false;
}

static bool uses_any(const ast_node *node, const flow_variables *variables)
{
    if (node->kind == AST_VARIABLE && contains(variables, node->variable))
        return true;
    for (size_t i = 0; i < node->num_children; i++)
        if (uses_any(node->children[i], variables))
            return true;
    return false;
}

/* The constant that a step adds to the variable; 0 where it does something else. */
static uint64_t step_of(const ast_node *step, const ast_variable *variable)
{
    bool is_increment = step->kind == AST_UNARY &&
                        (step->op == AST_OP_PRE_INCREMENT || step->op == AST_OP_POST_INCREMENT);
    if (is_increment && is_variable(step->children[0], variable))
        return 1;
    bool is_addition = step->kind == AST_ASSIGN && step->op == AST_OP_ADD &&
                       is_variable(step->children[0], variable) &&
                       step->children[1]->kind == AST_INTEGER &&
                       step->computation->element == variable->type->element;
    int64_t added = is_addition ? (int64_t)step->children[1]->integer : 0;
    return added > 0 && added <= INT32_MAX ? (uint64_t)added : 0;
}

static bool is_counting(lowering *lowering, const loop_parts *parts, counting *out_counting)
{
    const ast_node *init = parts->init, *condition = parts->condition;
    if (init->kind != AST_DECLARATION || condition->kind != AST_BINARY ||
        condition->op != AST_OP_LT || !init->variable->initializer)
        return false;
    const ast_variable *variable = init->variable;
    const ast_type *type = variable->type;
    bool is_signed = type->kind == AST_TYPE_ELEMENT &&
                     (type->element == ELEMENT_i32 || type->element == ELEMENT_i64);
    if (!is_signed || !is_variable(condition->children[0], variable))
        return false;
    const flow_run body = {&parts->body, 1};
    flow_variables assigned = flow_assigned(lowering->arena, &body, 1);
    const flow_variables counter = {&variable, 1};
    const ast_node *end = condition->children[1];
    *out_counting = (counting){variable, end, step_of(parts->step, variable)};
    return out_counting->step && flow_is_pure(end) && !uses_any(end, &assigned) &&
           !uses_any(end, &counter) && !contains(&assigned, variable) &&
           end->type->kind == AST_TYPE_ELEMENT && end->type->element == type->element;
}

static void build_for(lowering *lowering, const loop_parts *parts, const counting *counting,
    carried *carried, unsigned body_exits)
{
    value *entry = carried_values(lowering, carried);
    value begin = lowering->variables[counting->variable->index];
    value end = lower_expression(lowering, counting->end), counter = begin;
    MlirType type = value_type(begin);
    MlirValue step = build_integer(&lowering->builder, type, (int64_t)counting->step);
    MlirBlock outer = lowering->builder.block;
    MlirBlock block = carried_begin_block(lowering, carried, entry, &type, 1);
    counter.ssa = mlirBlockGetArgument(block, 0);
    lowering->variables[counting->variable->index] = counter;
    if (body_exits & FLOW_CONTINUE)
        lowering->variables[lowering->continued] = lower_boolean(lowering, false);
    lower_run(lowering, (flow_run){&parts->body, 1});
    value *last = carried_values(lowering, carried);
    bool is_right = comes_around(carried, last);
    if (is_right)
        carried_end_block(lowering, "scf.yield", NULL, 0, last, carried->count);
    lowering->builder.block = outer;
    carried_set(lowering, carried, entry);
    if (!is_right) {
        mlirBlockDestroy(block);
        return;
    }
    MlirValue *operands = arena_array(lowering->arena, MlirValue, carried->count + 3);
    operands[0] = begin.ssa;
    operands[1] = end.ssa;
    operands[2] = step;
    for (size_t i = 0; i < carried->count; i++)
        operands[3 + i] = entry[i].ssa;
    carried_operation(lowering, "scf.for", operands, carried->count + 3, carried, entry,
        carried->count, &block, 1);
}

/* ---- Any loop -------------------------------------------------------------------------------- */

void lower_loop(lowering *lowering, const ast_node *node)
{
    loop_parts parts = parts_of(node);
    slot broken = lowering->broken, continued = lowering->continued;
    unsigned body_exits = flow_exits(parts.body);
    if (parts.init->kind != AST_EMPTY)
        lower_statement(lowering, parts.init);
    lowering->broken = body_exits & FLOW_BREAK
                           ? lower_new_slot(lowering, lower_boolean(lowering, false))
                           : NO_SLOT;
    lowering->continued =
        body_exits & FLOW_CONTINUE ? lower_new_slot(lowering, (value){0}) : NO_SLOT;

    /* A continue ends in the iteration that it began in; the others go around. */
    unsigned exits = body_exits & (FLOW_BREAK | FLOW_RETURN);
    const flow_run runs[] = {{&parts.condition, 1}, {&parts.step, 1}, {&parts.body, 1}};
    counting counting;
    bool counts = !exits && is_counting(lowering, &parts, &counting);
    carried carried =
        counts ? carried_of(lowering, &runs[2], 1, exits) : carried_of(lowering, runs, 3, exits);
    settle_entry(lowering, &carried);
    if (counts && value_is_valid(lowering->variables[counting.variable->index]))
        build_for(lowering, &parts, &counting, &carried, body_exits);
    else
        build_while(lowering, &parts, &carried, body_exits, exits);
    lowering->broken = broken;
    lowering->continued = continued;
}

/* ---- switch ---------------------------------------------------------------------------------- */

/* A run of statements behind its labels. */
typedef struct section {
    MlirValue enters; /* the value is one of its labels'; null: it has none */
    bool is_default;
    flow_run run;
} section;

static MlirValue build_equal(lowering *lowering, value subject, const ast_node *label)
{
    value number = lower_expression(lowering, label);
    if (!value_is_valid(number))
        return (MlirValue){0};
    return build_compare(&lowering->builder, "arith.cmpi", CMPI_EQ, subject.ssa, number.ssa);
}

/* `case first ... last:` */
static MlirValue build_in_range(lowering *lowering, value subject, const ast_node *label)
{
    value first = lower_expression(lowering, label->children[0]);
    value last = lower_expression(lowering, label->children[1]);
    if (!value_is_valid(first) || !value_is_valid(last))
        return (MlirValue){0};
    bool is_signed = element_describe(subject.element)->is_signed;
    builder *builder = &lowering->builder;
    MlirValue low = build_compare(
        builder, "arith.cmpi", is_signed ? CMPI_SGE : CMPI_UGE, subject.ssa, first.ssa);
    MlirValue high = build_compare(
        builder, "arith.cmpi", is_signed ? CMPI_SLE : CMPI_ULE, subject.ssa, last.ssa);
    return build_value(builder, "arith.andi", mlirValueGetType(low), low, high);
}

static MlirValue build_or(lowering *lowering, MlirValue left, MlirValue right)
{
    if (mlirValueIsNull(left) || mlirValueIsNull(right))
        return mlirValueIsNull(left) ? right : left;
    return build_value(&lowering->builder, "arith.ori", mlirValueGetType(left), left, right);
}

static bool is_label(const ast_node *node)
{
    return node->kind == AST_CASE || node->kind == AST_DEFAULT;
}

/* Takes the labels off a statement: what they match goes to the section. */
static const ast_node *take_labels(
    lowering *lowering, const ast_node *node, value subject, section *section)
{
    while (is_label(node)) {
        if (node->kind == AST_DEFAULT) {
            section->is_default = true;
            node = node->children[0];
            continue;
        }
        MlirValue matches = node->children[1]->kind == AST_EMPTY
                                ? build_equal(lowering, subject, node->children[0])
                                : build_in_range(lowering, subject, node);
        section->enters = build_or(lowering, section->enters, matches);
        node = node->children[2];
    }
    return node;
}

/* The body cut at its labels. What stands before the first is never reached. */
static section *cut_sections(lowering *lowering, flow_run body, value subject, size_t *out_count)
{
    section *sections = arena_array(lowering->arena, section, body.count + 1);
    const ast_node **nodes = arena_array(lowering->arena, const ast_node *, body.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < body.count; i++) {
        const ast_node *node = body.nodes[i];
        if (is_label(node)) {
            section *begun = &sections[count++];
            node = take_labels(lowering, node, subject, begun);
            begun->run.nodes = &nodes[i];
        }
        nodes[i] = node;
        if (count)
            sections[count - 1].run.count++;
    }
    *out_count = count;
    return sections;
}

static MlirValue none_matches(lowering *lowering, const section *sections, size_t count)
{
    MlirValue any = {0};
    for (size_t i = 0; i < count; i++)
        any = build_or(lowering, any, sections[i].enters);
    MlirValue one = lower_boolean(lowering, true).ssa;
    if (mlirValueIsNull(any))
        return one;
    return build_value(&lowering->builder, "arith.xori", mlirValueGetType(any), any, one);
}

/* Control is in a section where it entered by a label or fell through from the one before, and no
 * break was taken. */
void lower_switch(lowering *lowering, const ast_node *node)
{
    value subject = lower_expression(lowering, node->children[0]);
    const ast_node *block = node->children[1];
    flow_run body = {&node->children[1], 1};
    if (block->kind == AST_COMPOUND)
        body = (flow_run){block->children, block->num_children};
    if (!value_is_valid(subject))
        return;
    slot broken = lowering->broken;
    unsigned exits = 0;
    for (size_t i = 0; i < body.count; i++)
        exits |= flow_exits(body.nodes[i]);
    lowering->broken =
        exits & FLOW_BREAK ? lower_new_slot(lowering, lower_boolean(lowering, false)) : NO_SLOT;
    size_t count;
    section *sections = cut_sections(lowering, body, subject, &count);
    MlirValue otherwise = none_matches(lowering, sections, count), inside = {0};
    for (size_t i = 0; i < count; i++) {
        if (sections[i].is_default)
            sections[i].enters = build_or(lowering, sections[i].enters, otherwise);
        inside = build_or(lowering, inside, sections[i].enters);
        if (mlirValueIsNull(inside))
            break; /* a label had an error */
        MlirValue alive = lower_is_alive(lowering, exits);
        MlirValue runs =
            build_value(&lowering->builder, "arith.andi", mlirValueGetType(alive), alive, inside);
        lower_guarded(lowering, runs, sections[i].run);
    }
    lowering->broken = broken;
}
