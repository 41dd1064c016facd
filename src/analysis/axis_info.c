/* See axis_info.h. Facts start from nothing at all (a value that was not met yet) and only ever get
 * weaker: a value that is made in several places, as a loop's is, joins what reaches it. The walk
 * over the function is repeated until nothing changes. */
#include "analysis/axis_info.h"

#include "analysis/axis_transfer.h"
#include "analysis/pointer_map.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"

struct axis_info {
    arena *arena;
    struct pointer_map facts; /* MlirValue -> struct axis_facts */
    bool changed;
    unsigned rounds; /* walks over the function so far */
};

/* After so many walks even a result that an operation computes anew only gets weaker, so that the
 * end is sure. */
enum { PATIENT_ROUNDS = 16 };

/* ---- The state ------------------------------------------------------------------------------- */

static struct axis_facts *find(const struct axis_info *info, MlirValue value)
{
    return pointer_map_get(&info->facts, value.ptr);
}

/* A range that grew is not followed step by step: it goes to the end of the type at once. */
static void widen(struct axis_facts *joined, const struct axis_facts *before)
{
    if (joined->width == 0 || joined->is_pointer)
        return;
    struct integer_range all = range_all(joined->width);
    if (joined->range.least < before->range.least)
        joined->range.least = all.least;
    if (joined->range.most > before->range.most)
        joined->range.most = all.most;
}

static void store(struct axis_info *info, MlirValue value, struct axis_facts facts)
{
    struct axis_facts *slot = find(info, value);
    if (slot && axis_facts_equal(slot, &facts))
        return;
    if (!slot) {
        slot = arena_new(info->arena, struct axis_facts);
        pointer_map_set(&info->facts, value.ptr, slot);
    }
    *slot = facts;
    info->changed = true;
}

/* One more way to make the value. */
static void join(struct axis_info *info, MlirValue value, const struct axis_facts *facts)
{
    const struct axis_facts *before = find(info, value);
    struct axis_facts joined = *facts;
    if (before) {
        joined = axis_facts_join(before, facts);
        widen(&joined, before);
    }
    store(info, value, joined);
}

static void join_value(struct axis_info *info, MlirValue to, MlirValue from)
{
    const struct axis_facts *facts = find(info, from);
    if (facts)
        join(info, to, facts);
}

/* The only way to make the value. */
static void set(struct axis_info *info, MlirValue value, const struct axis_facts *facts)
{
    if (info->rounds < PATIENT_ROUNDS)
        store(info, value, *facts);
    else
        join(info, value, facts);
}

static void set_value(struct axis_info *info, MlirValue to, MlirValue from)
{
    const struct axis_facts *facts = find(info, from);
    if (facts)
        set(info, to, facts);
}

/* Nothing is known about the value, whatever else was found. */
static void give_up(struct axis_info *info, MlirValue value)
{
    store(info, value, axis_facts_unknown(mlirValueGetType(value)));
}

/* ---- Structured control flow ----------------------------------------------------------------- */

static void visit_region(struct axis_info *info, MlirRegion region);

static MlirOperation terminator_of(MlirRegion region)
{
    return mlirBlockGetTerminator(mlirRegionGetFirstBlock(region));
}

static MlirValue region_argument(MlirRegion region, intptr_t index)
{
    return mlirBlockGetArgument(mlirRegionGetFirstBlock(region), index);
}

/* The range of a counter that adds a step at least 0 while it is below the bound: it neither wraps
 * nor leaves what lies between, if even the last step stays within the type. */
static struct integer_range counter_range(
    const struct axis_facts *begin, const struct axis_facts *end, const struct axis_facts *step)
{
    struct integer_range all = range_all(begin->width);
    struct integer_range last = range_single(end->range.most);
    struct integer_range next = range_add(last, range_single(step->range.most), begin->width);
    bool stays = step->range.least >= 0 && end->range.most > all.least && next.most != all.most;
    if (!stays || (next.least == all.least && next.most == all.most))
        return all;
    struct integer_range range = {begin->range.least, end->range.most - 1};
    return range_join(range, begin->range);
}

static bool is_unsigned(MlirOperation loop)
{
    MlirStringRef name = mlirStringRefCreateFromCString("unsignedCmp");
    return !mlirAttributeIsNull(mlirOperationGetAttributeByName(loop, name));
}

