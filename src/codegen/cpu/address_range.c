/* What linear forms are good for: ranges, independence of accesses, masks. See address.h. */
#include "codegen/cpu/address_range.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static LLVMValueRef compare(
    struct emitter *emitter, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(emitter->builder, predicate, a, b, "");
}

LLVMValueRef cpu_and(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildAnd(emitter->builder, a, b, "");
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* How far dimension d moves the value from its first index to its last; NULL: not at all. */
static LLVMValueRef span_of(struct emitter *emitter, const struct cpu_affine *form,
    const struct layout_shape *shape, unsigned dimension)
{
    LLVMValueRef coefficient = form->coefficient[dimension];
    if (!coefficient || shape->bits[dimension] == 0)
        return NULL;
    uint64_t steps = (UINT64_C(1) << shape->bits[dimension]) - 1;
    LLVMValueRef count = LLVMConstInt(LLVMTypeOf(coefficient), steps, false);
    return LLVMBuildMul(emitter->builder, coefficient, count, "");
}

struct cpu_range cpu_range_of(
    struct emitter *emitter, const struct cpu_affine *form, const struct layout_shape *shape)
{
    LLVMBuilderRef builder = emitter->builder;
    struct cpu_range range = {form->base, form->base};
    for (unsigned i = 0; i < form->rank; i++) {
        LLVMValueRef span = span_of(emitter, form, shape, i);
        if (!span)
            continue;
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(span));
        LLVMValueRef is_up = compare(emitter, LLVMIntSGE, span, zero);
        LLVMValueRef up = LLVMBuildSelect(builder, is_up, span, zero, "");
        LLVMValueRef down = LLVMBuildSelect(builder, is_up, zero, span, "");
        range.low = LLVMBuildAdd(builder, range.low, down, "");
        range.high = LLVMBuildAdd(builder, range.high, up, "");
    }
    return range;
}

/* 2^bits + addend, as i128. */
static LLVMValueRef power(const struct emitter *emitter, unsigned bits, bool negative, int addend)
{
    LLVMTypeRef i128 = emit_integer_type(emitter, 128);
    LLVMValueRef one = LLVMConstInt(i128, 1, false), shift = LLVMConstInt(i128, bits, false);
    LLVMValueRef value = LLVMBuildShl(emitter->builder, one, shift, "");
    if (negative)
        value = LLVMConstNeg(value);
    return LLVMConstAdd(value, LLVMConstInt(i128, (uint64_t)(int64_t)addend, true));
}

LLVMValueRef cpu_fits(struct emitter *emitter, const struct cpu_affine *form,
    const struct layout_shape *shape, MlirType tile)
{
    MlirType element = ir_element_type(tile);
    struct cpu_range range = cpu_range_of(emitter, form, shape);
    LLVMValueRef least, greatest;
    if (ir_is_integer(element)) {
        unsigned bits = ir_integer_width(element) - 1;
        least = power(emitter, bits, true, 0);
        greatest = power(emitter, bits, false, -1);
    } else {
        least = LLVMConstNull(emit_integer_type(emitter, 128));
        greatest = power(emitter, 64, false, -1);
    }
    return cpu_and(emitter, compare(emitter, LLVMIntSGE, range.low, least),
        compare(emitter, LLVMIntSLE, range.high, greatest));
}

/* ---- Independence ---------------------------------------------------------------------------- */

static LLVMValueRef coefficient_of(
    const struct emitter *emitter, const struct cpu_affine *form, unsigned dimension)
{
    LLVMValueRef coefficient = form->coefficient[dimension];
    return coefficient ? coefficient : LLVMConstNull(emit_integer_type(emitter, 128));
}

static LLVMValueRef disjoint(
    struct emitter *emitter, const struct cpu_access *a, const struct cpu_access *b)
{
    struct cpu_range of_a = cpu_range_of(emitter, &a->address, &a->shape);
    struct cpu_range of_b = cpu_range_of(emitter, &b->address, &b->shape);
    LLVMTypeRef i128 = emit_integer_type(emitter, 128);
    LLVMValueRef end_of_a =
        LLVMBuildAdd(emitter->builder, of_a.high, LLVMConstInt(i128, a->size, false), "");
    LLVMValueRef end_of_b =
        LLVMBuildAdd(emitter->builder, of_b.high, LLVMConstInt(i128, b->size, false), "");
    return LLVMBuildOr(emitter->builder, compare(emitter, LLVMIntSLE, end_of_a, of_b.low),
        compare(emitter, LLVMIntSLE, end_of_b, of_a.low), "");
}

/* No two elements overlap: along each dimension, from the last to the first, one step is at least
 * as long as all that the dimensions behind it span, and an element more. */
static LLVMValueRef spread_out(struct emitter *emitter, const struct cpu_access *access)
{
    LLVMTypeRef i128 = emit_integer_type(emitter, 128);
    LLVMValueRef reach = LLVMConstInt(i128, access->size, false), result = NULL;
    for (unsigned i = access->address.rank; i-- > 0;) {
        if (access->shape.bits[i] == 0)
            continue;
        LLVMValueRef step = coefficient_of(emitter, &access->address, i);
        result = cpu_and(emitter, result, compare(emitter, LLVMIntSGE, step, reach));
        LLVMValueRef span = span_of(emitter, &access->address, &access->shape, i);
        if (span)
            reach = LLVMBuildAdd(emitter->builder, reach, span, "");
    }
    return result;
}

