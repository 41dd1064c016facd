/* What can be told about a mask from the ends of index ranges: see address.h.
 *
 * A signed comparison holds for all elements of a range if it holds for the ends of both sides.
 */
#include "codegen/cpu/address.h"
#include "codegen/cpu/algebra.h"

#include "mlir-c/BuiltinAttributes.h"

/* The question: is the mask true, or false, throughout? `range` is NULL for the whole tile. */
struct question {
    struct cpu_affine_session *session;
    const struct cpu_range *range;
    bool is_false;
};

static struct emitter *emitter_of(const struct question *question)
{
    return &question->session->kernel->lowering.emitter;
}

static LLVMValueRef ask(const struct question *question, MlirValue mask);

/* The answer where there is nothing to compute. */
static LLVMValueRef constant_answer(const struct question *question, bool is_yes)
{
    return LLVMConstInt(emit_integer_type(emitter_of(question), 1), is_yes, false);
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

struct ends {
    LLVMValueRef low, high; /* i64; NULL: 0 */
};

static struct ends find_ends(const struct question *question, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(question);
    const struct cpu_range *range = question->range;
    struct ends ends;
    if (!range) {
        cpu_affine_range(emitter, form);
        return (struct ends){form->low, form->high};
    }
    LLVMValueRef first = form->base;
    for (unsigned i = 0; i < form->shape.rank; i++)
        first = algebra_add(
            emitter, first, algebra_multiply(emitter, form->coefficient[i], range->first[i]));
    LLVMValueRef steps = emit_i64(emitter, (UINT64_C(1) << range->bits) - 1);
    LLVMValueRef step =
        range->dimension < form->shape.rank ? form->coefficient[range->dimension] : NULL;
    LLVMValueRef span = algebra_multiply(emitter, step, steps);
    ends = (struct ends){first, first};
    if (!span)
        return ends;
    LLVMValueRef zero = emit_i64(emitter, 0);
    LLVMValueRef is_up = LLVMBuildICmp(emitter->builder, LLVMIntSGE, span, zero, "");
    ends.low =
        algebra_add(emitter, first, LLVMBuildSelect(emitter->builder, is_up, zero, span, ""));
    ends.high =
        algebra_add(emitter, first, LLVMBuildSelect(emitter->builder, is_up, span, zero, ""));
    return ends;
}

/* Exact where one side is the same for all elements, as a bound is; else on the safe side. */
static LLVMValueRef compare_ends(const struct question *question, LLVMIntPredicate predicate,
    struct cpu_affine *a, struct cpu_affine *b)
{
    struct ends left = find_ends(question, a), right = find_ends(question, b);
    bool wants_greatest = predicate == LLVMIntSLT || predicate == LLVMIntSLE;
    return algebra_compare(emitter_of(question), predicate, wants_greatest ? left.high : left.low,
        wants_greatest ? right.low : right.high);
}

/* Of arith.cmpi's signed comparisons, which begin with slt; and what holds where they fail. */
enum { SIGNED_LESS = 2 };
static const struct {
    LLVMIntPredicate holds, fails;
} predicates[] = {
    {LLVMIntSLT, LLVMIntSGE},
    {LLVMIntSLE, LLVMIntSGT},
    {LLVMIntSGT, LLVMIntSLE},
    {LLVMIntSGE, LLVMIntSLT},
};
enum { PREDICATES = sizeof predicates / sizeof *predicates };

static LLVMValueRef ask_comparison(const struct question *question, MlirOperation op)
{
    struct emitter *emitter = emitter_of(question);
    int64_t number = ir_integer_attribute(op, "predicate", 0) - SIGNED_LESS;
    struct cpu_affine *a = cpu_affine_of(question->session, mlirOperationGetOperand(op, 0));
    struct cpu_affine *b = cpu_affine_of(question->session, mlirOperationGetOperand(op, 1));
    if (number < 0 || number >= PREDICATES || !a || !b)
        return NULL;
    LLVMIntPredicate wanted =
        question->is_false ? predicates[number].fails : predicates[number].holds;
    LLVMValueRef holds = compare_ends(question, wanted, a, b);
    holds = algebra_and(emitter, holds, algebra_and(emitter, a->valid, b->valid));
    return holds ? holds : constant_answer(question, true);
}

/* ---- Other masks ----------------------------------------------------------------------------- */

static LLVMValueRef ask_constant(const struct question *question, MlirOperation op)
{
    MlirAttribute value = ir_attribute(op, "value");
    if (!mlirAttributeIsADenseElements(value) || !mlirDenseElementsAttrIsSplat(value))
        return NULL;
    return constant_answer(
        question, mlirDenseElementsAttrGetBoolSplatValue(value) != question->is_false);
}

static LLVMValueRef ask_splat(const struct question *question, MlirOperation op)
{
    LLVMValueRef scalar =
        lowering_get_scalar(&question->session->kernel->lowering, mlirOperationGetOperand(op, 0));
    return question->is_false ? LLVMBuildNot(emitter_of(question)->builder, scalar, "") : scalar;
}

/* True throughout if both are; false throughout if one of them is. */
static LLVMValueRef ask_and(const struct question *question, MlirOperation op)
{
    LLVMValueRef left = ask(question, mlirOperationGetOperand(op, 0));
    LLVMValueRef right = ask(question, mlirOperationGetOperand(op, 1));
    if (!question->is_false)
        return left && right ? algebra_and(emitter_of(question), left, right) : NULL;
    if (!left || !right)
        return left ? left : right;
    return LLVMBuildOr(emitter_of(question)->builder, left, right, "");
}

/* The same question about the source, whose index lacks dimensions of size 1, or has more. */
static LLVMValueRef ask_reshape(const struct question *question, MlirOperation op)
{
    MlirValue source = mlirOperationGetOperand(op, 0);
    struct layout_shape from = cpu_shape(mlirValueGetType(source));
    struct layout_shape to = cpu_shape(mlirValueGetType(mlirOperationGetResult(op, 0)));
    unsigned dimension[LAYOUT_MAX_RANK];
    if (!question->range)
        return ask(question, source);
    if (!layout_shape_same_but_ones(&from, &to, dimension))
        return NULL;
    struct cpu_range range = {.dimension = LAYOUT_MAX_RANK, .bits = question->range->bits};
    for (unsigned i = 0; i < from.rank; i++)
        range.first[i] = emit_i64(emitter_of(question), 0);
    for (unsigned i = 0; i < to.rank; i++) {
        if (dimension[i] >= LAYOUT_MAX_RANK)
            continue;
        range.first[dimension[i]] = question->range->first[i];
        if (i == question->range->dimension)
            range.dimension = dimension[i];
    }
    struct question inner = {question->session, &range, question->is_false};
    return ask(&inner, source);
}

/* Along a dimension of size 1 the source has the one element for all. */
static LLVMValueRef ask_broadcast(const struct question *question, MlirOperation op)
{
    MlirValue source = mlirOperationGetOperand(op, 0);
    if (!question->range)
        return ask(question, source);
    struct cpu_range range = *question->range;
    struct layout_shape shape = cpu_shape(mlirValueGetType(source));
    for (unsigned i = 0; i < shape.rank; i++) {
        if (shape.bits[i] > 0)
            continue;
        range.first[i] = emit_i64(emitter_of(question), 0);
        if (i == range.dimension)
            range.dimension = LAYOUT_MAX_RANK;
    }
    struct question inner = {question->session, &range, question->is_false};
    return ask(&inner, source);
}

static LLVMValueRef ask_trans(const struct question *question, MlirOperation op)
{
    MlirValue source = mlirOperationGetOperand(op, 0);
    MlirAttribute order = ir_attribute(op, "order");
    if (!question->range)
        return ask(question, source);
    struct cpu_range range = {.dimension = LAYOUT_MAX_RANK, .bits = question->range->bits};
    unsigned rank = cpu_shape(mlirValueGetType(source)).rank;
    for (unsigned i = 0; i < rank; i++) {
        unsigned to = (unsigned)mlirDenseI32ArrayGetElement(order, i);
        range.first[to] = question->range->first[i];
        if (i == question->range->dimension)
            range.dimension = to;
    }
    struct question inner = {question->session, &range, question->is_false};
    return ask(&inner, source);
}

static const struct {
    enum op_id id;
    LLVMValueRef (*ask)(const struct question *question, MlirOperation op);
} rules[] = {
    {OP_ARITH_CMPI, ask_comparison},
    {OP_ARITH_CONSTANT, ask_constant},
    {OP_ARITH_ANDI, ask_and},
    {OP_TT_SPLAT, ask_splat},
    {OP_TT_BROADCAST, ask_broadcast},
    {OP_TT_EXPAND_DIMS, ask_reshape},
    {OP_TT_RESHAPE, ask_reshape},
    {OP_TT_TRANS, ask_trans},
};

static LLVMValueRef ask(const struct question *question, MlirValue mask)
{
    if (!mlirValueIsAOpResult(mask))
        return NULL;
    MlirOperation op = mlirOpResultGetOwner(mask);
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].id == op_id_of(op))
            return rules[i].ask(question, op);
    return NULL;
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* Kept, so that a mask that is used in many places is looked at once. */
LLVMValueRef cpu_all_true(struct cpu_affine_session *session, MlirValue mask)
{
    static char unknown; /* stands for NULL in the map */
    void *known = pointer_map_get(&session->masks, mask.ptr);
    if (known)
        return known == &unknown ? NULL : known;
    struct question question = {session, NULL, false};
    LLVMValueRef found = ask(&question, mask);
    pointer_map_set(&session->masks, mask.ptr, found ? (void *)found : &unknown);
    return found;
}

LLVMValueRef cpu_true_within(
    struct cpu_affine_session *session, MlirValue mask, const struct cpu_range *range)
{
    struct question question = {session, range, false};
    return ask(&question, mask);
}

LLVMValueRef cpu_false_within(
    struct cpu_affine_session *session, MlirValue mask, const struct cpu_range *range)
{
    struct question question = {session, range, true};
    return ask(&question, mask);
}
