/* Pointers, loads and stores. A replicated element is stored by the first thread that holds it. */
#include "codegen/gpu/gpu.h"

#include "analysis/layout_encoding.h"

/* ---- Addresses ------------------------------------------------------------------------------- */

bool gpu_lower_addptr(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirType pointee = tt_pointer_pointee(ir_element_type(mlirValueGetType(result)));
    const struct lowered *pointers = lowering_get(lowering, mlirOperationGetOperand(op, 0));
    const struct lowered *offsets = lowering_get(lowering, mlirOperationGetOperand(op, 1));
    struct lowered *sums = lowering_allocate(lowering, pointers->count);
    for (unsigned i = 0; i < sums->count; i++)
        sums->elements[i] = emit_address(&lowering->emitter, pointers->elements[i],
            offsets->elements[i], emit_memory_size(pointee));
    lowering_set(lowering, result, sums);
    return true;
}

/* ---- What an access looks like in PTX -------------------------------------------------------- */

struct access {
    struct memory_access ir;
    LLVMTypeRef bits; /* the integer register that carries an element */
    unsigned size_index;
    const char *modifiers;
};

/* Eviction hints came with PTX 7.4, and do not go with a cache operator. They change no result. */
static const char *modifiers_of(const struct gpu_kernel *kernel, const struct memory_access *access)
{
    static const char *const cache[] = {[TT_CACHE_CA] = ".global.ca",
        [TT_CACHE_CG] = ".global.cg",
        [TT_CACHE_WB] = ".global.wb",
        [TT_CACHE_CS] = ".global.cs",
        [TT_CACHE_WT] = ".global.wt",
        [TT_CACHE_CV] = ".global.cv"};
    if (access->is_volatile)
        return ".volatile.global";
    if (access->cache > TT_CACHE_NONE && access->cache <= TT_CACHE_CV)
        return cache[access->cache];
    if (kernel->options.ptx_version >= 74 && access->evict == TT_EVICT_FIRST)
        return ".global.L1::evict_first";
    if (kernel->options.ptx_version >= 74 && access->evict == TT_EVICT_LAST)
        return ".global.L1::evict_last";
    return ".global";
}

/* ld knows ca, cg, cs, cv; st knows wb, cg, cs, wt. */
static bool cache_fits(int64_t cache, bool is_load)
{
    if (cache == TT_CACHE_CA || cache == TT_CACHE_CV)
        return is_load;
    if (cache == TT_CACHE_WB || cache == TT_CACHE_WT)
        return !is_load;
    return true;
}

static bool describe_access(
    struct gpu_kernel *kernel, MlirOperation op, bool is_load, struct access *out_access)
{
    const struct emitter *emitter = &kernel->lowering.emitter;
    struct memory_access ir = ir_memory_access(op);
    if (!emit_memory_type(emitter, ir.element))
        return ir_error_not_built(op, "of this element type");
    if (!cache_fits(ir.cache, is_load))
        return ir_error(
            op, "this cache modifier does not go with a %s", is_load ? "load" : "store");
    unsigned size = emit_memory_size(ir.element);
    out_access->ir = ir;
    out_access->bits = emit_integer_type(emitter, size < 2 ? 16 : size * 8);
    out_access->size_index = (unsigned)__builtin_ctz(size);
    out_access->modifiers = modifiers_of(kernel, &ir);
    return true;
}

