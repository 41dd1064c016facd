/* The linear forms of tiles: see address.h. What can be told from them is in address_range.c. */
#include "codegen/cpu/address.h"
#include "codegen/cpu/algebra.h"
#include "codegen/cpu/arguments.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Sizes of numbers, as powers of two. An operand is brought down to a size only when an operation
 * on it might leave LARGEST_NUMBER, so that most forms need no check at all. */
enum {
    LARGEST_OFFSET = 46,
    LARGEST_FACTOR = 27, /* of two numbers that are both unknown when the kernel is compiled */
    LARGEST_NUMBER = 58,
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
    form->base = LLVMBuildSExtOrBitCast(emitter->builder, integer, i64, "");
    form->bits = width - 1;
    if (LLVMIsASExtInst(integer))
        form->bits = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(integer, 0))) - 1;
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
    form->rising = 1;
    form->bits = 31;
    return true;
}

/* ---- Sums and products ----------------------------------------------------------------------- */

struct operands {
    struct cpu_affine *a, *b;
};

static bool operand_forms(
    struct cpu_affine_session *session, MlirOperation op, struct operands *out_operands)
{
    out_operands->a = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    out_operands->b = cpu_affine_of(session, mlirOperationGetOperand(op, 1));
    return out_operands->a && out_operands->b;
}

/* Both forms, small enough to be added. */
static bool summand_forms(
    struct cpu_affine_session *session, MlirOperation op, struct operands *out_operands)
{
    if (!operand_forms(session, op, out_operands))
        return false;
    if (out_operands->a->bits > LARGEST_NUMBER)
        cpu_affine_limit(emitter_of(session), out_operands->a, LARGEST_OFFSET);
    if (out_operands->b->bits > LARGEST_NUMBER)
        cpu_affine_limit(emitter_of(session), out_operands->b, LARGEST_OFFSET);
    return true;
}

static void form_sum(struct emitter *emitter, const struct cpu_affine *a,
    const struct cpu_affine *b, struct cpu_affine *form)
{
    form->base = algebra_add(emitter, a->base, b->base);
    for (unsigned i = 0; i < form->shape.rank; i++)
        form->coefficient[i] = algebra_add(emitter, a->coefficient[i], b->coefficient[i]);
    form->rising = a->rising & b->rising;
    form->bits = (a->bits > b->bits ? a->bits : b->bits) + 1;
    form->valid = algebra_and(emitter, a->valid, b->valid);
}

static bool form_add(struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct operands operands;
    if (!summand_forms(session, op, &operands))
        return false;
    form_sum(emitter_of(session), operands.a, operands.b, form);
    return true;
}

