/* Elementwise functions and conversions by name. f16 and bf16 are computed in f32 and rounded once.
 */
#include "frontend/lower_operations.h"

#include <mlir-c/BuiltinTypes.h>

static bool is_float(value operand)
{
    return element_describe(operand.element)->category == ELEMENT_FLOATING;
}

static bool is_narrow_float(value operand)
{
    return is_float(operand) && element_describe(operand.element)->bits < 32;
}

static value apply(lowering *lowering, const char *name, value x, value y, value z)
{
    build_parts parts = {.result = value_type(x), .operands = {x.ssa}};
    if (value_is_valid(y))
        parts.operands[1] = y.ssa;
    if (value_is_valid(z))
        parts.operands[2] = z.ssa;
    x.ssa = build_single(&lowering->builder, name, &parts);
    return x;
}

/* In f32 where the element is narrower. */
static value apply_wide(lowering *lowering, const char *name, value x, value y, value z)
{
    element_type element = x.element;
    if (is_narrow_float(x)) {
        x = lower_convert(lowering, x, ELEMENT_f32);
        y = lower_convert(lowering, y, ELEMENT_f32);
        z = lower_convert(lowering, z, ELEMENT_f32);
    }
    return lower_convert(lowering, apply(lowering, name, x, y, z), element);
}

static value unary(lowering *lowering, const ast_node *call, const char *name)
{
    value x = operation_value(lowering, call, 1);
    if (!value_is_valid(x))
        return x;
    if (value_is_pointer(x) || !is_float(x))
        return lower_error(lowering, call->place, NOT_FLOATING, value_describe(lowering, x));
    return apply_wide(lowering, name, x, (value){0}, (value){0});
}

#define UNARY(name, operation)                                                                     \
    value operation_##name(lowering *lowering, const ast_node *call)                               \
    {                                                                                              \
        return unary(lowering, call, operation);                                                   \
    }
UNARY(ceil, "math.ceil")
UNARY(cos, "math.cos")
UNARY(erf, "math.erf")
UNARY(exp, "math.exp")
UNARY(exp2, "math.exp2")
UNARY(floor, "math.floor")
UNARY(log, "math.log")
UNARY(log2, "math.log2")
UNARY(round, "math.round")
UNARY(rsqrt, "math.rsqrt")
UNARY(sin, "math.sin")
UNARY(sqrt, "math.sqrt")
UNARY(tanh, "math.tanh")
UNARY(trunc, "math.trunc")
#undef UNARY

value operation_abs(lowering *lowering, const ast_node *call)
{
    value x = lower_lanes(lowering, operation_value(lowering, call, 1));
    if (!value_is_valid(x) || value_is_pointer(x))
        return (value){0};
    if (is_float(x))
        return apply(lowering, "math.absf", x, (value){0}, (value){0});
    bool is_signed = element_describe(x.element)->is_signed;
    return is_signed ? apply(lowering, "math.absi", x, (value){0}, (value){0}) : x;
}

/* ---- Several operands ------------------------------------------------------------------------ */

enum { MOST_OPERANDS = 3 };

/* The operands in one element and one shape: scalars take the tiles' element, or what C makes of
 * them all. False after an error. */
static bool operands_of(
    lowering *lowering, const ast_node *call, size_t count, value operands[MOST_OPERANDS])
{
    value like = {0};
    for (size_t i = 0; i < count; i++) {
        operands[i] = lower_lanes(lowering, operation_value(lowering, call, i + 1));
        if (!value_is_valid(operands[i]) || value_is_pointer(operands[i]))
            return false;
        bool is_first_tile = value_is_tile(operands[i]) && !value_is_valid(like);
        if (is_first_tile)
            like = operands[i];
    }
    if (!value_is_valid(like))
        like = (value){.element = lower_common_element(operands, count)};
    for (size_t i = 0; i < count; i++) {
        if (!value_is_tile(operands[i]))
            operands[i] = lower_convert(lowering, operands[i], like.element);
        if (value_is_valid(like))
            operands[i] = lower_spread(lowering, operands[i], like);
        if (operands[i].element == like.element &&
            (!value_is_valid(like) || value_has_shape_of(operands[i], like)))
            continue;
        lower_error(lowering, call->place, OPERANDS_DIFFER, value_describe(lowering, operands[i]),
            value_describe(lowering, like));
        return false;
    }
    return true;
}

