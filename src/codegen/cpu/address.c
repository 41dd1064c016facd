/* The linear forms of tiles: see address.h. What can be done with them is in address_range.c. */
#include "codegen/cpu/address.h"
#include "codegen/cpu/address_range.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MASK_BUDGET = 64 };

void cpu_affine_begin(struct cpu_kernel *kernel, struct cpu_affine_session *out_session)
{
    out_session->kernel = kernel;
    out_session->mask_budget = MASK_BUDGET;
    pointer_map_init(&out_session->forms, kernel->lowering.emitter.arena);
}

static struct emitter *emitter_of(struct cpu_affine_session *session)
{
    return &session->kernel->lowering.emitter;
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

typedef bool form_function(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form);

/* A number as the program means it: signed; a pointer is an address. */
static LLVMValueRef wide_scalar(struct emitter *emitter, LLVMValueRef scalar)
{
    LLVMTypeRef i128 = emit_integer_type(emitter, 128);
    if (LLVMGetTypeKind(LLVMTypeOf(scalar)) != LLVMPointerTypeKind)
        return LLVMBuildSExt(emitter->builder, scalar, i128, "");
    LLVMValueRef address =
        LLVMBuildPtrToInt(emitter->builder, scalar, emit_integer_type(emitter, 64), "");
    return LLVMBuildZExt(emitter->builder, address, i128, "");
}

static bool form_splat(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    LLVMValueRef scalar =
        lowering_get_scalar(&session->kernel->lowering, mlirOperationGetOperand(op, 0));
    if (LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMPointerTypeKind ||
        LLVMGetTypeKind(LLVMTypeOf(scalar)) == LLVMIntegerTypeKind) {
        form->base = wide_scalar(emitter_of(session), scalar);
        return true;
    }
    return false;
}

static bool form_constant(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    MlirAttribute value = ir_attribute(op, "value");
    MlirType element = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    if (!ir_is_integer(element) || !mlirAttributeIsADenseElements(value) ||
        !mlirDenseElementsAttrIsSplat(value))
        return false;
    struct emitter *emitter = emitter_of(session);
    form->base = wide_scalar(emitter, emit_dense_element(emitter, value, element, 0));
    return true;
}

static bool form_make_range(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    LLVMTypeRef i128 = emit_integer_type(emitter_of(session), 128);
    form->base = LLVMConstInt(i128, (uint64_t)ir_integer_attribute(op, "start", 0), true);
    form->coefficient[0] = LLVMConstInt(i128, 1, false);
    return true;
}

/* ---- Sums and products ----------------------------------------------------------------------- */

static LLVMValueRef add(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildAdd(emitter->builder, a, b, "");
}

static LLVMValueRef subtract(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!b)
        return a;
    return a ? LLVMBuildSub(emitter->builder, a, b, "") : LLVMBuildNeg(emitter->builder, b, "");
}

static LLVMValueRef multiply(struct emitter *emitter, LLVMValueRef a, LLVMValueRef factor)
{
    return a ? LLVMBuildMul(emitter->builder, a, factor, "") : NULL;
}

static bool operand_forms(struct cpu_affine_session *session, MlirOperation op,
    struct cpu_affine *a, struct cpu_affine *b)
{
    return cpu_affine_of(session, mlirOperationGetOperand(op, 0), a) &&
           cpu_affine_of(session, mlirOperationGetOperand(op, 1), b);
}

typedef LLVMValueRef combine_function(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b);

static bool form_combined(struct cpu_affine_session *session, MlirOperation op,
    struct cpu_affine *form, combine_function *combine)
{
    struct emitter *emitter = emitter_of(session);
    struct cpu_affine a, b;
    if (!operand_forms(session, op, &a, &b))
        return false;
    form->base = combine(emitter, a.base, b.base);
    for (unsigned i = 0; i < form->rank; i++)
        form->coefficient[i] = combine(emitter, a.coefficient[i], b.coefficient[i]);
    form->valid = cpu_and(emitter, a.valid, b.valid);
    return true;
}

static bool form_add(struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    return form_combined(session, op, form, add);
}

static bool form_subtract(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    return form_combined(session, op, form, subtract);
}

static bool is_uniform(const struct cpu_affine *form)
{
    for (unsigned i = 0; i < form->rank; i++)
        if (form->coefficient[i])
            return false;
    return true;
}

static bool form_multiply(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    struct cpu_affine a, b;
    if (!operand_forms(session, op, &a, &b) || (!is_uniform(&a) && !is_uniform(&b)))
        return false;
    const struct cpu_affine *varying = is_uniform(&a) ? &b : &a;
    LLVMValueRef factor = is_uniform(&a) ? a.base : b.base;
    form->base = multiply(emitter, varying->base, factor);
    for (unsigned i = 0; i < form->rank; i++)
        form->coefficient[i] = multiply(emitter, varying->coefficient[i], factor);
    form->valid = cpu_and(emitter, a.valid, b.valid);
    return true;
}

