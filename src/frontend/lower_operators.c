/* C's operators on scalars and tiles.
 *
 * What LANGUAGE says where C or hardware leaves room is made explicit here, once, for every device:
 * division truncates and never traps, shift counts are taken modulo the width, float to integer
 * saturates, and `/` on f32 is the IEEE division (tt.precise_divf; arith.divf means a fast one in
 * the tt dialect).
 */
#include "frontend/lowering.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

/* The arith operation for each operator and class of element; NULL: C has none. */
typedef struct operator_row {
    const char *for_signed, *for_unsigned, *for_float;
} operator_row;

static const operator_row arithmetic[] = {
    [AST_OP_ADD] = {"arith.addi", "arith.addi", "arith.addf"},
    [AST_OP_SUB] = {"arith.subi", "arith.subi", "arith.subf"},
    [AST_OP_MUL] = {"arith.muli", "arith.muli", "arith.mulf"},
    [AST_OP_DIV] = {"arith.divsi", "arith.divui", "arith.divf"},
    [AST_OP_REM] = {"arith.remsi", "arith.remui", NULL},
    [AST_OP_AND] = {"arith.andi", "arith.andi", NULL},
    [AST_OP_OR] = {"arith.ori", "arith.ori", NULL},
    [AST_OP_XOR] = {"arith.xori", "arith.xori", NULL},
    [AST_OP_SHL] = {"arith.shli", "arith.shli", NULL},
    [AST_OP_SHR] = {"arith.shrsi", "arith.shrui", NULL},
};

/* The predicates of cmpi for signed and unsigned, and of cmpf. */
typedef struct comparison_row {
    int for_signed, for_unsigned, for_float;
} comparison_row;

static const comparison_row comparisons[] = {
    [AST_OP_LT] = {CMPI_SLT, CMPI_ULT, CMPF_OLT},
    [AST_OP_LE] = {CMPI_SLE, CMPI_ULE, CMPF_OLE},
    [AST_OP_GT] = {CMPI_SGT, CMPI_UGT, CMPF_OGT},
    [AST_OP_GE] = {CMPI_SGE, CMPI_UGE, CMPF_OGE},
    [AST_OP_EQ] = {CMPI_EQ, CMPI_EQ, CMPF_OEQ},
    [AST_OP_NE] = {CMPI_NE, CMPI_NE, CMPF_UNE},
};

static bool is_comparison(ast_operator op)
{
    return op >= AST_OP_LT && op <= AST_OP_NE;
}

static bool is_float(value value)
{
    return element_describe(value.element)->category == ELEMENT_FLOATING;
}

static bool is_signed(value value)
{
    return element_describe(value.element)->is_signed;
}

static value with_ssa(value like, MlirValue ssa)
{
    like.ssa = ssa;
    return like;
}

static value constant_like(lowering *lowering, value like, int64_t number)
{
    return with_ssa(like, build_integer(&lowering->builder, value_type(like), number));
}

static MlirValue compare(lowering *lowering, value left, value right, int predicate)
{
    const char *name = is_float(left) ? "arith.cmpf" : "arith.cmpi";
    return build_compare(&lowering->builder, name, predicate, left.ssa, right.ssa);
}

static value choose(lowering *lowering, MlirValue condition, value yes, value no)
{
    return with_ssa(yes, build_value(&lowering->builder, "arith.select", value_type(yes), condition,
                             yes.ssa, no.ssa));
}

value lower_spread(lowering *lowering, value scalar, value shape)
{
    if (value_is_tile(scalar) || !value_is_tile(shape))
        return scalar;
    MlirType type = build_with_element(value_type(shape), value_type(scalar));
    return with_ssa(scalar, build_splat(&lowering->builder, scalar.ssa, type));
}

value lower_truth(lowering *lowering, value from)
{
    if (from.is_mask || (from.element == ELEMENT_bool && !value_is_pointer(from)))
        return from;
    if (value_is_pointer(from))
        from = lower_pointer_bits(lowering, from);
    if (element_is_f8(from.element))
        from = lower_convert(lowering, from, ELEMENT_f32);
    value zero = from;
    zero.ssa = is_float(from) ? build_float(&lowering->builder, value_type(from), 0.0)
                              : build_integer(&lowering->builder, value_type(from), 0);
    value truth = {.element = value_is_tile(from) ? from.element : ELEMENT_bool,
        .is_mask = value_is_tile(from)};
    truth.ssa = compare(lowering, from, zero, is_float(from) ? CMPF_UNE : CMPI_NE);
    return truth;
}