/* What C computes with where arithmetic scalars meet: the wider, floating before integer, int at
 * the least, unsigned where that is not narrower. */
element_type lower_common_element(const value *operands, size_t count)
{
    element_type common = ELEMENT_i32;
    for (size_t i = 0; i < count; i++) {
        const element_info *one = element_describe(common);
        const element_info *other = element_describe(operands[i].element);
        bool is_wider = other->bits > one->bits && other->category == one->category;
        bool is_floating = other->category == ELEMENT_FLOATING && one->category != ELEMENT_FLOATING;
        bool is_unsigned = other->bits == one->bits && other->category == ELEMENT_INTEGER &&
                           one->category == ELEMENT_INTEGER && !other->is_signed;
        if (is_wider || is_floating || is_unsigned)
            common = operands[i].element;
    }
    return common;
}

/* The operation for each class of element. */
typedef struct by_class {
    const char *for_float, *for_signed, *for_unsigned;
} by_class;

static const char *name_for(by_class names, value operand)
{
    if (is_float(operand))
        return names.for_float;
    return element_describe(operand.element)->is_signed ? names.for_signed : names.for_unsigned;
}

static const by_class maximum = {"arith.maxnumf", "arith.maxsi", "arith.maxui"};
static const by_class minimum = {"arith.minnumf", "arith.minsi", "arith.minui"};

static value multary(lowering *lowering, const ast_node *call, size_t count, by_class names)
{
    value operands[MOST_OPERANDS] = {0};
    if (!operands_of(lowering, call, count, operands))
        return (value){0};
    const char *name = name_for(names, operands[0]);
    if (!name)
        return lower_error(
            lowering, call->place, NO_SUCH_FUNCTION, value_describe(lowering, operands[0]));
    return apply_wide(lowering, name, operands[0], operands[1], operands[2]);
}

value operation_maximum(lowering *lowering, const ast_node *call)
{
    return multary(lowering, call, 2, maximum);
}

value operation_minimum(lowering *lowering, const ast_node *call)
{
    return multary(lowering, call, 2, minimum);
}

value operation_pow(lowering *lowering, const ast_node *call)
{
    return multary(lowering, call, 2, (by_class){"math.powf", NULL, NULL});
}

value operation_fdiv(lowering *lowering, const ast_node *call)
{
    return multary(lowering, call, 2, (by_class){"arith.divf", NULL, NULL});
}

value operation_fma(lowering *lowering, const ast_node *call)
{
    return multary(lowering, call, 3, (by_class){"math.fma", NULL, NULL});
}

value operation_clamp(lowering *lowering, const ast_node *call)
{
    value operands[MOST_OPERANDS] = {0};
    if (!operands_of(lowering, call, 3, operands))
        return (value){0};
    value raised =
        apply(lowering, name_for(maximum, operands[0]), operands[0], operands[1], (value){0});
    return apply(lowering, name_for(minimum, raised), raised, operands[2], (value){0});
}

/* Truncates, and adds 1 where something was cut off and the quotient is not negative. */
value operation_cdiv(lowering *lowering, const ast_node *call)
{
    value operands[MOST_OPERANDS] = {0};
    if (!operands_of(lowering, call, 2, operands))
        return (value){0};
    value x = operands[0], y = operands[1];
    if (is_float(x))
        return lower_error(lowering, call->place, CDIV_FLOATING, value_describe(lowering, x));
    builder *builder = &lowering->builder;
    value quotient = lower_binary(lowering, call->place, AST_OP_DIV, x, y);
    value rest = lower_binary(lowering, call->place, AST_OP_REM, x, y);
    MlirValue zero = lower_number(lowering, x.element, value_type(x), 0);
    MlirValue one = lower_number(lowering, x.element, value_type(x), 1);
    MlirValue is_cut = build_compare(builder, "arith.cmpi", CMPI_NE, rest.ssa, zero);
    if (element_describe(x.element)->is_signed) {
        value signs = lower_binary(lowering, call->place, AST_OP_XOR, x, y);
        MlirValue is_positive = build_compare(builder, "arith.cmpi", CMPI_SGE, signs.ssa, zero);
        is_cut = build_value(builder, "arith.andi", mlirValueGetType(is_cut), is_cut, is_positive);
    }
    MlirValue added = build_value(builder, "arith.select", value_type(x), is_cut, one, zero);
    quotient.ssa = build_value(builder, "arith.addi", value_type(x), quotient.ssa, added);
    return quotient;
}

