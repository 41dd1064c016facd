/* See divisor_guard.h. */
#include "analysis/divisor_guard.h"

#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { DEEPEST = 4, CONDITION = 0, DIVISOR = 1, LAST = 2, PREDICATE_EQUAL = 0 };

static MlirAttribute attribute(MlirOperation op, const char *name)
{
    return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

/* What makes the value; a null operation for arguments. */
static MlirOperation maker_of(MlirValue value)
{
    return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool is_made_by(MlirValue value, enum op_id id)
{
    MlirOperation op = maker_of(value);
    return !mlirOperationIsNull(op) && op_id_of(op) == id;
}

/* Whether the value is that number, of each element alike. */
static bool is_number(MlirValue value, int64_t number)
{
    if (!is_made_by(value, OP_ARITH_CONSTANT))
        return false;
    MlirAttribute constant = attribute(maker_of(value), "value");
    if (mlirAttributeIsADenseElements(constant) && mlirDenseElementsAttrIsSplat(constant))
        constant = mlirDenseElementsAttrGetSplatValue(constant);
    return mlirAttributeIsAInteger(constant) && mlirIntegerAttrGetValueInt(constant) == number;
}

static bool is_guard(MlirOperation select, unsigned depth);

/* What the guards in front of a divisor choose beside 1. */
static MlirValue behind_guards(MlirValue value, unsigned depth)
{
    if (depth < DEEPEST && is_made_by(value, OP_ARITH_SELECT) &&
        is_guard(maker_of(value), depth + 1))
        return behind_guards(mlirOperationGetOperand(maker_of(value), LAST), depth + 1);
    return value;
}

/* Whether the divisor is 0 or -1 where the condition holds. */
static bool implies_special(MlirValue condition, MlirValue divisor)
{
    MlirOperation op = maker_of(condition);
    if (is_made_by(condition, OP_ARITH_ANDI))
        return implies_special(mlirOperationGetOperand(op, 0), divisor) ||
               implies_special(mlirOperationGetOperand(op, 1), divisor);
    if (!is_made_by(condition, OP_ARITH_CMPI) ||
        mlirIntegerAttrGetValueInt(attribute(op, "predicate")) != PREDICATE_EQUAL)
        return false;
    MlirValue number = mlirOperationGetOperand(op, 1);
    return mlirValueEqual(mlirOperationGetOperand(op, 0), divisor) &&
           (is_number(number, 0) || is_number(number, -1));
}

static bool is_guard(MlirOperation select, unsigned depth)
{
    MlirValue last = behind_guards(mlirOperationGetOperand(select, LAST), depth);
    return is_number(mlirOperationGetOperand(select, 1), 1) &&
           implies_special(mlirOperationGetOperand(select, CONDITION), last);
}

/* ---- Uses ------------------------------------------------------------------------------------ */

static bool is_divisor_alone(MlirValue value, unsigned depth);

static bool divides(MlirOperation user, intptr_t operand, unsigned depth)
{
    switch (op_id_of(user)) {
    case OP_ARITH_DIVSI:
    case OP_ARITH_DIVUI:
    case OP_ARITH_REMSI:
    case OP_ARITH_REMUI:
        return operand == DIVISOR;
    case OP_ARITH_SELECT:
        return operand == LAST && is_guard(user, 0) &&
               is_divisor_alone(mlirOperationGetResult(user, 0), depth + 1);
    case OP_TT_SPLAT:
    case OP_TTG_CONVERT_LAYOUT:
        return is_divisor_alone(mlirOperationGetResult(user, 0), depth + 1);
    default:
        return false;
    }
}

static bool is_divisor_alone(MlirValue value, unsigned depth)
{
    if (depth > DEEPEST)
        return false;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use))
        if (!divides(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), depth))
            return false;
    return true;
}

bool divisor_guard_is(MlirOperation select)
{
    return is_guard(select, 0) && is_divisor_alone(mlirOperationGetResult(select, 0), 0);
}