/* begin, begin + step, begin + 2 step, ... */
static void visit_counter(struct axis_info *info, MlirOperation loop, MlirValue counter)
{
    const struct axis_facts *begin = find(info, mlirOperationGetOperand(loop, 0));
    const struct axis_facts *end = find(info, mlirOperationGetOperand(loop, 1));
    const struct axis_facts *step = find(info, mlirOperationGetOperand(loop, 2));
    if (!begin || !end || !step)
        return;
    struct axis_facts facts = axis_facts_unknown(mlirValueGetType(counter));
    unsigned of_begin = axis_facts_everywhere(begin), of_step = axis_facts_everywhere(step);
    facts.divisibility[0] = (uint8_t)(of_begin < of_step ? of_begin : of_step);
    if (!is_unsigned(loop))
        facts.range = counter_range(begin, end, step);
    axis_facts_normalise(&facts);
    store(info, counter, facts);
}

/* (begin, end, step, what is carried...), a body of (counter, carried...) that yields carried... */
static void visit_for(struct axis_info *info, MlirOperation loop)
{
    MlirRegion body = mlirOperationGetRegion(loop, 0);
    intptr_t carried = mlirOperationGetNumResults(loop);
    visit_counter(info, loop, region_argument(body, 0));
    for (intptr_t i = 0; i < carried; i++)
        join_value(info, region_argument(body, i + 1), mlirOperationGetOperand(loop, i + 3));
    visit_region(info, body);
    MlirOperation yield = terminator_of(body);
    for (intptr_t i = 0; i < carried; i++) {
        join_value(info, region_argument(body, i + 1), mlirOperationGetOperand(yield, i));
        set_value(info, mlirOperationGetResult(loop, i), region_argument(body, i + 1));
    }
}

/* A test of (carried...) that hands (condition, passed...) to the body and to the results, and a
 * body that yields what is carried. */
static void visit_while(struct axis_info *info, MlirOperation loop)
{
    MlirRegion test = mlirOperationGetRegion(loop, 0), body = mlirOperationGetRegion(loop, 1);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(loop); i++)
        join_value(info, region_argument(test, i), mlirOperationGetOperand(loop, i));
    visit_region(info, test);
    MlirOperation condition = terminator_of(test);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); i++) {
        MlirValue passed = mlirOperationGetOperand(condition, i + 1);
        set_value(info, region_argument(body, i), passed);
        set_value(info, mlirOperationGetResult(loop, i), passed);
    }
    visit_region(info, body);
    MlirOperation yield = terminator_of(body);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
        join_value(info, region_argument(test, i), mlirOperationGetOperand(yield, i));
}

/* Result `index` is what one of the regions yields there. */
static void join_yields(struct axis_info *info, MlirOperation choice, intptr_t index)
{
    struct axis_facts joined;
    bool is_first = true;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(choice); i++) {
        MlirOperation yield = terminator_of(mlirOperationGetRegion(choice, i));
        const struct axis_facts *facts = find(info, mlirOperationGetOperand(yield, index));
        if (!facts)
            continue;
        joined = is_first ? *facts : axis_facts_join(&joined, facts);
        is_first = false;
    }
    if (!is_first)
        set(info, mlirOperationGetResult(choice, index), &joined);
}

static void visit_choice(struct axis_info *info, MlirOperation choice)
{
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(choice); i++)
        visit_region(info, mlirOperationGetRegion(choice, i));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(choice); i++)
        join_yields(info, choice, i);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void visit_successor(struct axis_info *info, MlirOperation branch, intptr_t index)
{
    MlirBlock successor = mlirBlockGetSuccessor(mlirOperationGetBlock(branch), index);
    intptr_t first, count;
    bool is_known = ir_successor_operands(branch, index, &first, &count);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(successor); i++) {
        MlirValue argument = mlirBlockGetArgument(successor, i);
        if (is_known && i < count)
            join_value(info, argument, mlirOperationGetOperand(branch, first + i));
        else
            give_up(info, argument);
    }
}

static void visit_branch(struct axis_info *info, MlirOperation branch)
{
    intptr_t count = mlirBlockGetNumSuccessors(mlirOperationGetBlock(branch));
    for (intptr_t i = 0; i < count; i++)
        visit_successor(info, branch, i);
}

/* ---- Operations ------------------------------------------------------------------------------ */

enum { MOST_OPERANDS = 8 };

