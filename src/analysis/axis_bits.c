/* See axis_rules.h: operations on bits, and shifts. In the comments a and b are the operands. */
#include "analysis/axis_rules.h"

/* ---- Bits ------------------------------------------------------------------------------------ */

/* How many of the lowest bits are 1 in every element: where all are one known value. */
static unsigned trailing_ones(const struct axis_facts *facts)
{
    if (!range_is_single(facts->range))
        return 0;
    uint64_t inverted = ~(uint64_t)facts->range.least;
    return inverted ? (unsigned)__builtin_ctzll(inverted) : 64;
}

/* a & b along an aligned run of a, where b is one value: b's lowest ones let the count pass, its
 * lowest zeros drop it. */
static void mask_run(struct axis_facts *result, const struct axis_facts *a,
    const struct axis_facts *b, unsigned dimension)
{
    unsigned run = smaller(axis_aligned_run(a, dimension), b->constancy[dimension]);
    unsigned counting = smaller(run, trailing_ones(b));
    unsigned dropped = smaller(run, axis_facts_everywhere(b));
    if (counting > result->contiguity[dimension]) {
        result->contiguity[dimension] = (uint8_t)counting;
        result->divisibility[dimension] = (uint8_t)axis_facts_at_runs(a, dimension, counting);
    }
    result->constancy[dimension] = (uint8_t)larger(result->constancy[dimension], dropped);
}

void axis_and_bits(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    axis_set_everywhere(result, larger(axis_facts_everywhere(a), axis_facts_everywhere(b)));
    for (unsigned i = 0; i < result->shape.rank; i++) {
        mask_run(result, a, b, i);
        mask_run(result, b, a, i);
    }
    result->range = range_and(a->range, b->range, result->width);
}

/* a | b and a ^ b along an aligned run of a: b's lowest zeros leave the count as it is. */
static void join_run(struct axis_facts *result, const struct axis_facts *a,
    const struct axis_facts *b, unsigned dimension)
{
    unsigned run = axis_run_between_multiples(a, b, dimension);
    if (run <= result->contiguity[dimension])
        return;
    result->contiguity[dimension] = (uint8_t)run;
    result->divisibility[dimension] =
        (uint8_t)smaller(axis_facts_at_runs(a, dimension, run), axis_facts_everywhere(b));
}

void axis_or_bits(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *b = &transfer->operands[1];
    axis_set_everywhere(result, smaller(axis_facts_everywhere(a), axis_facts_everywhere(b)));
    for (unsigned i = 0; i < result->shape.rank; i++) {
        join_run(result, a, b, i);
        join_run(result, b, a, i);
    }
}

/* ---- Shifts ---------------------------------------------------------------------------------- */

/* The amount of a shift by one known number below the width; -1 for any other. */
static int known_amount(const struct axis_facts *result, const struct axis_facts *amount)
{
    bool is_known = range_is_single(amount->range) && amount->range.least >= 0 &&
                    amount->range.least < result->width;
    return is_known ? (int)amount->range.least : -1;
}

/* Beyond the width a shift gives an unspecified value, another one in every element. */
static bool may_shift_too_far(const struct axis_facts *result, const struct axis_facts *amount)
{
    return amount->range.least < 0 || amount->range.most >= result->width;
}

static void forget_constancy(struct axis_facts *result)
{
    for (unsigned i = 0; i < result->shape.rank; i++)
        result->constancy[i] = 0;
}

void axis_shift_left(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *a = &transfer->operands[0], *amount = &transfer->operands[1];
    if (may_shift_too_far(result, amount)) {
        forget_constancy(result);
        return;
    }
    int known = known_amount(result, amount);
    if (known == 0) {
        *result = *a;
        return;
    }
    unsigned zeros = axis_facts_everywhere(a) + (unsigned)amount->range.least;
    axis_set_everywhere(result, smaller(zeros, result->width));
    if (known > 0 && known < 63)
        result->range = range_multiply(a->range, range_single(INT64_C(1) << known), result->width);
}

/* As a division that rounds down, by a power of two. */
static void shift_right(struct axis_facts *result, const struct transfer *transfer, bool is_signed)
{
    const struct axis_facts *a = &transfer->operands[0], *amount = &transfer->operands[1];
    if (may_shift_too_far(result, amount)) {
        forget_constancy(result);
        return;
    }
    int known = known_amount(result, amount);
    if (known == 0)
        *result = *a;
    if (known <= 0)
        return;
    for (unsigned i = 0; i < result->shape.rank; i++)
        result->constancy[i] =
            (uint8_t)larger(result->constancy[i], smaller(axis_aligned_run(a, i), (unsigned)known));
    unsigned zeros = axis_facts_everywhere(a);
    axis_set_everywhere(result, zeros > (unsigned)known ? zeros - (unsigned)known : 0);
    if (is_signed || a->range.least >= 0)
        result->range = range_shift_right(a->range, (unsigned)known);
}

void axis_shift_right_signed(struct axis_facts *result, const struct transfer *transfer)
{
    shift_right(result, transfer, true);
}

void axis_shift_right_unsigned(struct axis_facts *result, const struct transfer *transfer)
{
    shift_right(result, transfer, false);
}
