/* See shared.h. */
#include "codegen/gpu/shared.h"

#include "codegen/gpu/bits.h"

/* ---- Single accesses --------------------------------------------------------------------------
 */

static unsigned bytes_of(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return 4 * LLVMGetVectorSize(type);
    return LLVMGetIntTypeWidth(type) / 8;
}

/* In PTX, LLVM's own access: it takes constant offsets into the instruction. */
static LLVMValueRef store_plainly(
    struct emitter *emitter, LLVMValueRef pointer, LLVMValueRef packed)
{
    LLVMValueRef store = LLVMBuildStore(emitter->builder, packed, pointer);
    LLVMSetAlignment(store, bytes_of(LLVMTypeOf(packed)));
    return store;
}

static LLVMValueRef load_plainly(struct emitter *emitter, LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMValueRef load = LLVMBuildLoad2(emitter->builder, type, pointer, "");
    LLVMSetAlignment(load, bytes_of(type));
    return load;
}

static LLVMValueRef widen_byte(struct emitter *emitter, LLVMValueRef value)
{
    LLVMTypeRef half = emit_integer_type(emitter, 16);
    return LLVMBuildZExtOrBitCast(emitter->builder, value, half, "");
}

void gpu_shared_store(struct gpu_kernel *kernel, LLVMValueRef pointer, LLVMValueRef packed)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    if (kernel->options.column == NV_PTX) {
        store_plainly(emitter, pointer, packed);
        return;
    }
    unsigned bytes = bytes_of(LLVMTypeOf(packed));
    LLVMValueRef operands[NV_MAX_OPERANDS] = {pointer, packed};
    if (bytes == 1)
        operands[1] = widen_byte(emitter, packed);
    for (uint32_t i = 0; bytes > 8 && i < bytes / 4; i++)
        operands[1 + i] =
            LLVMBuildExtractElement(emitter->builder, packed, emit_i32(emitter, i), "");
    enum nv_op op =
        bytes > 8 ? NV_STORE_SHARED_V4 : NV_STORE_SHARED_8 + (enum nv_op)__builtin_ctz(bytes);
    nv_emit(emitter, kernel->options.column, op, NULL, operands);
}

LLVMValueRef gpu_shared_load(struct gpu_kernel *kernel, LLVMValueRef pointer, LLVMTypeRef type)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    if (kernel->options.column == NV_PTX)
        return load_plainly(emitter, pointer, type);
    unsigned bytes = bytes_of(type);
    LLVMValueRef operands[] = {pointer};
    enum nv_op op =
        bytes > 8 ? NV_LOAD_SHARED_V4 : NV_LOAD_SHARED_8 + (enum nv_op)__builtin_ctz(bytes);
    LLVMValueRef loaded = nv_emit(emitter, kernel->options.column, op, NULL, operands);
    if (bytes <= 8)
        return LLVMBuildTruncOrBitCast(emitter->builder, loaded, type, "");
    LLVMValueRef packed = LLVMGetPoison(type);
    for (uint32_t i = 0; i < bytes / 4; i++)
        packed = LLVMBuildInsertElement(emitter->builder, packed,
            LLVMBuildExtractValue(emitter->builder, loaded, i, ""), emit_i32(emitter, i), "");
    return packed;
}

/* ---- Views ----------------------------------------------------------------------------------- */

/* From a place to its element's offset in bytes. */
static struct linear_layout offsets_of(const struct exchange_memory *memory,
    const struct linear_layout *layout, unsigned element_bytes)
{
    uint32_t image[LAYOUT_MAX_BITS];
    for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++)
        image[i] = memory->offset_of[i] * element_bytes;
    struct layout_shape bytes = {.rank = 1, .bits = {LAYOUT_MAX_BITS}};
    return layout_map_elements(layout, image, &bytes);
}

static uint32_t bits_of_threads(const struct linear_layout *layout)
{
    uint32_t bits = 0;
    for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            bits |= layout->in[in].basis[i];
    return bits;
}

void gpu_shared_view_find_threads(struct gpu_kernel *kernel, struct gpu_shared_view *view)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    view->thread = gpu_thread_part(kernel, &view->offsets);
    view->thread_bits = bits_of_threads(&view->offsets) | view->start;
    if (view->start)
        view->thread =
            LLVMBuildXor(emitter->builder, view->thread, emit_i32(emitter, view->start), "");
}

static uint32_t round_bits_of(const struct exchange_memory *memory,
    const struct linear_layout *layout, unsigned element_bytes)
{
    uint32_t bytes = element_bytes << layout_shape_total_bits(&layout->shape);
    return bytes - (bytes >> memory->round_bits);
}

struct gpu_shared_view gpu_shared_view(struct gpu_kernel *kernel,
    const struct exchange_memory *memory, const struct linear_layout *layout, MlirType element,
    LLVMValueRef base)
{
    struct gpu_shared_view view = {
        .element = element,
        .offsets = offsets_of(memory, layout, emit_memory_size(element)),
        .round_bits = round_bits_of(memory, layout, emit_memory_size(element)),
        .base = base,
        .vector_bits = memory->vector_bits,
    };
    gpu_shared_view_find_threads(kernel, &view);
    exchange_vector_registers(layout, memory, view.vector);
    return view;
}

