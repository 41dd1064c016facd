/* What linear forms are good for: ranges, independence of accesses, addresses. See address.h. */
#include "codegen/cpu/address.h"
#include "codegen/cpu/algebra.h"

/* ---- Ranges ---------------------------------------------------------------------------------- */

static bool is_constant(LLVMValueRef number)
{
    return LLVMIsAConstantInt(number) != NULL;
}

/* Moves the ends by the way from the first index of a dimension to its last. */
static void add_span(struct emitter *emitter, struct cpu_affine *form, unsigned dimension)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef steps = emit_i64(emitter, (UINT64_C(1) << form->shape.bits[dimension]) - 1);
    LLVMValueRef span = algebra_multiply(emitter, form->coefficient[dimension], steps);
    LLVMValueRef zero = emit_i64(emitter, 0);
    if (!span)
        return;
    bool is_down = is_constant(span) && LLVMConstIntGetSExtValue(span) < 0;
    bool is_up = !is_down && (is_constant(span) || (form->rising >> dimension & 1));
    if (is_up) {
        form->high = algebra_add(emitter, form->high, span);
    } else if (is_down) {
        form->low = algebra_add(emitter, form->low, span);
    } else {
        LLVMValueRef goes_up = LLVMBuildICmp(builder, LLVMIntSGE, span, zero, "");
        LLVMValueRef up = LLVMBuildSelect(builder, goes_up, span, zero, "");
        LLVMValueRef down = LLVMBuildSelect(builder, goes_up, zero, span, "");
        form->low = algebra_add(emitter, form->low, down);
        form->high = algebra_add(emitter, form->high, up);
    }
}

void cpu_affine_range(struct emitter *emitter, struct cpu_affine *form)
{
    if (form->has_range)
        return;
    form->has_range = true;
    form->low = form->high = form->base;
    for (unsigned i = 0; i < form->shape.rank; i++)
        add_span(emitter, form, i);
}

/* -2^bits <= number < 2^bits */
static LLVMValueRef lies_within(struct emitter *emitter, LLVMValueRef number, unsigned bits)
{
    LLVMValueRef moved = algebra_add(emitter, number, emit_i64(emitter, UINT64_C(1) << bits));
    return algebra_compare(emitter, LLVMIntULT, moved, emit_i64(emitter, UINT64_C(2) << bits));
}

void cpu_affine_limit(struct emitter *emitter, struct cpu_affine *form, unsigned bits)
{
    if (form->bits <= bits)
        return;
    cpu_affine_range(emitter, form);
    LLVMValueRef within = lies_within(emitter, form->high, bits);
    if (form->low != form->high)
        within = algebra_and(emitter, lies_within(emitter, form->low, bits), within);
    form->valid = algebra_and(emitter, form->valid, within);
    form->bits = bits;
}

/* ---- Independence ---------------------------------------------------------------------------- */

static LLVMValueRef absolute(
    struct emitter *emitter, const struct cpu_affine *form, LLVMValueRef offset)
{
    return algebra_add(emitter, form->start, offset);
}

/* i1: a ends before b begins. */
static LLVMValueRef is_before(struct emitter *emitter, struct cpu_access a, struct cpu_access b)
{
    cpu_affine_range(emitter, a.address);
    cpu_affine_range(emitter, b.address);
    LLVMValueRef size = emit_i64(emitter, a.size);
    LLVMValueRef end = algebra_add(emitter, absolute(emitter, a.address, a.address->high), size);
    LLVMValueRef begin = absolute(emitter, b.address, b.address->low);
    return algebra_compare(emitter, LLVMIntSLE, end, begin);
}

/* No two elements overlap: along each dimension, from the last to the first, one step is at least
 * as long as all that the dimensions behind it span, and an element more. */
static LLVMValueRef is_spread_out(struct emitter *emitter, struct cpu_access access)
{
    const struct cpu_affine *form = access.address;
    LLVMValueRef reach = emit_i64(emitter, access.size), result = NULL;
    for (unsigned i = form->shape.rank; i-- > 0;) {
        if (form->shape.bits[i] == 0)
            continue;
        LLVMValueRef steps = emit_i64(emitter, (UINT64_C(1) << form->shape.bits[i]) - 1);
        LLVMValueRef step = form->coefficient[i];
        result = algebra_and(emitter, result, algebra_compare(emitter, LLVMIntSGE, step, reach));
        reach = algebra_add(emitter, reach, algebra_multiply(emitter, step, steps));
    }
    return result;
}

static LLVMValueRef are_same(struct emitter *emitter, struct cpu_access a, struct cpu_access b)
{
    const struct cpu_affine *left = a.address, *right = b.address;
    LLVMValueRef difference = algebra_subtract(emitter, left->base, right->base);
    if (left->base == right->base)
        difference = NULL;
    LLVMValueRef same = algebra_compare(
        emitter, LLVMIntEQ, absolute(emitter, left, difference), absolute(emitter, right, NULL));
    for (unsigned i = 0; i < left->shape.rank; i++)
        if (left->coefficient[i] != right->coefficient[i])
            same = algebra_and(emitter, same,
                algebra_compare(emitter, LLVMIntEQ, left->coefficient[i], right->coefficient[i]));
    return algebra_and(emitter, same, is_spread_out(emitter, a));
}

LLVMValueRef cpu_access_independent(
    struct emitter *emitter, struct cpu_access load, struct cpu_access store, bool same_index)
{
    LLVMValueRef valid = algebra_and(emitter, load.address->valid, store.address->valid);
    LLVMValueRef apart =
        algebra_or(emitter, is_before(emitter, load, store), is_before(emitter, store, load));
    bool may_be_same = same_index && load.size == store.size &&
                       layout_shape_equal(&load.address->shape, &store.address->shape);
    if (may_be_same)
        apart = algebra_or(emitter, apart, are_same(emitter, load, store));
    return algebra_and(emitter, valid, apart);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

LLVMValueRef cpu_affine_pointer(
    struct emitter *emitter, const struct cpu_affine *form, const LLVMValueRef *index)
{
    LLVMTypeRef byte = emit_integer_type(emitter, 8);
    LLVMValueRef base = algebra_value(emitter, form->base);
    LLVMValueRef pointer = LLVMBuildGEP2(emitter->builder, byte, form->pointer, &base, 1, "");
    for (unsigned i = 0; i < form->shape.rank; i++) {
        LLVMValueRef bytes = algebra_multiply(emitter, form->coefficient[i], index[i]);
        if (bytes)
            pointer = LLVMBuildGEP2(emitter->builder, byte, pointer, &bytes, 1, "");
    }
    return pointer;
}

struct cpu_affine *cpu_affine_of_neighbours(
    struct emitter *emitter, struct cpu_affine *form, unsigned size, LLVMValueRef *out_holds)
{
    unsigned last = form->shape.rank - 1;
    LLVMValueRef step = form->coefficient[last];
    *out_holds = NULL;
    if (!step || LLVMIsAConstantInt(step))
        return form;
    struct cpu_affine *assumed = arena_new(emitter->arena, struct cpu_affine);
    *assumed = *form;
    assumed->coefficient[last] = emit_i64(emitter, size);
    assumed->has_range = false;
    *out_holds = algebra_compare(emitter, LLVMIntEQ, step, assumed->coefficient[last]);
    return assumed;
}