static LLVMValueRef same_addresses(
    struct emitter *emitter, const struct cpu_access *a, const struct cpu_access *b)
{
    if (a->size != b->size || !layout_shape_equal(&a->shape, &b->shape))
        return LLVMConstNull(emit_integer_type(emitter, 1));
    LLVMValueRef same = compare(emitter, LLVMIntEQ, a->address.base, b->address.base);
    for (unsigned i = 0; i < a->shape.rank; i++)
        if (a->shape.bits[i] > 0)
            same = cpu_and(emitter, same,
                compare(emitter, LLVMIntEQ, coefficient_of(emitter, &a->address, i),
                    coefficient_of(emitter, &b->address, i)));
    return cpu_and(emitter, same, spread_out(emitter, a));
}

LLVMValueRef cpu_access_independent(struct cpu_kernel *kernel, const struct cpu_access *load,
    const struct cpu_access *store, bool same_index)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef apart = disjoint(emitter, load, store);
    if (same_index)
        apart = LLVMBuildOr(emitter->builder, apart, same_addresses(emitter, load, store), "");
    LLVMValueRef valid = cpu_and(emitter, load->address.valid, store->address.valid);
    return cpu_and(emitter, valid, apart);
}

LLVMValueRef cpu_affine_pointer(
    struct cpu_kernel *kernel, const struct cpu_affine *form, const LLVMValueRef *index)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    LLVMValueRef base = LLVMBuildTrunc(builder, form->base, i64, "");
    LLVMTypeRef pointer_type = LLVMPointerTypeInContext(emitter->context, 0);
    LLVMValueRef pointer = LLVMBuildIntToPtr(builder, base, pointer_type, "");
    for (unsigned i = 0; i < form->rank; i++) {
        if (!form->coefficient[i])
            continue;
        LLVMValueRef step = LLVMBuildTrunc(builder, form->coefficient[i], i64, "");
        LLVMValueRef bytes = LLVMBuildMul(builder, step, index[i], "");
        pointer = LLVMBuildGEP2(builder, emit_integer_type(emitter, 8), pointer, &bytes, 1, "");
    }
    return pointer;
}

/* ---- Masks ----------------------------------------------------------------------------------- */

/* A signed comparison of two forms holds everywhere if it holds at the extremes. */
static LLVMValueRef comparison_all_true(struct cpu_affine_session *session, MlirOperation op)
{
    struct emitter *emitter = &session->kernel->lowering.emitter;
    /* By arith.cmpi's predicate: slt, sle, sgt, sge as `a op b`; the difference's sign decides. */
    static const LLVMIntPredicate predicates[] = {
        [2] = LLVMIntSLT, [3] = LLVMIntSLE, [4] = LLVMIntSGT, [5] = LLVMIntSGE};
    int64_t predicate = ir_integer_attribute(op, "predicate", 0);
    struct cpu_affine a, b;
    MlirValue left = mlirOperationGetOperand(op, 0);
    if (predicate < 2 || predicate > 5 || !cpu_affine_of(session, left, &a) ||
        !cpu_affine_of(session, mlirOperationGetOperand(op, 1), &b))
        return NULL;
    struct cpu_affine difference = a;
    LLVMBuilderRef builder = emitter->builder;
    difference.base = LLVMBuildSub(builder, a.base, b.base, "");
    for (unsigned i = 0; i < a.rank; i++)
        if (b.coefficient[i])
            difference.coefficient[i] =
                LLVMBuildSub(builder, coefficient_of(emitter, &a, i), b.coefficient[i], "");
    struct layout_shape shape = cpu_shape(mlirValueGetType(left));
    struct cpu_range range = cpu_range_of(emitter, &difference, &shape);
    LLVMValueRef extreme = predicate < 4 ? range.high : range.low;
    LLVMValueRef holds =
        compare(emitter, predicates[predicate], extreme, LLVMConstNull(LLVMTypeOf(extreme)));
    return cpu_and(emitter, holds, cpu_and(emitter, a.valid, b.valid));
}

LLVMValueRef cpu_all_true(struct cpu_affine_session *session, MlirValue mask)
{
    struct emitter *emitter = &session->kernel->lowering.emitter;
    if (!mlirValueIsAOpResult(mask) || session->mask_budget == 0)
        return NULL;
    session->mask_budget--;
    MlirOperation op = mlirOpResultGetOwner(mask);
    LLVMValueRef left, right;
    switch (op_id_of(op)) {
    case OP_ARITH_CMPI:
        return comparison_all_true(session, op);
    case OP_TT_SPLAT:
        return lowering_get_scalar(&session->kernel->lowering, mlirOperationGetOperand(op, 0));
    case OP_TT_BROADCAST:
    case OP_TT_EXPAND_DIMS:
    case OP_TT_TRANS:
        return cpu_all_true(session, mlirOperationGetOperand(op, 0));
    case OP_ARITH_ANDI:
        left = cpu_all_true(session, mlirOperationGetOperand(op, 0));
        right = left ? cpu_all_true(session, mlirOperationGetOperand(op, 1)) : NULL;
        return right ? cpu_and(emitter, left, right) : NULL;
    default:
        return NULL;
    }
}