/* Waits for operands that were not met yet: they are made later in a loop, and seen next time. */
static void visit_plain(struct axis_info *info, MlirOperation op)
{
    struct axis_facts operands[MOST_OPERANDS];
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t i = 0; i < count && count <= MOST_OPERANDS; i++) {
        const struct axis_facts *facts = find(info, mlirOperationGetOperand(op, i));
        if (!facts)
            return;
        operands[i] = *facts;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
        MlirValue result = mlirOperationGetResult(op, i);
        struct axis_facts facts = count > MOST_OPERANDS
                                      ? axis_facts_unknown(mlirValueGetType(result))
                                      : axis_transfer(op, i, operands, count);
        set(info, result, &facts);
    }
}

/* Regions of any other kind, as a reduction's: their arguments may be anything. */
static void visit_foreign_regions(struct axis_info *info, MlirOperation op)
{
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
        MlirRegion region = mlirOperationGetRegion(op, i);
        MlirBlock entry = mlirRegionGetFirstBlock(region);
        for (intptr_t j = 0; !mlirBlockIsNull(entry) && j < mlirBlockGetNumArguments(entry); j++)
            give_up(info, mlirBlockGetArgument(entry, j));
        visit_region(info, region);
    }
}

static void visit_operation(struct axis_info *info, MlirOperation op)
{
    switch (op_id_of(op)) {
    case OP_SCF_FOR:
        visit_for(info, op);
        return;
    case OP_SCF_WHILE:
        visit_while(info, op);
        return;
    case OP_SCF_IF:
    case OP_SCF_INDEX_SWITCH:
        visit_choice(info, op);
        return;
    default:
        visit_foreign_regions(info, op);
        visit_plain(info, op);
        if (ir_is_terminator(op))
            visit_branch(info, op);
    }
}

static void visit_region(struct axis_info *info, MlirRegion region)
{
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
        block = mlirBlockGetNextInRegion(block))
        for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
            op = mlirOperationGetNextInBlock(op))
            visit_operation(info, op);
}

/* ---- The function ---------------------------------------------------------------------------- */

/* The N of `tt.divisibility = N : i32`; 1 where the argument has none. */
static uint64_t told_divisibility(MlirOperation function, intptr_t index)
{
    MlirAttribute all =
        mlirOperationGetAttributeByName(function, mlirStringRefCreateFromCString("arg_attrs"));
    if (mlirAttributeIsNull(all) || !mlirAttributeIsAArray(all) ||
        index >= mlirArrayAttrGetNumElements(all))
        return 1;
    MlirAttribute own = mlirArrayAttrGetElement(all, index);
    MlirAttribute told =
        mlirDictionaryAttrGetElementByName(own, mlirStringRefCreateFromCString("tt.divisibility"));
    if (mlirAttributeIsNull(told) || !mlirAttributeIsAInteger(told))
        return 1;
    int64_t divisor = mlirIntegerAttrGetValueInt(told);
    return divisor > 0 ? (uint64_t)divisor : 1;
}

static void take_arguments(struct axis_info *info, MlirOperation function)
{
    MlirRegion body = mlirOperationGetRegion(function, 0);
    MlirBlock entry = mlirRegionGetFirstBlock(body);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); i++) {
        MlirValue argument = mlirBlockGetArgument(entry, i);
        struct axis_facts facts = axis_facts_unknown(mlirValueGetType(argument));
        facts.divisibility[0] = (uint8_t)__builtin_ctzll(told_divisibility(function, i));
        axis_facts_normalise(&facts);
        store(info, argument, facts);
    }
}

struct axis_info *axis_info_create(arena *arena, MlirOperation function)
{
    struct axis_info *info = arena_new(arena, struct axis_info);
    info->arena = arena;
    pointer_map_init(&info->facts, arena);
    MlirRegion body = mlirOperationGetRegion(function, 0);
    if (mlirBlockIsNull(mlirRegionGetFirstBlock(body)))
        return info;
    take_arguments(info, function);
    do {
        info->changed = false;
        visit_region(info, body);
        info->rounds++;
    } while (info->changed);
    return info;
}

struct axis_facts axis_info_get(const struct axis_info *info, MlirValue value)
{
    const struct axis_facts *facts = find(info, value);
    return facts ? *facts : axis_facts_unknown(mlirValueGetType(value));
}