value lower_lanes(lowering *lowering, value from)
{
    if (!from.is_mask)
        return from;
    element_type element = from.element == ELEMENT_bool ? ELEMENT_i32 : from.element;
    MlirType type = build_with_element(value_type(from), lower_element_type(lowering, element));
    return (value){
        .ssa = build_value(&lowering->builder, "arith.extsi", type, from.ssa), .element = element};
}

/* The IEEE quotient. f16 and bf16 go through f32, whose quotient rounds to theirs exactly: 24 bits
 * are at least 2 * 11 + 2 (Figueroa, When is double rounding innocuous?, 1995). */
static value divide_floats(lowering *lowering, value left, value right)
{
    builder *builder = &lowering->builder;
    if (left.element == ELEMENT_f64)
        return with_ssa(
            left, build_value(builder, "arith.divf", value_type(left), left.ssa, right.ssa));
    value x = lower_convert(lowering, left, ELEMENT_f32);
    value y = lower_convert(lowering, right, ELEMENT_f32);
    x.ssa = build_value(builder, "tt.precise_divf", value_type(x), x.ssa, y.ssa);
    return lower_convert(lowering, x, left.element);
}

/* A divisor that cannot trap: 1 for 0, and 1 for -1 under the smallest number, whose quotient wraps
 * to itself and whose remainder is 0, as with 1. */
static value safe_divisor(lowering *lowering, value left, value right)
{
    value one = constant_like(lowering, right, 1);
    value zero = constant_like(lowering, right, 0);
    value safe = choose(lowering, compare(lowering, right, zero, CMPI_EQ), one, right);
    if (!is_signed(left))
        return safe;
    unsigned bits = element_describe(left.element)->bits;
    value smallest = constant_like(lowering, left, (int64_t)(UINT64_MAX << (bits - 1)));
    MlirValue is_smallest = compare(lowering, left, smallest, CMPI_EQ);
    MlirValue is_minus_one = compare(lowering, right, constant_like(lowering, right, -1), CMPI_EQ);
    MlirType truth = mlirValueGetType(is_smallest);
    MlirValue wraps =
        build_value(&lowering->builder, "arith.andi", truth, is_smallest, is_minus_one);
    return choose(lowering, wraps, one, safe);
}

static value shift_count(lowering *lowering, value count)
{
    unsigned bits = element_describe(count.element)->bits;
    value mask = constant_like(lowering, count, bits - 1);
    return with_ssa(count,
        build_value(&lowering->builder, "arith.andi", value_type(count), count.ssa, mask.ssa));
}

static const char *arith_name(ast_operator op, value operand)
{
    if ((size_t)op >= sizeof arithmetic / sizeof *arithmetic)
        return NULL;
    const operator_row *row = &arithmetic[op];
    if (is_float(operand))
        return row->for_float;
    return is_signed(operand) ? row->for_signed : row->for_unsigned;
}

static value compute(lowering *lowering, ast_place place, ast_operator op, value left, value right)
{
    const char *name = arith_name(op, left);
    if (!name)
        return lower_error(lowering, place, NO_SUCH_OPERATOR, ast_operator_spelling(op),
            value_describe(lowering, left));
    if (op == AST_OP_DIV && is_float(left))
        return divide_floats(lowering, left, right);
    if (op == AST_OP_DIV || op == AST_OP_REM)
        right = safe_divisor(lowering, left, right);
    if (op == AST_OP_SHL || op == AST_OP_SHR)
        right = shift_count(lowering, right);
    return with_ssa(
        left, build_value(&lowering->builder, name, value_type(left), left.ssa, right.ssa));
}

/* The integers of the lanes that C sees in a comparison: signed, as wide as what was compared. */
static element_type lanes_of_mask(element_type compared)
{
    static const element_type of_bits[] = {
        [8] = ELEMENT_i8, [16] = ELEMENT_i16, [32] = ELEMENT_i32, [64] = ELEMENT_i64};
    return of_bits[element_describe(compared)->bits];
}

/* C's comparison of scalars is an int, of tiles a mask. */
static value compare_values(lowering *lowering, ast_operator op, value left, value right)
{
    const comparison_row *row = &comparisons[op];
    int predicate = is_float(left)    ? row->for_float
                    : is_signed(left) ? row->for_signed
                                      : row->for_unsigned;
    value truth = {.ssa = compare(lowering, left, right, predicate)};
    truth.is_mask = value_is_tile(left);
    truth.element = truth.is_mask ? lanes_of_mask(left.element) : ELEMENT_bool;
    if (truth.is_mask)
        return truth;
    return lower_convert(lowering, truth, ELEMENT_i32);
}