/* Offsets count elements. */
static bool form_addptr(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    struct cpu_affine pointer, offset;
    if (!operand_forms(session, op, &pointer, &offset))
        return false;
    MlirType type = ir_element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
    LLVMValueRef size = LLVMConstInt(
        emit_integer_type(emitter, 128), emit_memory_size(tt_pointer_pointee(type)), false);
    form->base = add(emitter, pointer.base, multiply(emitter, offset.base, size));
    for (unsigned i = 0; i < form->rank; i++)
        form->coefficient[i] =
            add(emitter, pointer.coefficient[i], multiply(emitter, offset.coefficient[i], size));
    form->valid = cpu_and(emitter, pointer.valid, offset.valid);
    return true;
}

/* ---- Casts and shapes ------------------------------------------------------------------------ */

/* For tt.broadcast too: forms have no coefficient along a dimension of size 1. */
static bool form_same(struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    return cpu_affine_of(session, mlirOperationGetOperand(op, 0), form);
}

/* Right where no element is negative. */
static bool form_extend_unsigned(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct emitter *emitter = emitter_of(session);
    MlirValue source = mlirOperationGetOperand(op, 0);
    if (!cpu_affine_of(session, source, form))
        return false;
    struct layout_shape shape = cpu_shape(mlirValueGetType(source));
    struct cpu_range range = cpu_range_of(emitter, form, &shape);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(range.low));
    LLVMValueRef not_negative = LLVMBuildICmp(emitter->builder, LLVMIntSGE, range.low, zero, "");
    form->valid = cpu_and(emitter, form->valid, not_negative);
    return true;
}

static bool form_expand_dims(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct cpu_affine source;
    if (!cpu_affine_of(session, mlirOperationGetOperand(op, 0), &source))
        return false;
    unsigned axis = (unsigned)ir_integer_attribute(op, "axis", 0);
    form->base = source.base;
    form->valid = source.valid;
    for (unsigned i = 0; i < form->rank; i++)
        if (i != axis)
            form->coefficient[i] = source.coefficient[i < axis ? i : i - 1];
    return true;
}

static bool form_trans(
    struct cpu_affine_session *session, MlirOperation op, struct cpu_affine *form)
{
    struct cpu_affine source;
    if (!cpu_affine_of(session, mlirOperationGetOperand(op, 0), &source))
        return false;
    form->base = source.base;
    form->valid = source.valid;
    MlirAttribute order = ir_attribute(op, "order");
    for (unsigned i = 0; i < form->rank; i++)
        form->coefficient[i] = source.coefficient[mlirDenseI32ArrayGetElement(order, i)];
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const struct {
    enum op_id id;
    form_function *form;
    bool may_wrap;
} rules[] = {
    {OP_TT_SPLAT, form_splat, false},
    {OP_ARITH_CONSTANT, form_constant, false},
    {OP_TT_MAKE_RANGE, form_make_range, false},
    {OP_ARITH_ADDI, form_add, true},
    {OP_ARITH_SUBI, form_subtract, true},
    {OP_ARITH_MULI, form_multiply, true},
    {OP_ARITH_EXTSI, form_same, false},
    {OP_ARITH_EXTUI, form_extend_unsigned, false},
    {OP_TT_ADDPTR, form_addptr, true},
    {OP_TT_BITCAST, form_same, false},
    {OP_TT_BROADCAST, form_same, false},
    {OP_TT_EXPAND_DIMS, form_expand_dims, false},
    {OP_TT_TRANS, form_trans, false},
};

/* The tile's form, and the condition that its own operation did not wrap. */
static bool make_form(struct cpu_affine_session *session, MlirValue tile, struct cpu_affine *form)
{
    if (!ir_is_tile(mlirValueGetType(tile)) || !mlirValueIsAOpResult(tile))
        return false;
    struct layout_shape shape = cpu_shape(mlirValueGetType(tile));
    MlirOperation op = mlirOpResultGetOwner(tile);
    enum op_id id = op_id_of(op);
    *form = (struct cpu_affine){.rank = shape.rank};
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].id != id)
            continue;
        if (!rules[i].form(session, op, form))
            return false;
        for (unsigned d = 0; d < shape.rank; d++)
            if (shape.bits[d] == 0)
                form->coefficient[d] = NULL;
        if (rules[i].may_wrap)
            form->valid = cpu_and(emitter_of(session), form->valid,
                cpu_fits(emitter_of(session), form, &shape, mlirValueGetType(tile)));
        return true;
    }
    return false;
}

/* Forms are kept, so that a value that is used in many places is looked at once. */
bool cpu_affine_of(struct cpu_affine_session *session, MlirValue tile, struct cpu_affine *out_form)
{
    static const char none; /* stands for "no form" in the map */
    const struct cpu_affine *known = pointer_map_get(&session->forms, tile.ptr);
    if (known == (const void *)&none)
        return false;
    if (known) {
        *out_form = *known;
        return true;
    }
    struct cpu_affine *form = arena_new(session->kernel->lowering.emitter.arena, struct cpu_affine);
    bool has_form = make_form(session, tile, form);
    pointer_map_set(&session->forms, tile.ptr, has_form ? (void *)form : (void *)&none);
    if (has_form)
        *out_form = *form;
    return has_form;
}
