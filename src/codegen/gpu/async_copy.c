/* Asynchronous copies from global to shared memory: cp.async.
 *
 * An instruction copies 4, 8 or 16 bytes that are neighbours on both sides and have one mask; where
 * the mask does not hold it reads nothing and writes 0. What it cannot do (narrower pieces, an
 * `other` that is not 0, chips before sm_80) is loaded and stored at once, which nobody can tell
 * apart: the tile may be read after the wait either way. */
#include "codegen/gpu/access.h"
#include "codegen/gpu/bits.h"
#include "codegen/gpu/local.h"

#include "mlir-c/BuiltinAttributes.h"

enum { FIRST_WITH_COPIES = 80, NARROWEST_COPY = 4, WIDEST_COPY = 16 };

struct copying {
    struct gpu_kernel *kernel;
    struct access access;
    struct gpu_shared_view to;
};

static bool has_copies(const struct gpu_kernel *kernel)
{
    return kernel->options.target->compute_capability >= FIRST_WITH_COPIES;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* log2 of the elements whose registers are neighbours in both memories, in the same order. */
static unsigned piece_bits(const struct copying *copying)
{
    unsigned bits = 0;
    while (bits < copying->access.run && bits < copying->to.vector_bits &&
           copying->to.vector[bits] == 1u << bits)
        bits++;
    return bits;
}

static unsigned piece_bytes(const struct copying *copying)
{
    return emit_memory_size(copying->access.ir.element) << copying->access.run;
}

/* How many bytes are read: all, or none where the mask does not hold. */
static LLVMValueRef bytes_read(const struct copying *copying, unsigned first)
{
    struct emitter *emitter = &copying->kernel->lowering.emitter;
    LLVMValueRef all = emit_i32(emitter, piece_bytes(copying));
    if (mlirValueIsNull(copying->access.ir.mask))
        return all;
    const struct lowered *mask = lowering_get(&copying->kernel->lowering, copying->access.ir.mask);
    return LLVMBuildSelect(emitter->builder, mask->elements[first], all, emit_i32(emitter, 0), "");
}

static void begin_copy(const struct copying *copying, unsigned first)
{
    struct gpu_kernel *kernel = copying->kernel;
    const struct lowered *pointers = lowering_get(&kernel->lowering, copying->access.ir.pointer);
    LLVMValueRef operands[] = {gpu_shared_address(kernel, &copying->to, first, NULL),
        pointers->elements[first], bytes_read(copying, first)};
    static const enum nv_op rows[] = {NV_CP_ASYNC_4, NV_CP_ASYNC_8, NV_CP_ASYNC_16};
    enum nv_op op = rows[__builtin_ctz(piece_bytes(copying) / NARROWEST_COPY)];
    nv_emit(&kernel->lowering.emitter, kernel->options.column, op, NULL, operands);
}

static void copy_at_once(const struct copying *copying, unsigned first)
{
    struct gpu_kernel *kernel = copying->kernel;
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef elements[ACCESS_MOST_ELEMENTS];
    access_load_run(kernel, &copying->access, first, elements);
    gpu_shared_store(kernel, gpu_shared_address(kernel, &copying->to, first, NULL),
        gpu_pack(emitter, copying->to.element, elements, 1u << copying->access.run));
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Of bits, since -0.0 is no zero. */
static bool is_constant_zero(const struct lowered *value)
{
    for (unsigned i = 0; i < value->count; i++)
        if (!LLVMIsConstant(value->elements[i]) || !LLVMIsNull(value->elements[i]))
            return false;
    return true;
}

static bool can_copy(const struct copying *copying)
{
    MlirValue other = copying->access.ir.other;
    if (!mlirValueIsNull(other) &&
        !is_constant_zero(lowering_get(&copying->kernel->lowering, other)))
        return false;
    return has_copies(copying->kernel) && !copying->access.ir.is_volatile &&
           piece_bytes(copying) >= NARROWEST_COPY && piece_bytes(copying) <= WIDEST_COPY;
}

static void set_token(struct gpu_kernel *kernel, MlirOperation op)
{
    lowering_set_scalar(&kernel->lowering, mlirOperationGetResult(op, 0),
        emit_bool(&kernel->lowering.emitter, false));
}

bool gpu_lower_async_copy(struct gpu_kernel *kernel, MlirOperation op)
{
    struct copying copying = {.kernel = kernel};
    struct linear_layout layout;
    if (!access_describe(kernel, op, &copying.access) ||
        !gpu_layout(op, mlirValueGetType(copying.access.ir.pointer), &layout) ||
        !gpu_local_view(kernel, op, mlirOperationGetOperand(op, 1), &layout, &copying.to))
        return false;
    access_shorten(&kernel->lowering.emitter, &copying.access, piece_bits(&copying));
    bool is_asynchronous = can_copy(&copying);
    uint32_t free_registers;
    LLVMValueRef is_first_holder = gpu_is_first_holder(kernel, &layout, &free_registers);
    struct gpu_if begun = gpu_begin_if(kernel, is_first_holder);
    for (unsigned i = 0; i < layout_register_count(&layout); i += 1U << copying.access.run)
        if ((i & free_registers) == 0)
            (is_asynchronous ? begin_copy : copy_at_once)(&copying, i);
    gpu_end_if(kernel, begun);
    set_token(kernel, op);
    return true;
}

bool gpu_lower_async_commit_group(struct gpu_kernel *kernel, MlirOperation op)
{
    if (has_copies(kernel))
        nv_emit(&kernel->lowering.emitter, kernel->options.column, NV_CP_ASYNC_COMMIT, NULL, NULL);
    set_token(kernel, op);
    return true;
}

bool gpu_lower_async_wait(struct gpu_kernel *kernel, MlirOperation op)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef operands[] = {emit_i32(emitter, (uint32_t)ir_integer_attribute(op, "num", 0))};
    if (has_copies(kernel))
        nv_emit(emitter, kernel->options.column, NV_CP_ASYNC_WAIT, NULL, operands);
    set_token(kernel, op);
    return true;
}
