/* The table of elementwise operations: see scalar_ops.h. */
#include "codegen/scalar_ops.h"
#include "codegen/scalar_soft.h"

enum kind {
    UNKNOWN,
    INTEGER,      /* one LLVM instruction over integers */
    INTEGER_CAST, /* one LLVM cast */
    FLOAT,        /* one LLVM instruction over floats, through f32 where the device wants it */
    INTEGER_CALL, /* an LLVM intrinsic overloaded by the operand's type */
    FLOAT_CALL,   /* the same, through f32 where the device wants it */
    CUSTOM,       /* a function */
    SELECT,
    PAIR,      /* two results */
    NOT_BUILT, /* known to be elementwise, no code for it yet */
};

struct table_entry {
    enum kind kind;
    LLVMOpcode opcode;
    const char *intrinsic;
    scalar_function *function;
};

#define INTEGER_OP(code) {.kind = INTEGER, .opcode = code}
#define CAST_OP(code) {.kind = INTEGER_CAST, .opcode = code}
#define FLOAT_OP(code) {.kind = FLOAT, .opcode = code}
#define INTEGER_INTRINSIC(name) {.kind = INTEGER_CALL, .intrinsic = name}
#define FLOAT_INTRINSIC(name) {.kind = FLOAT_CALL, .intrinsic = name}
#define FUNCTION(name) {.kind = CUSTOM, .function = name}

