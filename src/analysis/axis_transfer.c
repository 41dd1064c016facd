/* See axis_transfer.h: sums, products, division and choices, and the table of all operations. In
 * the comments a and b are the operands. */
#include "analysis/axis_transfer.h"

#include "analysis/axis_rules.h"
#include "analysis/divisor_guard.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"

/* ---- Shared steps ---------------------------------------------------------------------------- */

/* The same operation on the same operands gives the same result. */
static void keep_constancy(
    struct axis_facts *result, const struct axis_facts *operands, intptr_t count)
{
    for (unsigned i = 0; i < result->shape.rank; i++) {
        unsigned run = result->shape.bits[i];
        for (intptr_t j = 0; j < count; j++)
            run = smaller(run, operands[j].constancy[i]);
        result->constancy[i] = (uint8_t)run;
    }
}

/* ---- Sums and products ----------------------------------------------------------------------- */

/* a + b, where b's elements are 2^shift times what its facts say: the sum counts up where one side
 * does and the other is constant. */
static void add(struct axis_facts *result, const struct axis_facts *a, const struct axis_facts *b,
    unsigned shift)
{
    for (unsigned i = 0; i < result->shape.rank; i++) {
        unsigned run = larger(
            smaller(a->contiguity[i], b->constancy[i]), smaller(a->constancy[i], b->contiguity[i]));
        result->contiguity[i] = (uint8_t)run;
        result->likely[i] = (uint8_t)larger(
            smaller(a->likely[i], b->constancy[i]), smaller(a->constancy[i], b->likely[i]));
        result->divisibility[i] =
            (uint8_t)smaller(axis_facts_at_runs(a, i, run), axis_facts_at_runs(b, i, run) + shift);
    }
}

static void add_integers(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    add(result, a, b, 0);
    result->range = range_add(a->range, b->range, result->width);
}

static void subtract(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    for (unsigned i = 0; i < result->shape.rank; i++) {
        unsigned run = smaller(a->contiguity[i], b->constancy[i]);
        result->contiguity[i] = (uint8_t)run;
        result->likely[i] = (uint8_t)smaller(a->likely[i], b->constancy[i]);
        result->divisibility[i] =
            (uint8_t)smaller(axis_facts_at_runs(a, i, run), axis_facts_at_runs(b, i, run));
    }
    result->range = range_subtract(a->range, b->range, result->width);
}

/* Whether every element is `value`. */
static bool is_single(const struct axis_facts *facts, int64_t value)
{
    return range_is_single(facts->range) && facts->range.least == value;
}

static void multiply(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    if (is_single(a, 1) || is_single(b, 1)) {
        *result = *(is_single(a, 1) ? b : a);
        return;
    }
    axis_set_everywhere(
        result, smaller(axis_facts_everywhere(a) + axis_facts_everywhere(b), result->width));
    result->range = range_multiply(a->range, b->range, result->width);
}

/* A pointer counts in bytes, its offset in pointees, taken as signed: a run of a narrow offset must
 * not wrap. */
static void add_pointer(struct axis_facts *result, const struct transfer *transfer)
{
    struct axis_facts offset = axis_extend(&transfer->operands[1], true, 64);
    add(result, &transfer->operands[0], &offset, result->unit);
}

/* ---- Division -------------------------------------------------------------------------------- */

/* log2 of a divisor that is a positive power of two, the same everywhere; -1 for any other. */
static int log2_of_divisor(const struct axis_facts *b)
{
    int64_t value = b->range.least;
    if (!range_is_single(b->range) || value <= 0 || (value & (value - 1)) != 0)
        return -1;
    return __builtin_ctzll((uint64_t)value);
}

/* In an aligned run between two multiples of the divisor the quotient is one value, unless it is
 * rounded toward zero from below. */
static void divide(struct axis_facts *result, const struct transfer *transfer, bool rounds_down)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    if (is_single(b, 1)) {
        *result = *a;
        return;
    }
    for (unsigned i = 0; rounds_down && i < result->shape.rank; i++)
        result->constancy[i] =
            (uint8_t)larger(result->constancy[i], axis_run_between_multiples(a, b, i));
    int shift = log2_of_divisor(b);
    unsigned zeros = axis_facts_everywhere(a);
    if (shift >= 0 && zeros > (unsigned)shift)
        axis_set_everywhere(result, zeros - (unsigned)shift);
}