static uint32_t register_offset(const struct gpu_shared_view *view, uint32_t register_index)
{
    return layout_apply(&view->offsets, (struct layout_place){{register_index, 0, 0, 0}});
}

static bool is_of_round(const struct gpu_shared_view *view, uint32_t register_index, uint32_t round)
{
    return (register_offset(view, register_index) & view->round_bits) == round;
}

bool gpu_shared_is_first(const struct gpu_shared_view *view, uint32_t register_index)
{
    uint32_t vector_bytes = emit_memory_size(view->element) << view->vector_bits;
    return (register_offset(view, register_index) & (vector_bytes - 1)) == 0;
}

uint32_t gpu_shared_register(const struct gpu_shared_view *view, uint32_t first, unsigned i)
{
    for (unsigned bit = 0; bit < view->vector_bits; bit++)
        if (i >> bit & 1)
            first ^= view->vector[bit];
    return first;
}

/* Bits that no thread's part has are added as a constant, which the access itself takes. */
LLVMValueRef gpu_shared_address(struct gpu_kernel *kernel, const struct gpu_shared_view *view,
    uint32_t register_index, LLVMValueRef more)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    uint32_t own = register_offset(view, register_index) & ~view->round_bits;
    uint32_t mixed = more ? own : own & view->thread_bits, added = own & ~mixed;
    LLVMValueRef offset = view->thread;
    if (more)
        offset = LLVMBuildXor(emitter->builder, offset, more, "");
    if (mixed)
        offset = LLVMBuildXor(emitter->builder, offset, emit_i32(emitter, mixed), "");
    LLVMValueRef pointer = emit_address(emitter, view->base, offset, 1);
    return added ? emit_address(emitter, pointer, emit_i32(emitter, added), 1) : pointer;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static void write_vector(struct gpu_kernel *kernel, const struct gpu_shared_view *view,
    uint32_t first, const struct lowered *elements)
{
    enum { MOST = 16 };
    struct emitter *emitter = &kernel->lowering.emitter;
    LLVMValueRef values[MOST];
    unsigned count = 1u << view->vector_bits;
    for (unsigned i = 0; i < count; i++)
        values[i] = elements->elements[gpu_shared_register(view, first, i)];
    gpu_shared_store(kernel, gpu_shared_address(kernel, view, first, NULL),
        gpu_pack(emitter, view->element, values, count));
}

void gpu_shared_write(struct gpu_kernel *kernel, const struct gpu_shared_view *view, uint32_t round,
    const struct lowered *elements)
{
    uint32_t free_registers;
    LLVMValueRef is_first_holder = gpu_is_first_holder(kernel, &view->offsets, &free_registers);
    struct gpu_if begun = gpu_begin_if(kernel, is_first_holder);
    for (uint32_t i = 0; i < elements->count; i++)
        if (!(i & free_registers) && gpu_shared_is_first(view, i) && is_of_round(view, i, round))
            write_vector(kernel, view, i, elements);
    gpu_end_if(kernel, begun);
}

void gpu_shared_read_vector(struct gpu_kernel *kernel, const struct gpu_shared_view *view,
    uint32_t first, LLVMValueRef more, LLVMValueRef *out_elements)
{
    enum { MOST = 16 };
    struct emitter *emitter = &kernel->lowering.emitter;
    unsigned count = 1u << view->vector_bits;
    LLVMValueRef values[MOST];
    LLVMValueRef packed = gpu_shared_load(kernel, gpu_shared_address(kernel, view, first, more),
        gpu_packed_type(emitter, count * emit_memory_size(view->element)));
    gpu_unpack(emitter, view->element, packed, values, count);
    for (unsigned i = 0; i < count; i++)
        out_elements[gpu_shared_register(view, first, i)] = values[i];
}

void gpu_shared_read(struct gpu_kernel *kernel, const struct gpu_shared_view *view, uint32_t round,
    struct lowered *out_elements)
{
    for (uint32_t i = 0; i < out_elements->count; i++)
        if (gpu_shared_is_first(view, i) && is_of_round(view, i, round))
            gpu_shared_read_vector(kernel, view, i, NULL, out_elements->elements);
}

/* ---- Threads --------------------------------------------------------------------------------- */

struct gpu_if gpu_begin_if(struct gpu_kernel *kernel, LLVMValueRef condition)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    struct gpu_if begun = {NULL};
    if (!condition)
        return begun;
    LLVMBasicBlockRef then = emit_new_block(emitter, "");
    begun.after = emit_new_block(emitter, "");
    LLVMBuildCondBr(emitter->builder, condition, then, begun.after);
    emit_at_end_of(emitter, then);
    return begun;
}

void gpu_end_if(struct gpu_kernel *kernel, struct gpu_if begun)
{
    struct emitter *emitter = &kernel->lowering.emitter;
    if (!begun.after)
        return;
    LLVMBuildBr(emitter->builder, begun.after);
    emit_at_end_of(emitter, begun.after);
}

void gpu_barrier(struct gpu_kernel *kernel)
{
    nv_emit(&kernel->lowering.emitter, kernel->options.column, NV_BARRIER, NULL, NULL);
}
