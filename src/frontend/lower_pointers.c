/* Pointers: moved by integers, compared, subtracted. All but the first are done on their bits, an
 * integer of 64. */
#include "frontend/lowering.h"

#include <mlir-c/BuiltinTypes.h>

value lower_add_pointer(lowering *lowering, ast_place place, value pointer, value offset)
{
    builder *builder = &lowering->builder;
    MlirContext context = builder->context;
    const element_info *info = element_describe(offset.element);
    if (offset.is_mask || value_is_pointer(offset) || info->category == ELEMENT_FLOATING)
        return lower_error(lowering, place, OFFSET_NOT_INTEGER, value_describe(lowering, offset));
    /* tt.addptr sign-extends: what is unsigned or narrow is widened as C does it. */
    unsigned bits = !info->is_signed || info->bits == 64 ? 64 : 32;
    if (bits != info->bits) {
        MlirType wide = build_with_element(value_type(offset), mlirIntegerTypeGet(context, bits));
        offset.ssa =
            build_value(builder, info->is_signed ? "arith.extsi" : "arith.extui", wide, offset.ssa);
    }
    pointer = lower_spread(lowering, pointer, offset);
    offset = lower_spread(lowering, offset, pointer);
    pointer.ssa = build_value(builder, "tt.addptr", value_type(pointer), pointer.ssa, offset.ssa);
    return pointer;
}

value lower_pointer_bits(lowering *lowering, value pointer)
{
    MlirType type =
        build_with_element(value_type(pointer), lower_element_type(lowering, ELEMENT_u64));
    return (value){.ssa = build_value(&lowering->builder, "tt.ptr_to_int", type, pointer.ssa),
        .element = ELEMENT_u64};
}

/* How many elements lie between two pointers. */
static value distance(lowering *lowering, ast_place place, value left, value right)
{
    element_type element = left.pointee->element;
    unsigned bytes = element == ELEMENT_bool ? 1 : element_describe(element)->bits / 8;
    value bits = lower_binary(lowering, place, AST_OP_SUB, lower_pointer_bits(lowering, left),
        lower_pointer_bits(lowering, right));
    bits.element = ELEMENT_i64;
    value size = {.element = ELEMENT_i64};
    size.ssa = build_integer(&lowering->builder, value_type(bits), bytes);
    return lower_binary(lowering, place, AST_OP_DIV, bits, size);
}

static value subtracted(lowering *lowering, ast_place place, value pointer, value offset)
{
    value wide = lower_convert(lowering, offset, ELEMENT_i64);
    return lower_add_pointer(
        lowering, place, pointer, lower_unary(lowering, place, AST_OP_MINUS, wide));
}

value lower_pointer_binary(
    lowering *lowering, ast_place place, ast_operator op, value left, value right)
{
    bool are_both = value_is_pointer(left) && value_is_pointer(right);
    if (are_both && op == AST_OP_SUB)
        return distance(lowering, place, left, right);
    if (are_both)
        return lower_binary(lowering, place, op, lower_pointer_bits(lowering, left),
            lower_pointer_bits(lowering, right));
    if (op == AST_OP_SUB)
        return subtracted(lowering, place, left, right);
    return value_is_pointer(left) ? lower_add_pointer(lowering, place, left, right)
                                  : lower_add_pointer(lowering, place, right, left);
}
