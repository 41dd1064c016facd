/* See tile_evaluate.h. */
#include "tile_evaluate.h"

#include "mlir-c/BuiltinAttributes.h"

static bool divides_badly(int64_t a, int64_t b, unsigned width)
{
    return b == 0 || (b == -1 && a == sign_extended((int64_t)(UINT64_C(1) << (width - 1)), width));
}

static int64_t divide_rounding(int64_t a, int64_t b, int direction)
{
    int64_t quotient = a / b, remainder = a % b;
    bool is_negative = (a < 0) != (b < 0);
    if (remainder && direction < 0 && is_negative)
        quotient--;
    if (remainder && direction > 0 && !is_negative)
        quotient++;
    return quotient;
}

static bool compare(int64_t predicate, int64_t a, int64_t b, unsigned width)
{
    uint64_t ua = zero_extended(a, width), ub = zero_extended(b, width);
    const bool results[] = {
        a == b, a != b, a<b, a <= b, a> b, a >= b, ua<ub, ua <= ub, ua> ub, ua >= ub};
    return results[predicate];
}

/* False: the result is unspecified. */
static bool evaluate_division(
    const struct element_operation *operation, int64_t a, int64_t b, int64_t *out)
{
    uint64_t ua = zero_extended(a, operation->width), ub = zero_extended(b, operation->width);
    switch (operation->id) {
    case OP_ARITH_DIVUI:
        *out = ub ? (int64_t)(ua / ub) : 0;
        return ub != 0;
    case OP_ARITH_REMUI:
        *out = ub ? (int64_t)(ua % ub) : 0;
        return ub != 0;
    default:
        break;
    }
    if (divides_badly(a, b, operation->width))
        return false;
    if (operation->id == OP_ARITH_REMSI)
        *out = a % b;
    else if (operation->id == OP_ARITH_FLOORDIVSI)
        *out = divide_rounding(a, b, -1);
    else if (operation->id == OP_ARITH_CEILDIVSI)
        *out = divide_rounding(a, b, 1);
    else
        *out = a / b;
    return true;
}

static bool evaluate_shift(
    const struct element_operation *operation, int64_t a, int64_t b, int64_t *out)
{
    uint64_t amount = zero_extended(b, operation->width);
    if (amount >= operation->width)
        return false;
    if (operation->id == OP_ARITH_SHLI)
        *out = (int64_t)((uint64_t)a << amount);
    else if (operation->id == OP_ARITH_SHRSI)
        *out = a >> amount;
    else
        *out = (int64_t)(zero_extended(a, operation->width) >> amount);
    return true;
}

bool tile_evaluate(const struct element_operation *operation, const int64_t *x, int64_t *out,
    const char **out_unknown)
{
    unsigned width = operation->width;
    uint64_t a = (uint64_t)x[0], b = (uint64_t)x[1];
    uint64_t ua = zero_extended(x[0], width), ub = zero_extended(x[1], width);
    switch (operation->id) {
    case OP_ARITH_ADDI:
        *out = (int64_t)(a + b);
        return true;
    case OP_ARITH_SUBI:
        *out = (int64_t)(a - b);
        return true;
    case OP_ARITH_MULI:
        *out = (int64_t)(a * b);
        return true;
    case OP_ARITH_DIVSI:
    case OP_ARITH_DIVUI:
    case OP_ARITH_FLOORDIVSI:
    case OP_ARITH_CEILDIVSI:
    case OP_ARITH_REMSI:
    case OP_ARITH_REMUI:
        return evaluate_division(operation, x[0], x[1], out);
    case OP_ARITH_SHLI:
    case OP_ARITH_SHRSI:
    case OP_ARITH_SHRUI:
        return evaluate_shift(operation, x[0], x[1], out);
    case OP_ARITH_ANDI:
        *out = x[0] & x[1];
        return true;
    case OP_ARITH_ORI:
        *out = x[0] | x[1];
        return true;
    case OP_ARITH_XORI:
        *out = x[0] ^ x[1];
        return true;
    case OP_ARITH_MAXSI:
        *out = x[0] > x[1] ? x[0] : x[1];
        return true;
    case OP_ARITH_MINSI:
        *out = x[0] < x[1] ? x[0] : x[1];
        return true;
    case OP_ARITH_MAXUI:
        *out = ua > ub ? x[0] : x[1];
        return true;
    case OP_ARITH_MINUI:
        *out = ua < ub ? x[0] : x[1];
        return true;
    case OP_ARITH_CMPI: {
        MlirStringRef name = mlirStringRefCreateFromCString("predicate");
        MlirAttribute predicate = mlirOperationGetAttributeByName(operation->op, name);
        *out = compare(mlirIntegerAttrGetValueInt(predicate), x[0], x[1], operation->from_width);
        return true;
    }
    case OP_ARITH_SELECT:
        *out = x[0] ? x[1] : x[2];
        return true;
    case OP_ARITH_EXTUI:
        *out = (int64_t)zero_extended(x[0], operation->from_width);
        return true;
    case OP_ARITH_EXTSI:
    case OP_ARITH_TRUNCI:
    case OP_TT_BITCAST:
    case OP_TT_PTR_TO_INT:
    case OP_TT_INT_TO_PTR:
        *out = x[0];
        return true;
    case OP_TT_ADDPTR:
        *out = (int64_t)(a + b * operation->pointee_size);
        return true;
    default:
        *out_unknown = op_id_name(operation->id);
        return false;
    }
}
