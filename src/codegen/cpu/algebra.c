/* See algebra.h. */
#include "codegen/cpu/algebra.h"

static bool is_constant(LLVMValueRef value, int64_t number)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetSExtValue(value) == number;
}

static bool is_zero(LLVMValueRef number)
{
    return !number || is_constant(number, 0);
}

LLVMValueRef algebra_value(const struct emitter *emitter, LLVMValueRef number)
{
    return number ? number : emit_i64(emitter, 0);
}

LLVMValueRef algebra_add(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (is_zero(a) || is_zero(b))
        return is_zero(a) ? b : a;
    return LLVMBuildAdd(emitter->builder, a, b, "");
}

LLVMValueRef algebra_subtract(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (is_zero(b))
        return a;
    return LLVMBuildSub(emitter->builder, algebra_value(emitter, a), b, "");
}

LLVMValueRef algebra_multiply(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (is_zero(a) || is_zero(b))
        return NULL;
    if (is_constant(a, 1) || is_constant(b, 1))
        return is_constant(a, 1) ? b : a;
    return LLVMBuildMul(emitter->builder, a, b, "");
}

LLVMValueRef algebra_compare(
    struct emitter *emitter, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef holds = LLVMBuildICmp(
        emitter->builder, predicate, algebra_value(emitter, a), algebra_value(emitter, b), "");
    return LLVMIsAConstantInt(holds) && LLVMConstIntGetZExtValue(holds) ? NULL : holds;
}

LLVMValueRef algebra_and(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b || a == b)
        return a ? a : b;
    return LLVMBuildAnd(emitter->builder, a, b, "");
}

LLVMValueRef algebra_or(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return NULL;
    return LLVMBuildOr(emitter->builder, a, b, "");
}
