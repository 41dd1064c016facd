/* The linear forms of tiles: see address.h. What can be told from them is in address_range.c. */
#include "codegen/cpu/address.h"
#include "codegen/cpu/algebra.h"
#include "codegen/cpu/arguments.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Sizes of numbers, as powers of two. Between them lie the steps that a form can take before it is
 * checked again: a product of two factors, a sum, a scale by an element's size. */
enum {
    LARGEST_OFFSET = 46,
    LARGEST_FACTOR = 30, /* of two numbers that are both unknown when the kernel is compiled */
    LARGEST_NUMBER = 60,
    LARGEST_ADDRESS = 62,
};

void cpu_affine_begin(struct cpu_kernel *kernel, struct cpu_affine_session *out_session)
{
    out_session->kernel = kernel;
    pointer_map_init(&out_session->forms, kernel->lowering.emitter.arena);
    pointer_map_init(&out_session->masks, kernel->lowering.emitter.arena);
}

static struct emitter *emitter_of(struct cpu_affine_session *session)
{
    return &session->kernel->lowering.emitter;
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* Moves the ends by the way from the first index of a dimension to its last. */
static void add_span(struct emitter *emitter, struct cpu_affine *form, unsigned dimension)
{
    LLVMValueRef steps = emit_i64(emitter, (UINT64_C(1) << form->shape.bits[dimension]) - 1);
    LLVMValueRef span = algebra_multiply(emitter, form->coefficient[dimension], steps);
    LLVMValueRef zero = emit_i64(emitter, 0);
    if (!span)
        return;
    LLVMValueRef is_up = LLVMBuildICmp(emitter->builder, LLVMIntSGE, span, zero, "");
    LLVMValueRef up = LLVMBuildSelect(emitter->builder, is_up, span, zero, "");
    LLVMValueRef down = LLVMBuildSelect(emitter->builder, is_up, zero, span, "");
    form->low = algebra_add(emitter, form->low, down);
    form->high = algebra_add(emitter, form->high, up);
}

static void find_range(struct emitter *emitter, struct cpu_affine *form)
{
    form->low = form->high = form->base;
    for (unsigned i = 0; i < form->shape.rank; i++)
        add_span(emitter, form, i);
}

/* From here on the form's elements lie between -2^bits and 2^bits. */
static void limit(struct emitter *emitter, struct cpu_affine *form, unsigned bits)
{
    if (form->bits <= bits)
        return;
    LLVMValueRef least = emit_i64(emitter, -(UINT64_C(1) << bits));
    LLVMValueRef greatest = emit_i64(emitter, (UINT64_C(1) << bits) - 1);
    LLVMValueRef above = algebra_compare(emitter, LLVMIntSGE, form->low, least);
    LLVMValueRef below = algebra_compare(emitter, LLVMIntSLE, form->high, greatest);
    form->valid = algebra_and(emitter, form->valid, algebra_and(emitter, above, below));
    form->bits = bits;
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

typedef bool form_function(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form);

/* The address must leave room for offsets on both sides; every address of user space does. */
static void form_pointer(struct emitter *emitter, LLVMValueRef pointer, struct cpu_affine *form)
{
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    form->pointer = pointer;
    form->start = LLVMBuildPtrToInt(emitter->builder, pointer, i64, "");
    form->valid = algebra_compare(
        emitter, LLVMIntULT, form->start, emit_i64(emitter, UINT64_C(1) << LARGEST_ADDRESS));
}

static void form_integer(struct emitter *emitter, LLVMValueRef integer, struct cpu_affine *form)
{
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(integer));
    LLVMTypeRef i64 = emit_integer_type(emitter, 64);
    form->base = form->low = form->high =
        LLVMBuildSExtOrBitCast(emitter->builder, integer, i64, "");
    form->bits = width - 1;
    limit(emitter, form, LARGEST_OFFSET);
}

static bool form_splat(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    LLVMValueRef scalar =
        lowering_get_scalar(&session->kernel->lowering, mlirOperationGetOperand(op, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(scalar));
    if (kind == LLVMPointerTypeKind)
        form_pointer(emitter_of(session), scalar, form);
    else if (kind == LLVMIntegerTypeKind)
        form_integer(emitter_of(session), scalar, form);
    else
        return false;
    return true;
}

static bool form_constant(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    MlirAttribute value = ir_attribute(op, "value");
    MlirType element = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!ir_is_integer(element) || !mlirAttributeIsADenseElements(value) ||
        !mlirDenseElementsAttrIsSplat(value))
        return false;
    form_integer(emitter, emit_dense_element(emitter, value, element, 0), form);
    int64_t number = LLVMConstIntGetSExtValue(form->base);
    uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;
    for (form->bits = 0; size > UINT64_C(1) << form->bits;)
        form->bits++;
    return form->bits <= LARGEST_OFFSET;
}

static bool form_make_range(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    form->base = emit_i64(emitter, (uint64_t)ir_integer_attribute(op, "start", 0));
    form->coefficient[0] = emit_i64(emitter, 1);
    form->bits = 31;
    return true;
}

/* ---- Sums and products ----------------------------------------------------------------------- */

struct operands {
    const struct cpu_affine *a, *b;
};

static bool operand_forms(
    struct cpu_affine_session *session, MlirOperation op, struct operands *out_operands)
{
    out_operands->a = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    out_operands->b = cpu_affine_of(session, mlirOperationGetOperand(op, 1));
    return out_operands->a && out_operands->b;
}

typedef LLVMValueRef combine_function(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);

static void form_combined(struct emitter *emitter, const struct cpu_affine *a,
    const struct cpu_affine *b, combine_function *combine, struct cpu_affine *form)
{
    form->base = combine(emitter, a->base, b->base);
    for (unsigned i = 0; i < form->shape.rank; i++)
        form->coefficient[i] = combine(emitter, a->coefficient[i], b->coefficient[i]);
    form->bits = (a->bits > b->bits ? a->bits : b->bits) + 1;
    form->valid = algebra_and(emitter, a->valid, b->valid);
}

static bool form_add(struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct operands operands;
    if (!operand_forms(session, op, &operands))
        return false;
    form_combined(emitter_of(session), operands.a, operands.b, algebra_add, form);
    return true;
}

static bool form_subtract(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct operands operands;
    if (!operand_forms(session, op, &operands))
        return false;
    form_combined(emitter_of(session), operands.a, operands.b, algebra_subtract, form);
    return true;
}

static bool is_uniform(const struct cpu_affine *form)
{
    for (unsigned i = 0; i < form->shape.rank; i++)
        if (form->coefficient[i])
            return false;
    return true;
}

static bool is_known(const struct cpu_affine *form)
{
    return is_uniform(form) && (!form->base || LLVMIsAConstantInt(form->base));
}

static void form_scaled(struct emitter *emitter, const struct cpu_affine *source,
    LLVMValueRef factor, unsigned factor_bits, struct cpu_affine *form)
{
    form->base = algebra_multiply(emitter, source->base, factor);
    for (unsigned i = 0; i < form->shape.rank; i++)
        form->coefficient[i] = algebra_multiply(emitter, source->coefficient[i], factor);
    form->bits = source->bits + factor_bits;
}

static bool form_multiply(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    struct operands operands;
    if (!operand_forms(session, op, &operands) ||
        (!is_uniform(operands.a) && !is_uniform(operands.b)))
        return false;
    struct cpu_affine varying = *operands.a, factor = *operands.b;
    if (!is_uniform(&factor)) {
        varying = *operands.b;
        factor = *operands.a;
    }
    if (!is_known(&varying) && !is_known(&factor)) {
        limit(emitter, &varying, LARGEST_FACTOR);
        limit(emitter, &factor, LARGEST_FACTOR);
    }
    if (varying.bits + factor.bits > LARGEST_NUMBER)
        return false;
    form_scaled(emitter, &varying, factor.base, factor.bits, form);
    form->valid = algebra_and(emitter, varying.valid, factor.valid);
    return true;
}

/* Offsets count elements; the form counts bytes. */
static bool form_addptr(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    enum { SIZE_BITS = 3 };
    struct emitter *emitter = emitter_of(session);
    struct operands operands;
    if (!operand_forms(session, op, &operands) || !operands.a->pointer)
        return false;
    MlirType type = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    LLVMValueRef size = emit_i64(emitter, emit_memory_size(tt_pointer_pointee(type)));
    struct cpu_affine bytes = {.shape = form->shape, .valid = operands.b->valid};
    form_scaled(emitter, operands.b, size, SIZE_BITS, &bytes);
    form_combined(emitter, operands.a, &bytes, algebra_add, form);
    form->pointer = operands.a->pointer;
    form->start = operands.a->start;
    return true;
}

/* ---- Casts and shapes ------------------------------------------------------------------------ */

/* The operand's form under the result's own shape. For tt.broadcast too: forms have no coefficient
 * along a dimension of size 1. */
static bool form_same(struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    const struct cpu_affine *source = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    struct layout_shape shape = form->shape;
    if (!source)
        return false;
    *form = *source;
    form->shape = shape;
    return true;
}

/* Right where no element is negative. */
static bool form_extend_unsigned(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    if (!form_same(session, op, form))
        return false;
    LLVMValueRef not_negative = algebra_compare(emitter, LLVMIntSGE, form->low, NULL);
    form->valid = algebra_and(emitter, form->valid, not_negative);
    return true;
}

static bool form_expand_dims(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    const struct cpu_affine *source = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    unsigned axis = (unsigned)ir_integer_attribute(op, "axis", 0);
    if (!form_same(session, op, form))
        return false;
    form->coefficient[axis] = NULL;
    for (unsigned i = axis + 1; i < form->shape.rank; i++)
        form->coefficient[i] = source->coefficient[i - 1];
    return true;
}

static bool form_trans(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    const struct cpu_affine *source = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    MlirAttribute order = ir_attribute(op, "order");
    if (!form_same(session, op, form))
        return false;
    for (unsigned i = 0; i < form->shape.rank; i++)
        form->coefficient[i] = source->coefficient[mlirDenseI32ArrayGetElement(order, i)];
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct {
    enum op_id id;
    form_function *form;
} rules[] = {
    {OP_TT_SPLAT, form_splat},
    {OP_ARITH_CONSTANT, form_constant},
    {OP_TT_MAKE_RANGE, form_make_range},
    {OP_ARITH_ADDI, form_add},
    {OP_ARITH_SUBI, form_subtract},
    {OP_ARITH_MULI, form_multiply},
    {OP_ARITH_EXTSI, form_same},
    {OP_ARITH_EXTUI, form_extend_unsigned},
    {OP_TT_ADDPTR, form_addptr},
    {OP_TT_BROADCAST, form_same},
    {OP_TT_EXPAND_DIMS, form_expand_dims},
    {OP_TT_TRANS, form_trans},
};

/* The rule's form, with its range and the condition that the operation itself did not wrap. */
static bool apply_rule(struct cpu_affine_session *session, form_function *rule, MlirOperation op,
    struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    MlirType element = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!rule(session, op, form))
        return false;
    for (unsigned i = 0; i < form->shape.rank; i++)
        if (form->shape.bits[i] == 0)
            form->coefficient[i] = NULL;
    find_range(emitter, form);
    unsigned bits = ir_is_integer(element) ? ir_integer_width(element) - 1 : LARGEST_OFFSET;
    limit(emitter, form, bits < LARGEST_OFFSET ? bits : LARGEST_OFFSET);
    return true;
}

/* A block argument without a buffer: its start, moved by a scalar. */
static bool form_argument(struct cpu_affine_session *session, const struct cpu_argument *argument,
    struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    const struct cpu_affine *base = cpu_affine_of(session, argument->base);
    if (!base)
        return false;
    *form = *base;
    if (!argument->moves)
        return true;
    MlirType element = ir_element_type(mlirValueGetType(argument->base));
    LLVMValueRef by = argument->offset;
    unsigned width = LARGEST_OFFSET + 1;
    if (tt_type_is_pointer(element))
        by = LLVMBuildMul(emitter->builder, by,
            emit_i64(emitter, emit_memory_size(tt_pointer_pointee(element))), "");
    else
        width = ir_integer_width(element);
    struct cpu_affine move = {.shape = form->shape};
    form_integer(emitter, by, &move);
    form_combined(emitter, base, &move, algebra_add, form);
    find_range(emitter, form);
    limit(emitter, form, width - 1 < LARGEST_OFFSET ? width - 1 : LARGEST_OFFSET);
    return true;
}

static bool make_form(struct cpu_affine_session *session, MlirValue tile, struct cpu_affine *form)
{
    if (!ir_is_tile(mlirValueGetType(tile)))
        return false;
    const struct cpu_argument *argument = cpu_argument_of(session->kernel, tile);
    if (argument)
        return form_argument(session, argument, form);
    if (!mlirValueIsAOpResult(tile))
        return false;
    MlirOperation op = mlirOpResultGetOwner(tile);
    enum op_id id = op_id_of(op);
    form->shape = cpu_shape(mlirValueGetType(tile));
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].id == id)
            return apply_rule(session, rules[i].form, op, form);
    return false;
}

/* Forms are kept, so that a value that is used in many places is looked at once. */
const struct cpu_affine *cpu_affine_of(struct cpu_affine_session *session, MlirValue tile)
{
    static char none; /* stands for "no form" in the map */
    void *known = pointer_map_get(&session->forms, tile.ptr);
    if (known)
        return known == &none ? NULL : known;
    struct cpu_affine *form = arena_new(session->kernel->lowering.emitter.arena, struct cpu_affine);
    bool has_form = make_form(session, tile, form);
    pointer_map_set(&session->forms, tile.ptr, has_form ? (void *)form : &none);
    return has_form ? form : NULL;
}