static const struct table_entry table[OP_ID_COUNT] = {
    [OP_ARITH_ADDI] = INTEGER_OP(LLVMAdd),
    [OP_ARITH_SUBI] = INTEGER_OP(LLVMSub),
    [OP_ARITH_MULI] = INTEGER_OP(LLVMMul),
    [OP_ARITH_ANDI] = INTEGER_OP(LLVMAnd),
    [OP_ARITH_ORI] = INTEGER_OP(LLVMOr),
    [OP_ARITH_XORI] = INTEGER_OP(LLVMXor),
    [OP_ARITH_SHLI] = FUNCTION(scalar_shift_left),
    [OP_ARITH_SHRSI] = FUNCTION(scalar_shift_right_signed),
    [OP_ARITH_SHRUI] = FUNCTION(scalar_shift_right_unsigned),
    [OP_ARITH_DIVSI] = FUNCTION(scalar_divide_signed),
    [OP_ARITH_DIVUI] = FUNCTION(scalar_divide_unsigned),
    [OP_ARITH_REMSI] = FUNCTION(scalar_remainder_signed),
    [OP_ARITH_REMUI] = FUNCTION(scalar_remainder_unsigned),
    [OP_ARITH_CEILDIVSI] = FUNCTION(scalar_ceiling_divide_signed),
    [OP_ARITH_CEILDIVUI] = FUNCTION(scalar_ceiling_divide_unsigned),
    [OP_ARITH_FLOORDIVSI] = FUNCTION(scalar_floor_divide_signed),
    [OP_ARITH_MAXSI] = INTEGER_INTRINSIC("llvm.smax"),
    [OP_ARITH_MAXUI] = INTEGER_INTRINSIC("llvm.umax"),
    [OP_ARITH_MINSI] = INTEGER_INTRINSIC("llvm.smin"),
    [OP_ARITH_MINUI] = INTEGER_INTRINSIC("llvm.umin"),
    [OP_ARITH_CMPI] = FUNCTION(scalar_compare_integers),
    [OP_ARITH_EXTSI] = CAST_OP(LLVMSExt),
    [OP_ARITH_EXTUI] = CAST_OP(LLVMZExt),
    [OP_ARITH_TRUNCI] = CAST_OP(LLVMTrunc),
    [OP_ARITH_INDEX_CAST] = FUNCTION(scalar_cast_index_signed),
    [OP_ARITH_INDEX_CASTUI] = FUNCTION(scalar_cast_index_unsigned),
    [OP_ARITH_MULSI_EXTENDED] = {.kind = PAIR},
    [OP_ARITH_MULUI_EXTENDED] = {.kind = PAIR},
    [OP_ARITH_ADDUI_EXTENDED] = {.kind = PAIR},
    [OP_ARITH_SELECT] = {.kind = SELECT},

    [OP_ARITH_ADDF] = FLOAT_OP(LLVMFAdd),
    [OP_ARITH_SUBF] = FLOAT_OP(LLVMFSub),
    [OP_ARITH_MULF] = FLOAT_OP(LLVMFMul),
    [OP_ARITH_DIVF] = FUNCTION(scalar_divide_approximately),
    [OP_ARITH_REMF] = {.kind = NOT_BUILT},
    [OP_ARITH_NEGF] = FUNCTION(scalar_negate),
    [OP_ARITH_CMPF] = FUNCTION(scalar_compare_floats),
    [OP_ARITH_MAXNUMF] = FLOAT_INTRINSIC("llvm.maximumnum"),
    [OP_ARITH_MINNUMF] = FLOAT_INTRINSIC("llvm.minimumnum"),
    [OP_ARITH_MAXIMUMF] = FLOAT_INTRINSIC("llvm.maximum"),
    [OP_ARITH_MINIMUMF] = FLOAT_INTRINSIC("llvm.minimum"),
    [OP_ARITH_EXTF] = FUNCTION(scalar_extend_float),
    [OP_ARITH_TRUNCF] = FUNCTION(scalar_truncate_float),
    [OP_ARITH_SITOFP] = FUNCTION(scalar_signed_to_float),
    [OP_ARITH_UITOFP] = FUNCTION(scalar_unsigned_to_float),
    [OP_ARITH_FPTOSI] = FUNCTION(scalar_float_to_signed),
    [OP_ARITH_FPTOUI] = FUNCTION(scalar_float_to_unsigned),
    [OP_ARITH_BITCAST] = FUNCTION(scalar_bitcast),

    [OP_MATH_ABSF] = FLOAT_INTRINSIC("llvm.fabs"),
    [OP_MATH_ABSI] = FUNCTION(scalar_absolute_integer),
    [OP_MATH_CEIL] = FLOAT_INTRINSIC("llvm.ceil"),
    [OP_MATH_FLOOR] = FLOAT_INTRINSIC("llvm.floor"),
    [OP_MATH_TRUNC] = FLOAT_INTRINSIC("llvm.trunc"),
    [OP_MATH_ROUNDEVEN] = FLOAT_INTRINSIC("llvm.roundeven"),
    [OP_MATH_COPYSIGN] = FLOAT_INTRINSIC("llvm.copysign"),
    [OP_MATH_SQRT] = FLOAT_INTRINSIC("llvm.sqrt"),
    [OP_MATH_FMA] = FUNCTION(scalar_fma),
    [OP_MATH_EXP2] = FUNCTION(scalar_exp2_instruction),
    [OP_MATH_RSQRT] = FUNCTION(scalar_rsqrt_instruction),
    [OP_MATH_ISNAN] = FUNCTION(scalar_is_nan),
    [OP_MATH_ISINF] = FUNCTION(scalar_is_infinite),
    [OP_MATH_ISFINITE] = FUNCTION(scalar_is_finite),
    [OP_MATH_CTPOP] = INTEGER_INTRINSIC("llvm.ctpop"),
    [OP_MATH_CTLZ] = FUNCTION(scalar_count_leading_zeros),
    [OP_MATH_CTTZ] = FUNCTION(scalar_count_trailing_zeros),

    [OP_TT_BITCAST] = FUNCTION(scalar_bitcast),
    [OP_TT_FP_TO_FP] = FUNCTION(scalar_float_to_float),
    [OP_TT_INT_TO_PTR] = FUNCTION(scalar_integer_to_pointer),
    [OP_TT_PTR_TO_INT] = FUNCTION(scalar_pointer_to_integer),
    [OP_TT_PRECISE_DIVF] = FUNCTION(scalar_divide_precisely),
    [OP_TT_PRECISE_SQRT] = FLOAT_INTRINSIC("llvm.sqrt"),
};

bool scalar_op_known(enum op_id id)
{
    return table[id].kind != UNKNOWN;
}

/* Marks a sum, difference or product as free to fuse, where that is allowed. */
static LLVMValueRef may_fuse(const struct scalar_op *op, LLVMValueRef value)
{
    bool is_allowed =
        op->emitter->contract && mlirAttributeIsNull(ir_attribute(op->op, IR_NO_CONTRACT));
    if (is_allowed && LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value))
        LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
    return value;
}