static bool form_subtract(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    struct operands operands;
    if (!summand_forms(session, op, &operands))
        return false;
    const struct cpu_affine *a = operands.a, *b = operands.b;
    form->base = algebra_subtract(emitter, a->base, b->base);
    form->rising = a->rising;
    for (unsigned i = 0; i < form->shape.rank; i++) {
        form->coefficient[i] = algebra_subtract(emitter, a->coefficient[i], b->coefficient[i]);
        if (b->coefficient[i])
            form->rising &= ~(1u << i);
    }
    form->bits = (a->bits > b->bits ? a->bits : b->bits) + 1;
    form->valid = algebra_and(emitter, a->valid, b->valid);
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

/* The form times a factor; `is_rising`: the factor is not negative. */
static void form_scaled(struct emitter *emitter, const struct cpu_affine *source,
    LLVMValueRef factor, unsigned factor_bits, bool is_rising, struct cpu_affine *form)
{
    form->base = algebra_multiply(emitter, source->base, factor);
    for (unsigned i = 0; i < form->shape.rank; i++)
        form->coefficient[i] = algebra_multiply(emitter, source->coefficient[i], factor);
    form->rising = is_rising ? source->rising : 0;
    form->bits = source->bits + factor_bits;
}

/* Two numbers that are unknown yet must not be too large, and a step not go backwards. */
static void check_factors(
    struct emitter *emitter, struct cpu_affine *varying, struct cpu_affine *factor)
{
    cpu_affine_limit(emitter, varying, LARGEST_FACTOR);
    cpu_affine_limit(emitter, factor, LARGEST_FACTOR);
    if (is_uniform(varying))
        return;
    LLVMValueRef not_negative = algebra_compare(emitter, LLVMIntSGE, factor->base, NULL);
    factor->valid = algebra_and(emitter, factor->valid, not_negative);
}

static bool is_negative_constant(LLVMValueRef number)
{
    return number && LLVMIsAConstantInt(number) && LLVMConstIntGetSExtValue(number) < 0;
}

static bool form_multiply(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    struct operands operands;
    if (!operand_forms(session, op, &operands) ||
        (!is_uniform(operands.a) && !is_uniform(operands.b)))
        return false;
    bool is_swapped = !is_uniform(operands.b);
    struct cpu_affine *varying = is_swapped ? operands.b : operands.a;
    struct cpu_affine factor = is_swapped ? *operands.a : *operands.b;
    if (!is_known(varying) && !is_known(&factor))
        check_factors(emitter, varying, &factor);
    else
        cpu_affine_limit(emitter, varying, LARGEST_OFFSET);
    if (varying->bits + factor.bits > LARGEST_NUMBER)
        return false;
    bool is_rising = !is_negative_constant(factor.base);
    form_scaled(emitter, varying, factor.base, factor.bits, is_rising, form);
    form->valid = algebra_and(emitter, varying->valid, factor.valid);
    return true;
}

/* Offsets count elements; the form counts bytes. */
static bool form_addptr(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    enum { SIZE_BITS = 3 };
    struct emitter *emitter = emitter_of(session);
    struct operands operands;
    if (!summand_forms(session, op, &operands) || !operands.a->pointer)
        return false;
    if (operands.b->bits > LARGEST_NUMBER - SIZE_BITS)
        cpu_affine_limit(emitter, operands.b, LARGEST_OFFSET);
    MlirType type = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    LLVMValueRef size = emit_i64(emitter, emit_memory_size(tt_pointer_pointee(type)));
    struct cpu_affine bytes = {.shape = form->shape, .valid = operands.b->valid};
    form_scaled(emitter, operands.b, size, SIZE_BITS, true, &bytes);
    form_sum(emitter, operands.a, &bytes, form);
    form->pointer = operands.a->pointer;
    form->start = operands.a->start;
    return true;
}

/* ---- Casts and shapes ------------------------------------------------------------------------ */

/* The operand's form under the result's own shape. For tt.broadcast too: forms have no coefficient
 * along a dimension of size 1. */
static bool form_same(struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct cpu_affine *source = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
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
    cpu_affine_range(emitter, form);
    LLVMValueRef not_negative = algebra_compare(emitter, LLVMIntSGE, form->low, NULL);
    form->valid = algebra_and(emitter, form->valid, not_negative);
    return true;
}

/* Dimension i of the result is dimension `from[i]` of the source, or a new one of size 1. The
 * elements, and so their range, stay. */
static void move_dimensions(
    const struct cpu_affine *source, const unsigned *from, struct cpu_affine *form)
{
    form->rising = 0;
    for (unsigned i = 0; i < form->shape.rank; i++) {
        bool is_new = from[i] >= LAYOUT_MAX_RANK;
        form->coefficient[i] = is_new ? NULL : source->coefficient[from[i]];
        if (is_new || (source->rising >> from[i] & 1))
            form->rising |= 1u << i;
    }
}

/* Inserting and removing dimensions of size 1: tt.expand_dims, and a reshape that does no more. */
static bool form_reshape(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct cpu_affine *source = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    unsigned from[LAYOUT_MAX_RANK];
    if (!form_same(session, op, form) ||
        !layout_shape_same_but_ones(&source->shape, &form->shape, from))
        return false;
    move_dimensions(source, from, form);
    return true;
}

static bool form_trans(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct cpu_affine *source = cpu_affine_of(session, mlirOperationGetOperand(op, 0));
    MlirAttribute order = ir_attribute(op, "order");
    unsigned from[LAYOUT_MAX_RANK];
    if (!form_same(session, op, form))
        return false;
    for (unsigned i = 0; i < form->shape.rank; i++)
        from[i] = (unsigned)mlirDenseI32ArrayGetElement(order, i);
    move_dimensions(source, from, form);
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
    {OP_TT_EXPAND_DIMS, form_reshape},
    {OP_TT_RESHAPE, form_reshape},
    {OP_TT_TRANS, form_trans},
};

/* Dimensions without a step rise; numbers of `width` bits did not wrap. */
static void finish_form(struct emitter *emitter, struct cpu_affine *form, unsigned width)
{
    for (unsigned i = 0; i < form->shape.rank; i++) {
        if (form->shape.bits[i] == 0)
            form->coefficient[i] = NULL;
        if (!form->coefficient[i])
            form->rising |= 1u << i;
    }
    if (width < 64)
        cpu_affine_limit(emitter, form, width - 1);
}

/* The rule's form, under the condition that the operation itself did not wrap. */
static bool apply_rule(struct cpu_affine_session *session, form_function *rule, MlirOperation op,
    struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    MlirType element = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!rule(session, op, form))
        return false;
    finish_form(emitter, form, ir_is_integer(element) ? ir_integer_width(element) : 64);
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
    unsigned width = 64;
    if (tt_type_is_pointer(element))
        by = LLVMBuildMul(emitter->builder, by,
            emit_i64(emitter, emit_memory_size(tt_pointer_pointee(element))), "");
    else
        width = ir_integer_width(element);
    struct cpu_affine start = *base, move = {.shape = form->shape};
    form_integer(emitter, by, &move);
    finish_form(emitter, &move, 64);
    cpu_affine_limit(emitter, &start, LARGEST_OFFSET);
    cpu_affine_limit(emitter, &move, LARGEST_OFFSET);
    form_sum(emitter, &start, &move, form);
    finish_form(emitter, form, width);
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
struct cpu_affine *cpu_affine_of(struct cpu_affine_session *session, MlirValue tile)
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