static void divide_signed(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    divide(result, transfer, a->range.least >= 0);
    result->range = range_divide(a->range, b->range, result->width);
}

static void divide_unsigned(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    divide(result, transfer, true);
    result->range = range_all(result->width);
    if (a->range.least >= 0)
        result->range = range_divide(a->range, b->range, result->width);
}

static void divide_floor(struct axis_facts *result, const struct transfer *transfer)
{
    divide(result, transfer, transfer->operands[1].range.least > 0);
}

/* In an aligned run between two multiples of the divisor the remainder counts up, unless a negative
 * dividend makes it count down to zero first. */
static void remainder_of(struct axis_facts *result, const struct transfer *transfer, bool counts_up)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    unsigned multiple = axis_facts_everywhere(b);
    for (unsigned i = 0; i < result->shape.rank; i++) {
        unsigned run = counts_up ? axis_run_between_multiples(a, b, i) : 0;
        result->contiguity[i] = (uint8_t)run;
        result->likely[i] = (uint8_t)smaller(a->likely[i], b->constancy[i]);
        result->divisibility[i] = (uint8_t)smaller(axis_facts_at_runs(a, i, run), multiple);
    }
}

static void remainder_signed(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    remainder_of(result, transfer, a->range.least >= 0);
    result->range = range_remainder(a->range, b->range);
}

static void remainder_unsigned(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    remainder_of(result, transfer, true);
    result->range = range_all(result->width);
    if (a->range.least >= 0 && b->range.least >= 0)
        result->range = range_remainder(a->range, b->range);
    else if (a->range.least >= 0) /* by more than any positive number, it may be */
        result->range = (struct integer_range){0, a->range.most};
}

/* ---- Choices --------------------------------------------------------------------------------- */

/* a where the condition holds, else b. */
static void choose(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *condition = &transfer->operands[0];
    if (divisor_guard_is(transfer->op)) {
        *result = transfer->operands[2];
        return;
    }
    *result = axis_facts_join(&transfer->operands[1], &transfer->operands[2]);
    for (unsigned i = 0; i < result->shape.rank; i++) {
        unsigned run = smaller(result->contiguity[i], condition->constancy[i]);
        result->divisibility[i] = (uint8_t)axis_facts_at_runs(result, i, run);
        result->contiguity[i] = (uint8_t)run;
        result->likely[i] = (uint8_t)smaller(result->likely[i], condition->constancy[i]);
        result->constancy[i] = (uint8_t)smaller(result->constancy[i], condition->constancy[i]);
    }
}

/* Each element is one of the operands', now this, now that. */
static void minimum_or_maximum(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    axis_set_everywhere(result, smaller(axis_facts_everywhere(a), axis_facts_everywhere(b)));
}

static void minimum_signed(struct axis_facts *result, const struct transfer *transfer)
{
    minimum_or_maximum(result, transfer);
    result->range = range_minimum(transfer->operands[0].range, transfer->operands[1].range);
}

static void maximum_signed(struct axis_facts *result, const struct transfer *transfer)
{
    minimum_or_maximum(result, transfer);
    result->range = range_maximum(transfer->operands[0].range, transfer->operands[1].range);
}

/* Which side of a comparison may count up: a < b and a >= b change only at multiples of what b is a
 * multiple of; a > b and a <= b likewise for b. */
enum counting_side { NEITHER_SIDE, LEFT_SIDE, RIGHT_SIDE };

/* In the order of arith's predicates: eq ne slt sle sgt sge ult ule ugt uge. */
static const enum counting_side counting_sides[] = {NEITHER_SIDE, NEITHER_SIDE, LEFT_SIDE,
    RIGHT_SIDE, RIGHT_SIDE, LEFT_SIDE, LEFT_SIDE, RIGHT_SIDE, RIGHT_SIDE, LEFT_SIDE};

static void compare(struct axis_facts *result, const struct transfer *transfer)
{
    MlirStringRef name = mlirStringRefCreateFromCString("predicate");
    int64_t predicate =
        mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(transfer->op, name));
    enum counting_side side = counting_sides[predicate];
    if (side == NEITHER_SIDE)
        return;
    const struct axis_facts *counting = &transfer->operands[side == LEFT_SIDE ? 0 : 1];
    const struct axis_facts *limit = &transfer->operands[side == LEFT_SIDE ? 1 : 0];
    for (unsigned i = 0; i < result->shape.rank; i++)
        result->constancy[i] =
            (uint8_t)larger(result->constancy[i], axis_run_between_multiples(counting, limit, i));
}

