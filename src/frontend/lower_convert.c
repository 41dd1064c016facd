/* Conversions between element types, for scalars and tiles. */
#include "frontend/lowering.h"

#include "dialect/dialect.h"

#include <math.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirType type_like(lowering *lowering, value from, element_type to)
{
    return build_with_element(value_type(from), lower_element_type(lowering, to));
}

static value convert_by(lowering *lowering, const char *name, value from, element_type to)
{
    return (value){
        .ssa = build_value(&lowering->builder, name, type_like(lowering, from, to), from.ssa),
        .element = to,
    };
}

static value integer_to_integer(lowering *lowering, value from, element_type to)
{
    unsigned from_bits = from.element == ELEMENT_bool ? 1 : element_describe(from.element)->bits;
    unsigned to_bits = element_describe(to)->bits;
    if (from_bits == to_bits)
        return (value){.ssa = from.ssa, .element = to};
    if (from_bits > to_bits)
        return convert_by(lowering, "arith.trunci", from, to);
    bool is_signed = element_describe(from.element)->is_signed;
    return convert_by(lowering, is_signed ? "arith.extsi" : "arith.extui", from, to);
}

/* Saturates, NaN to 0. arith.fptosi has no value outside the integer's range, so its result is only
 * chosen inside of it: the range's ends below are powers of two, exact in f32 and f64. */
static value float_to_integer(lowering *lowering, value from, element_type to)
{
    builder *builder = &lowering->builder;
    const element_info *info = element_describe(to);
    if (from.element != ELEMENT_f64 && from.element != ELEMENT_f32)
        from = lower_convert(lowering, from, ELEMENT_f32);
    unsigned value_bits = info->bits - info->is_signed;
    double above = ldexp(1.0, (int)value_bits);
    double below = info->is_signed ? -above : 0.0;
    int64_t largest = (int64_t)(UINT64_MAX >> (64 - value_bits));
    int64_t smallest = info->is_signed ? (int64_t)(UINT64_MAX << value_bits) : 0;

    value result =
        convert_by(lowering, info->is_signed ? "arith.fptosi" : "arith.fptoui", from, to);
    MlirType type = value_type(result);
    MlirValue low = build_float(builder, value_type(from), below);
    MlirValue high = build_float(builder, value_type(from), above);
    MlirValue is_low = build_compare(builder, "arith.cmpf", CMPF_OLT, from.ssa, low);
    result.ssa = build_value(
        builder, "arith.select", type, is_low, build_integer(builder, type, smallest), result.ssa);
    MlirValue fits = build_compare(builder, "arith.cmpf", CMPF_OLT, from.ssa, high);
    result.ssa = build_value(
        builder, "arith.select", type, fits, result.ssa, build_integer(builder, type, largest));
    MlirValue is_nan = build_compare(builder, "arith.cmpf", CMPF_UNO, from.ssa, from.ssa);
    result.ssa = build_value(
        builder, "arith.select", type, is_nan, build_integer(builder, type, 0), result.ssa);
    return result;
}

/* MLIR folds no conversion that rounds, and C converts constants when it compiles. */
static bool is_constant(value from, double *out_number)
{
    if (!mlirValueIsAOpResult(from.ssa))
        return false;
    MlirAttribute number = mlirOperationGetAttributeByName(
        mlirOpResultGetOwner(from.ssa), mlirStringRefCreateFromCString("value"));
    if (mlirAttributeIsNull(number) || !mlirAttributeIsAFloat(number))
        return false;
    *out_number = mlirFloatAttrGetValueDouble(number);
    return true;
}

/* From or to an 8-bit float: arith knows neither their saturation nor one beside the other. */
static value convert_f8(lowering *lowering, value from, element_type to)
{
    build_parts parts = {.result = type_like(lowering, from, to), .operands = {from.ssa}};
    if (element_describe(to)->bits < element_describe(from.element)->bits)
        parts.attributes[0] = (build_attribute){
            "rounding", build_i32_attribute(&lowering->builder, TT_ROUNDING_NEAREST_EVEN)};
    MlirValue result = build_single(&lowering->builder, "tt.fp_to_fp", &parts);
    return (value){.ssa = result, .element = to};
}

static value float_to_float(lowering *lowering, value from, element_type to)
{
    double number;
    if (element_is_f8(from.element) && element_is_f8(to))
        from = convert_f8(lowering, from, ELEMENT_f32);
    if (element_is_f8(from.element) || element_is_f8(to))
        return convert_f8(lowering, from, to);
    if (is_constant(from, &number)) {
        MlirType type = type_like(lowering, from, to);
        return (value){.ssa = build_float(&lowering->builder, type, number), .element = to};
    }
    unsigned from_bits = element_describe(from.element)->bits;
    unsigned to_bits = element_describe(to)->bits;
    if (from_bits == to_bits) /* f16 and bf16: neither holds the other */
        from = convert_by(lowering, "arith.extf", from, ELEMENT_f32);
    const char *name = from_bits < to_bits ? "arith.extf" : "arith.truncf";
    return convert_by(lowering, name, from, to);
}

value lower_convert(lowering *lowering, value from, element_type to)
{
    if (!value_is_valid(from) || (from.element == to && !from.is_mask))
        return from;
    if (to == ELEMENT_bool)
        return lower_truth(lowering, from);
    from = lower_lanes(lowering, from);
    bool from_float = element_describe(from.element)->category == ELEMENT_FLOATING;
    bool to_float = element_describe(to)->category == ELEMENT_FLOATING;
    if (from_float && to_float)
        return float_to_float(lowering, from, to);
    if (from_float)
        return float_to_integer(lowering, from, to);
    if (!to_float)
        return integer_to_integer(lowering, from, to);
    bool is_signed = element_describe(from.element)->is_signed;
    const char *name = is_signed ? "arith.sitofp" : "arith.uitofp";
    if (element_is_f8(to)) /* f32 holds all integers up to the largest of an 8-bit float */
        return convert_f8(lowering, convert_by(lowering, name, from, ELEMENT_f32), to);
    return convert_by(lowering, name, from, to);
}