static bool is_pointer_like(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

/* From an element's value to the register that memory sees, and back. */
static LLVMValueRef to_register(
    struct emitter *emitter, const struct access *access, LLVMValueRef value)
{
    LLVMBuilderRef builder = emitter->builder;
    value = emit_to_memory(emitter, access->ir.element, value);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (is_pointer_like(type))
        return LLVMBuildPtrToInt(builder, value, access->bits, "");
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        return LLVMBuildIntCast2(builder, value, access->bits, false, "");
    return LLVMBuildBitCast(builder, value, access->bits, "");
}

static LLVMValueRef from_register(
    struct emitter *emitter, const struct access *access, LLVMValueRef bits)
{
    LLVMBuilderRef builder = emitter->builder;
    LLVMTypeRef type = emit_memory_type(emitter, access->ir.element);
    LLVMValueRef value;
    if (is_pointer_like(type))
        value = LLVMBuildIntToPtr(builder, bits, type, "");
    else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        value = LLVMBuildIntCast2(builder, bits, type, false, "");
    else
        value = LLVMBuildBitCast(builder, bits, type, "");
    return emit_from_memory(emitter, access->ir.element, value);
}

static LLVMValueRef element_of(const struct lowering *lowering, MlirValue value, unsigned index)
{
    const struct lowered *elements = lowering_get(lowering, value);
    return elements->elements[elements->count == 1 ? 0 : index];
}

/* ---- Loads ----------------------------------------------------------------------------------- */

static LLVMValueRef load_element(
    struct gpu_kernel *kernel, const struct access *access, unsigned index)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    LLVMValueRef operands[3] = {element_of(lowering, access->ir.pointer, index)};
    enum nv_op first = NV_LOAD_8;
    if (!mlirValueIsNull(access->ir.mask)) {
        first = NV_LOAD_IF_8;
        operands[1] = element_of(lowering, access->ir.mask, index);
        operands[2] = LLVMConstNull(access->bits);
        if (!mlirValueIsNull(access->ir.other))
            operands[2] =
                to_register(emitter, access, element_of(lowering, access->ir.other, index));
    }
    LLVMValueRef bits = nv_emit(emitter, kernel->options.column,
        first + (enum nv_op)access->size_index, access->modifiers, operands);
    return from_register(emitter, access, bits);
}

bool gpu_lower_load(struct gpu_kernel *kernel, MlirOperation op)
{
    struct lowering *lowering = &kernel->lowering;
    struct access access = {0};
    if (!describe_access(kernel, op, true, &access))
        return false;
    unsigned count = lowering_get(lowering, access.ir.pointer)->count;
    struct lowered *result = lowering_allocate(lowering, count);
    for (unsigned i = 0; i < count; i++)
        result->elements[i] = load_element(kernel, &access, i);
    lowering_set(lowering, mlirOperationGetResult(op, 0), result);
    return true;
}

/* ---- Stores ---------------------------------------------------------------------------------- */

static LLVMValueRef both(struct emitter *emitter, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    return LLVMBuildAnd(emitter->builder, a, b, "");
}

static void store_element(struct gpu_kernel *kernel, const struct access *access, unsigned index,
    LLVMValueRef is_first_holder)
{
    struct lowering *lowering = &kernel->lowering;
    struct emitter *emitter = &lowering->emitter;
    LLVMValueRef mask =
        mlirValueIsNull(access->ir.mask) ? NULL : element_of(lowering, access->ir.mask, index);
    LLVMValueRef value = element_of(lowering, access->ir.value, index);
    LLVMValueRef operands[] = {
        element_of(lowering, access->ir.pointer, index),
        to_register(emitter, access, value),
        both(emitter, mask, is_first_holder),
    };
    enum nv_op first = operands[2] ? NV_STORE_IF_8 : NV_STORE_8;
    nv_emit(emitter, kernel->options.column, first + (enum nv_op)access->size_index,
        access->modifiers, operands);
}

/* A scalar is held by every thread, once. */
static bool layout_of_access(
    MlirOperation op, const struct access *access, struct linear_layout *out_layout)
{
    MlirType type = mlirValueGetType(access->ir.pointer);
    if (ir_is_tile(type))
        return gpu_layout(op, type, out_layout);
    *out_layout = (struct linear_layout){.in[LAYOUT_LANE] = {.count = 5}};
    return true;
}

bool gpu_lower_store(struct gpu_kernel *kernel, MlirOperation op)
{
    struct access access = {0};
    struct linear_layout layout;
    if (!describe_access(kernel, op, false, &access) || !layout_of_access(op, &access, &layout))
        return false;
    uint32_t free_registers;
    LLVMValueRef is_first_holder = gpu_is_first_holder(kernel, &layout, &free_registers);
    for (unsigned i = 0; i < layout_register_count(&layout); i++)
        if ((i & free_registers) == 0)
            store_element(kernel, &access, i, is_first_holder);
    return true;
}