static LLVMValueRef emit_float(const struct scalar_op *op, const struct table_entry *entry)
{
    LLVMValueRef wide[SCALAR_MAX_OPERANDS] = {NULL};
    unsigned count = (unsigned)mlirOperationGetNumOperands(op->op);
    for (unsigned i = 0; i < count; i++)
        wide[i] = scalar_widen(op->emitter, op->operands[i]);
    LLVMBuilderRef builder = op->emitter->builder;
    LLVMValueRef result = NULL;
    if (entry->kind == FLOAT_CALL && op->emitter->device->soft_rounding)
        result = scalar_soft_round(op->emitter, entry->intrinsic, wide[0]);
    if (entry->kind == FLOAT)
        result = may_fuse(op, LLVMBuildBinOp(builder, entry->opcode, wide[0], wide[1], ""));
    else if (!result)
        result = emit_intrinsic(op->emitter, entry->intrinsic, LLVMTypeOf(wide[0]), wide, count);
    return scalar_narrow(op->emitter, result, LLVMTypeOf(op->operands[0]));
}

static LLVMValueRef emit_integer_call(const struct scalar_op *op, const char *intrinsic)
{
    LLVMValueRef arguments[SCALAR_MAX_OPERANDS];
    unsigned count = (unsigned)mlirOperationGetNumOperands(op->op);
    for (unsigned i = 0; i < count; i++)
        arguments[i] = op->operands[i];
    return emit_intrinsic(op->emitter, intrinsic, LLVMTypeOf(op->operands[0]), arguments, count);
}

static LLVMValueRef emit_one_result(const struct scalar_op *op, const struct table_entry *entry)
{
    LLVMBuilderRef builder = op->emitter->builder;
    const LLVMValueRef *operands = op->operands;
    switch (entry->kind) {
    case INTEGER:
        return LLVMBuildBinOp(builder, entry->opcode, operands[0], operands[1], "");
    case INTEGER_CAST:
        return LLVMBuildCast(
            builder, entry->opcode, operands[0], emit_type(op->emitter, op->to), "");
    case FLOAT:
    case FLOAT_CALL:
        return emit_float(op, entry);
    case INTEGER_CALL:
        return emit_integer_call(op, entry->intrinsic);
    case SELECT:
        return LLVMBuildSelect(builder, operands[0], operands[1], operands[2], "");
    case CUSTOM:
        return entry->function(op);
    default:
        ir_error_not_built(op->op, NULL);
        return NULL;
    }
}

static void emit_pair(const struct scalar_op *op, LLVMValueRef *out_results)
{
    enum op_id id = op_id_of(op->op);
    if (id == OP_ARITH_ADDUI_EXTENDED)
        scalar_add_extended(op, out_results);
    else
        scalar_multiply_extended(op, id == OP_ARITH_MULSI_EXTENDED, out_results);
}

/* Opaque types are chosen between, looked at as bits, and converted; nothing else is done with
 * them. */
static bool has_code_for(struct emitter *emitter, enum op_id id, MlirValue value)
{
    MlirType type = ir_element_type(mlirValueGetType(value));
    if (emit_is_opaque(type))
        return id == OP_ARITH_SELECT || id == OP_TT_BITCAST || id == OP_ARITH_BITCAST ||
               id == OP_TT_FP_TO_FP;
    return emit_type(emitter, type) != NULL;
}

static bool check_types(struct emitter *emitter, MlirOperation op)
{
    enum op_id id = op_id_of(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
        if (!has_code_for(emitter, id, mlirOperationGetOperand(op, i)))
            return ir_error_not_built(op, "on this element type");
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
        if (!has_code_for(emitter, id, mlirOperationGetResult(op, i)))
            return ir_error_not_built(op, "on this element type");
    return true;
}

bool scalar_op_emit(struct emitter *emitter, MlirOperation op, const LLVMValueRef *operands,
    LLVMValueRef *out_results)
{
    const struct table_entry *entry = &table[op_id_of(op)];
    if (!check_types(emitter, op))
        return false;
    struct scalar_op scalar = {
        .emitter = emitter,
        .op = op,
        .operands = operands,
        .from = ir_element_type(mlirValueGetType(mlirOperationGetOperand(op, 0))),
        .to = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0))),
    };
    if (entry->kind == PAIR) {
        emit_pair(&scalar, out_results);
        return true;
    }
    out_results[0] = emit_one_result(&scalar, entry);
    return out_results[0] != NULL;
}
