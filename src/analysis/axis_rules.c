/* See axis_rules.h. */
#include "analysis/axis_rules.h"

#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirAttribute attribute(MlirOperation op, const char *name)
{
    return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

/* ---- Sources --------------------------------------------------------------------------------- */

/* The value of a constant, of each element alike; false where there is no such integer. */
static bool read_constant(MlirAttribute value, int64_t *out_value)
{
    if (mlirAttributeIsADenseElements(value)) {
        if (!mlirDenseElementsAttrIsSplat(value))
            return false;
        value = mlirDenseElementsAttrGetSplatValue(value);
    }
    if (!mlirAttributeIsAInteger(value))
        return false;
    MlirType type = mlirAttributeGetType(value);
    unsigned width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
    if (width == 0 || width > 64)
        return false;
    *out_value = mlirIntegerAttrGetValueInt(value);
    if (width == 1)
        *out_value = -(*out_value & 1); /* as any signed integer of one bit */
    return true;
}

void axis_constant(struct axis_facts *result, const struct transfer *transfer)
{
    int64_t value;
    MlirAttribute constant = attribute(transfer->op, "value");
    if (!mlirAttributeIsADenseElements(constant) || mlirDenseElementsAttrIsSplat(constant))
        axis_facts_set_constant(result);
    if (result->width && read_constant(constant, &value))
        result->range = range_single(value);
}

void axis_make_range(struct axis_facts *result, const struct transfer *transfer)
{
    int64_t start = mlirIntegerAttrGetValueInt(attribute(transfer->op, "start"));
    int64_t end = mlirIntegerAttrGetValueInt(attribute(transfer->op, "end"));
    result->contiguity[0] = result->likely[0] = result->shape.bits[0];
    result->divisibility[0] = start ? (uint8_t)__builtin_ctzll((uint64_t)start) : result->width;
    result->range = (struct integer_range){start, end - 1};
}

/* A grid has at most 2^31 - 1 programs along a dimension. */
void axis_program_id(struct axis_facts *result, const struct transfer *transfer)
{
    (void)transfer;
    result->range = (struct integer_range){0, INT32_MAX - 1};
}

void axis_num_programs(struct axis_facts *result, const struct transfer *transfer)
{
    (void)transfer;
    result->range = (struct integer_range){1, INT32_MAX};
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

void axis_same(struct axis_facts *result, const struct transfer *transfer)
{
    *result = transfer->operands[0];
}

void axis_splat(struct axis_facts *result, const struct transfer *transfer)
{
    *result = axis_facts_spread(&transfer->operands[0], &result->shape);
}

static void copy_dimension(
    struct axis_facts *result, unsigned to, const struct axis_facts *from, unsigned dimension)
{
    result->contiguity[to] = from->contiguity[dimension];
    result->divisibility[to] = from->divisibility[dimension];
    result->constancy[to] = from->constancy[dimension];
    result->likely[to] = from->likely[dimension];
}

/* A dimension along which all elements are equal. */
static void repeat_dimension(struct axis_facts *result, unsigned to, const struct axis_facts *from)
{
    result->divisibility[to] = (uint8_t)axis_facts_everywhere(from);
    result->constancy[to] = result->shape.bits[to];
}

void axis_broadcast(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *from = &transfer->operands[0];
    for (unsigned i = 0; i < result->shape.rank; i++) {
        if (from->shape.bits[i] == 0)
            repeat_dimension(result, i, from);
        else
            copy_dimension(result, i, from, i);
    }
    result->range = from->range;
}

void axis_expand_dims(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *from = &transfer->operands[0];
    unsigned axis = (unsigned)mlirIntegerAttrGetValueInt(attribute(transfer->op, "axis"));
    for (unsigned i = 0, next = 0; i < result->shape.rank; i++) {
        if (i == axis)
            repeat_dimension(result, i, from);
        else
            copy_dimension(result, i, from, next++);
    }
    result->range = from->range;
}

/* In row-major order the last dimension of either shape walks through neighbouring elements. */
static void reshape_rows(struct axis_facts *result, const struct axis_facts *from)
{
    unsigned to_last = result->shape.rank - 1, from_last = from->shape.rank - 1;
    for (unsigned i = 0; i < to_last; i++)
        result->divisibility[i] = (uint8_t)axis_facts_everywhere(from);
    unsigned run = smaller(from->contiguity[from_last], result->shape.bits[to_last]);
    result->contiguity[to_last] = (uint8_t)run;
    result->divisibility[to_last] = (uint8_t)axis_facts_at_runs(from, from_last, run);
    result->constancy[to_last] = from->constancy[from_last];
    result->likely[to_last] = from->likely[from_last];
}

static bool is_reordering(MlirOperation op)
{
    MlirAttribute allowed = attribute(op, "allow_reorder");
    return !mlirAttributeIsNull(allowed);
}

void axis_reshape(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *from = &transfer->operands[0];
    unsigned dimensions[LAYOUT_MAX_RANK];
    result->range = from->range;
    if (is_reordering(transfer->op)) {
        for (unsigned i = 0; i < result->shape.rank; i++)
            result->divisibility[i] = (uint8_t)axis_facts_everywhere(from);
    } else if (layout_shape_same_but_ones(&from->shape, &result->shape, dimensions)) {
        for (unsigned i = 0; i < result->shape.rank; i++) {
            if (dimensions[i] == LAYOUT_MAX_RANK)
                repeat_dimension(result, i, from);
            else
                copy_dimension(result, i, from, dimensions[i]);
        }
    } else {
        reshape_rows(result, from);
    }
}

void axis_transpose(struct axis_facts *result, const struct transfer *transfer)
{
    MlirAttribute order = attribute(transfer->op, "order");
    for (unsigned i = 0; i < result->shape.rank; i++)
        copy_dimension(
            result, i, &transfer->operands[0], (unsigned)mlirDenseI32ArrayGetElement(order, i));
    result->range = transfer->operands[0].range;
}

/* ---- Casts ----------------------------------------------------------------------------------- */

unsigned axis_aligned_run(const struct axis_facts *integers, unsigned dimension)
{
    return smaller(integers->contiguity[dimension], integers->divisibility[dimension]);
}

unsigned axis_run_between_multiples(
    const struct axis_facts *a, const struct axis_facts *b, unsigned dimension)
{
    unsigned run = smaller(axis_aligned_run(a, dimension), axis_facts_everywhere(b));
    return smaller(run, b->constancy[dimension]);
}

void axis_set_everywhere(struct axis_facts *result, unsigned divisibility)
{
    for (unsigned i = 0; i < result->shape.rank; i++)
        result->divisibility[i] = (uint8_t)divisibility;
}

/* Whether counting up by one may pass from the type's most to its least value, as the extension
 * reads them: signed, from the largest to the smallest; unsigned, from -1 to 0. */
static bool may_wrap(const struct axis_facts *integers, bool is_signed)
{
    struct integer_range all = range_all(integers->width), range = integers->range;
    if (is_signed)
        return range.least == all.least && range.most == all.most;
    return range.least < 0 && range.most >= 0;
}

struct axis_facts axis_extend(const struct axis_facts *integers, bool is_signed, unsigned width)
{
    struct axis_facts wide = *integers;
    wide.width = (uint8_t)width;
    if (width < integers->width) {
        wide.range = range_truncate(integers->range, width);
    } else if (width > integers->width) {
        for (unsigned i = 0; i < wide.shape.rank && may_wrap(integers, is_signed); i++) {
            unsigned run = axis_aligned_run(integers, i);
            wide.divisibility[i] = (uint8_t)axis_facts_at_runs(integers, i, run);
            wide.contiguity[i] = (uint8_t)run;
        }
        if (!is_signed)
            wide.range = range_extend_unsigned(integers->range, integers->width);
    }
    axis_facts_normalise(&wide);
    return wide;
}

void axis_extend_signed(struct axis_facts *result, const struct transfer *transfer)
{
    *result = axis_extend(&transfer->operands[0], true, result->width);
}

void axis_extend_unsigned(struct axis_facts *result, const struct transfer *transfer)
{
    *result = axis_extend(&transfer->operands[0], false, result->width);
}

void axis_truncate(struct axis_facts *result, const struct transfer *transfer)
{
    axis_extend_signed(result, transfer);
}

/* Between pointers: the addresses are the same, and count by another unit. */
static void recount(struct axis_facts *result, const struct axis_facts *from)
{
    for (unsigned i = 0; i < result->shape.rank; i++) {
        if (from->unit == result->unit) {
            copy_dimension(result, i, from, i);
            continue;
        }
        result->divisibility[i] = (uint8_t)axis_facts_everywhere(from);
        result->constancy[i] = from->constancy[i];
    }
}

void axis_bitcast(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *from = &transfer->operands[0];
    if (result->width != from->width || result->is_pointer != from->is_pointer)
        return;
    recount(result, from);
    result->range = from->range;
}

/* Pointers are integers of 64 bits that count bytes. Extending a narrower one is no wrap more than
 * an extension is. */
void axis_between_integer_and_pointer(struct axis_facts *result, const struct transfer *transfer)
{
    const struct axis_facts *from = &transfer->operands[0];
    if (from->width == result->width)
        recount(result, from);
}