static bool is_bitwise(ast_operator op)
{
    return op == AST_OP_AND || op == AST_OP_OR || op == AST_OP_XOR;
}

static value differ(lowering *lowering, ast_place place, ast_operator op, value left, value right)
{
    const char *one = value_describe(lowering, left), *other = value_describe(lowering, right);
    const char *spelling = ast_operator_spelling(op);
    return left.element == right.element
               ? lower_error(lowering, place, SHAPES_DIFFER, spelling, one, other)
               : lower_error(lowering, place, TILES_CONVERT, spelling, one, other);
}

static value negate(lowering *lowering, value operand)
{
    builder *builder = &lowering->builder;
    if (is_float(operand))
        return with_ssa(
            operand, build_value(builder, "arith.negf", value_type(operand), operand.ssa));
    value zero = constant_like(lowering, operand, 0);
    return with_ssa(
        operand, build_value(builder, "arith.subi", value_type(operand), zero.ssa, operand.ssa));
}

static bool is_shift(ast_operator op)
{
    return op == AST_OP_SHL || op == AST_OP_SHR;
}

/* bf16 scalars, and f8 in any shape, are only loaded, stored and cast. */
static bool computes(lowering *lowering, ast_place place, value operand)
{
    const element_info *info = element_describe(operand.element);
    if (info->is_arithmetic || (value_is_tile(operand) && !element_is_f8(operand.element)))
        return true;
    lower_error(lowering, place, OPAQUE_OPERAND, value_describe(lowering, operand));
    return false;
}

/* What C's conversions leave to the lowering: masks become lanes where they meet anything but masks
 * in & | ^, a scalar beside a tile is spread, and a shift count takes the type of what is shifted.
 */
static void balance(lowering *lowering, ast_operator op, value *left, value *right)
{
    if (!(left->is_mask && right->is_mask && is_bitwise(op))) {
        *left = lower_lanes(lowering, *left);
        *right = lower_lanes(lowering, *right);
    }
    if (is_shift(op) && !value_is_tile(*right))
        *right = lower_convert(lowering, *right, left->element);
    value spread = lower_spread(lowering, *left, *right);
    *right = lower_spread(lowering, *right, *left);
    *left = spread;
}

value lower_binary(lowering *lowering, ast_place place, ast_operator op, value left, value right)
{
    if (!value_is_valid(left) || !value_is_valid(right))
        return (value){0};
    if (value_is_pointer(left) || value_is_pointer(right))
        return lower_pointer_binary(lowering, place, op, left, right);
    if (!computes(lowering, place, left) || !computes(lowering, place, right))
        return (value){0};
    bool is_one_scalar = value_is_tile(left) != value_is_tile(right);
    if (is_bitwise(op) && (left.is_mask || right.is_mask) && is_one_scalar)
        return lower_error(lowering, place, MASK_WITH_SCALAR, ast_operator_spelling(op),
            value_describe(lowering, left), value_describe(lowering, right));
    balance(lowering, op, &left, &right);
    bool both_masks = left.is_mask && right.is_mask;
    if ((!both_masks && left.element != right.element) || !value_has_shape_of(left, right))
        return differ(lowering, place, op, left, right);
    if (is_comparison(op))
        return compare_values(lowering, op, left, right);
    return compute(lowering, place, op, left, right);
}

static value complement(lowering *lowering, value operand)
{
    value ones = constant_like(lowering, operand, -1);
    return with_ssa(operand,
        build_value(&lowering->builder, "arith.xori", value_type(operand), operand.ssa, ones.ssa));
}

value lower_unary(lowering *lowering, ast_place place, ast_operator op, value operand)
{
    if (!value_is_valid(operand))
        return operand;
    bool is_pointer = value_is_pointer(operand);
    if (is_pointer && op != AST_OP_LOGICAL_NOT)
        return lower_error(lowering, place, OPERATOR, ast_operator_spelling(op));
    if (!is_pointer && !computes(lowering, place, operand))
        return (value){0};
    switch (op) {
    case AST_OP_PLUS:
        return lower_lanes(lowering, operand);
    case AST_OP_MINUS:
        return negate(lowering, lower_lanes(lowering, operand));
    case AST_OP_NOT:
        return complement(lowering, operand);
    case AST_OP_LOGICAL_NOT: {
        value truth = complement(lowering, lower_truth(lowering, operand));
        return lower_convert(lowering, truth, ELEMENT_i32);
    }
    default:
        return lower_error(lowering, place, OPERATOR, ast_operator_spelling(op));
    }
}