/* ---- The table ------------------------------------------------------------------------------- */

static transfer_function *const table[OP_ID_COUNT] = {
    [OP_ARITH_CONSTANT] = axis_constant,
    [OP_TT_MAKE_RANGE] = axis_make_range,
    [OP_TT_GET_PROGRAM_ID] = axis_program_id,
    [OP_TT_GET_NUM_PROGRAMS] = axis_num_programs,
    [OP_TT_SPLAT] = axis_splat,
    [OP_TT_BROADCAST] = axis_broadcast,
    [OP_TT_EXPAND_DIMS] = axis_expand_dims,
    [OP_TT_RESHAPE] = axis_reshape,
    [OP_TT_TRANS] = axis_transpose,
    [OP_TTG_CONVERT_LAYOUT] = axis_same,

    [OP_TT_ADDPTR] = add_pointer,
    [OP_TT_BITCAST] = axis_bitcast,
    [OP_TT_INT_TO_PTR] = axis_between_integer_and_pointer,
    [OP_TT_PTR_TO_INT] = axis_between_integer_and_pointer,
    [OP_ARITH_EXTSI] = axis_extend_signed,
    [OP_ARITH_EXTUI] = axis_extend_unsigned,
    [OP_ARITH_TRUNCI] = axis_truncate,
    [OP_ARITH_INDEX_CAST] = axis_extend_signed,
    [OP_ARITH_INDEX_CASTUI] = axis_extend_unsigned,

    [OP_ARITH_ADDI] = add_integers,
    [OP_ARITH_SUBI] = subtract,
    [OP_ARITH_MULI] = multiply,
    [OP_ARITH_DIVSI] = divide_signed,
    [OP_ARITH_DIVUI] = divide_unsigned,
    [OP_ARITH_FLOORDIVSI] = divide_floor,
    [OP_ARITH_REMSI] = remainder_signed,
    [OP_ARITH_REMUI] = remainder_unsigned,
    [OP_ARITH_ANDI] = axis_and_bits,
    [OP_ARITH_ORI] = axis_or_bits,
    [OP_ARITH_XORI] = axis_or_bits,
    [OP_ARITH_SHLI] = axis_shift_left,
    [OP_ARITH_SHRSI] = axis_shift_right_signed,
    [OP_ARITH_SHRUI] = axis_shift_right_unsigned,
    [OP_ARITH_CMPI] = compare,
    [OP_ARITH_MAXSI] = maximum_signed,
    [OP_ARITH_MAXUI] = minimum_or_maximum,
    [OP_ARITH_MINSI] = minimum_signed,
    [OP_ARITH_MINUI] = minimum_or_maximum,
    [OP_ARITH_SELECT] = choose,
};

/* Scalars beside tiles, as a condition may be, become tiles. */
static void spread_scalars(
    struct axis_facts *operands, intptr_t count, const struct axis_facts *result)
{
    for (intptr_t i = 0; i < count; i++)
        if (operands[i].shape.rank != result->shape.rank ||
            !layout_shape_equal(&operands[i].shape, &result->shape))
            operands[i] = axis_facts_spread(&operands[i], &result->shape);
}

enum { MOST_OPERANDS = 4 };

struct axis_facts axis_transfer(
    MlirOperation op, intptr_t index, const struct axis_facts *operands, intptr_t operand_count)
{
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, index));
    struct axis_facts result = axis_facts_unknown(type), spread[MOST_OPERANDS];
    enum op_id id = op_id_of(op);
    struct transfer transfer = {op, operands};
    bool is_elementwise = ir_is_elementwise(op) && operand_count <= MOST_OPERANDS;
    if (is_elementwise) {
        for (intptr_t i = 0; i < operand_count; i++)
            spread[i] = operands[i];
        spread_scalars(spread, operand_count, &result);
        transfer.operands = spread;
        if (ir_is_pure(op))
            keep_constancy(&result, spread, operand_count);
    }
    if (table[id])
        table[id](&result, &transfer);
    axis_facts_normalise(&result);
    return result;
}
