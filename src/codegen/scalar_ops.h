/* What an elementwise operation (arith, math, some of tt) does to one element, on every device.
 *
 * Integers wrap. Division by zero and shifts by the width or more give an unspecified value and
 * nothing worse; floats convert to integers with saturation, NaN to 0; the lesser and greater of
 * two floats ignore a NaN, and -0 is less than +0. Floats follow IEEE 754 except where the
 * operation says otherwise (arith.divf on f32).
 */
#ifndef TEENY_CODEGEN_SCALAR_OPS_H
#define TEENY_CODEGEN_SCALAR_OPS_H

#include "codegen/emit.h"

/* Whether the table has the operation. */
bool scalar_op_known(enum op_id id);

enum { SCALAR_MAX_OPERANDS = 4, SCALAR_MAX_RESULTS = 2 };

/* One element of each result from one of each operand. False after an error at the operation. */
bool scalar_op_emit(struct emitter *emitter, MlirOperation op, const LLVMValueRef *operands,
    LLVMValueRef *out_results);

/* ---- Between the files that make up the table -------------------------------------------------
 */

/* An operation with what its emitter wants to know. NULL from an emitter: an error was given. */
struct scalar_op {
    struct emitter *emitter;
    MlirOperation op;
    const LLVMValueRef *operands;
    MlirType from, to; /* element types of operand 0 and result 0 */
};
typedef LLVMValueRef scalar_function(const struct scalar_op *op);

scalar_function scalar_divide_signed, scalar_divide_unsigned, scalar_remainder_signed,
    scalar_remainder_unsigned, scalar_ceiling_divide_signed, scalar_ceiling_divide_unsigned,
    scalar_floor_divide_signed, scalar_compare_integers, scalar_shift_left,
    scalar_shift_right_signed, scalar_shift_right_unsigned, scalar_absolute_integer,
    scalar_count_leading_zeros, scalar_count_trailing_zeros, scalar_cast_index_signed,
    scalar_cast_index_unsigned;

scalar_function scalar_negate, scalar_divide_approximately, scalar_divide_precisely,
    scalar_exp2_instruction, scalar_rsqrt_instruction, scalar_compare_floats, scalar_fma,
    scalar_is_nan, scalar_is_infinite, scalar_is_finite;

scalar_function scalar_extend_float, scalar_truncate_float, scalar_float_to_float,
    scalar_signed_to_float, scalar_unsigned_to_float, scalar_float_to_signed,
    scalar_float_to_unsigned, scalar_bitcast, scalar_pointer_to_integer, scalar_integer_to_pointer;

/* Both halves of a product of twice the width. */
void scalar_multiply_extended(
    const struct scalar_op *op, bool is_signed, LLVMValueRef *out_results);
/* Sum and carry. */
void scalar_add_extended(const struct scalar_op *op, LLVMValueRef *out_results);

/* A float as f32 where the device does not compute in its own type, and back. */
LLVMValueRef scalar_widen(struct emitter *emitter, LLVMValueRef value);
LLVMValueRef scalar_narrow(struct emitter *emitter, LLVMValueRef value, LLVMTypeRef type);

/* Conversions between any two of f16, bf16, f32, f64, to nearest even. */
LLVMValueRef scalar_convert_float(struct emitter *emitter, LLVMValueRef value, LLVMTypeRef type);

#endif