/* ---- Conversions and choice ------------------------------------------------------------------ */

value operation_cast(lowering *lowering, const ast_node *call)
{
    value x = operation_value(lowering, call, 2);
    element_type to = operation_element(lowering, call, 1);
    if (!value_is_valid(x) || to == ELEMENT_NONE)
        return (value){0};
    if (value_is_pointer(x))
        return lower_error(lowering, call->place, POINTER_CAST, element_describe(to)->name);
    value converted = lower_convert(lowering, x, to);
    if (to == ELEMENT_bool && value_is_tile(converted))
        converted.is_mask = true;
    converted.element = to;
    return converted;
}

value operation_bitcast(lowering *lowering, const ast_node *call)
{
    value x = lower_lanes(lowering, operation_value(lowering, call, 2));
    element_type to = operation_element(lowering, call, 1);
    if (!value_is_valid(x) || to == ELEMENT_NONE)
        return (value){0};
    if (value_is_pointer(x) || element_describe(to)->bits != element_describe(x.element)->bits)
        return lower_error(lowering, call->place, BITS_DIFFER, value_describe(lowering, x),
            element_describe(to)->name);
    MlirType type = build_with_element(value_type(x), lower_element_type(lowering, to));
    value cast = {.ssa = x.ssa, .element = to};
    if (!mlirTypeEqual(type, value_type(x)))
        cast.ssa = build_value(&lowering->builder, "tt.bitcast", type, x.ssa);
    return cast;
}

value operation_mask(lowering *lowering, const ast_node *call)
{
    value x = operation_value(lowering, call, 1);
    if (!value_is_valid(x) || !operation_is_mask(lowering, call, x))
        return (value){0};
    value mask = lower_truth(lowering, x);
    mask.element = ELEMENT_bool;
    return mask;
}

value operation_where(lowering *lowering, const ast_node *call)
{
    value mask = operation_value(lowering, call, 1);
    value a = lower_lanes(lowering, operation_value(lowering, call, 2));
    value b = lower_lanes(lowering, operation_value(lowering, call, 3));
    if (!value_is_valid(mask) || !value_is_valid(a) || !value_is_valid(b) ||
        !operation_is_mask(lowering, call, mask))
        return (value){0};
    mask = lower_truth(lowering, mask);
    value like = value_is_tile(a) ? a : b;
    element_type element =
        value_is_tile(like) ? like.element : lower_common_element((value[]){a, b}, 2);
    if (!value_is_pointer(a) && !value_is_tile(a))
        a = lower_convert(lowering, a, element);
    if (!value_is_pointer(b) && !value_is_tile(b))
        b = lower_convert(lowering, b, element);
    value shape = value_is_tile(mask) ? mask : like;
    a = lower_spread(lowering, a, shape);
    b = lower_spread(lowering, b, shape);
    bool agree = mlirTypeEqual(value_type(a), value_type(b)) && a.element == b.element &&
                 (!value_is_tile(mask) || value_has_shape_of(mask, a));
    if (!agree)
        return lower_error(lowering, call->place, CHOICE_OF_TILES, value_describe(lowering, mask),
            value_describe(lowering, a), value_describe(lowering, b));
    a.ssa = build_value(&lowering->builder, "arith.select", value_type(a), mask.ssa, a.ssa, b.ssa);
    return a;
}
