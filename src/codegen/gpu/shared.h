/* Tiles in shared memory: one side of an exchange, as one thread sees it. */
#ifndef TEENY_CODEGEN_GPU_SHARED_H
#define TEENY_CODEGEN_GPU_SHARED_H

#include "analysis/layout_exchange.h"
#include "codegen/gpu/gpu.h"

/* One access of 1, 2, 4, 8 or 16 bytes; values are gpu_pack()'s. */
void gpu_shared_store(struct gpu_kernel *kernel, LLVMValueRef pointer, LLVMValueRef packed);
LLVMValueRef gpu_shared_load(struct gpu_kernel *kernel, LLVMValueRef pointer, LLVMTypeRef type);

/* A tile of `element`s whose registers lie where `layout` says, in shared memory from `base` on
 * where `memory` says. */
struct gpu_shared_view {
    MlirType element;
    struct linear_layout offsets; /* from a place to the offset of its element, in bytes */
    uint32_t round_bits;          /* of offsets: those that say in which round; no thread has any */
    LLVMValueRef base;            /* the pointer to the tile */
    uint32_t start;               /* exclusive-ored to every offset */
    LLVMValueRef thread;          /* this thread's part of the offset and the start, i32 */
    uint32_t thread_bits;         /* bits that it may have */
    unsigned vector_bits;         /* log2 of the registers that move at once */
    uint32_t vector[4];           /* which register bits lead from one of them to the next */
};

struct gpu_shared_view gpu_shared_view(struct gpu_kernel *kernel,
    const struct exchange_memory *memory, const struct linear_layout *layout, MlirType element,
    LLVMValueRef base);

/* Makes `thread` and `thread_bits` anew, where the offsets or the start of a view have changed. */
void gpu_shared_view_find_threads(struct gpu_kernel *kernel, struct gpu_shared_view *view);

/* The registers whose vectors make up all others: the first of each vector. */
bool gpu_shared_is_first(const struct gpu_shared_view *view, uint32_t register_index);

/* Register i of the vector that starts at `first`. */
uint32_t gpu_shared_register(const struct gpu_shared_view *view, uint32_t first, unsigned i);

/* Writes the elements of a round, each by its first holder. Rounds are named by their bits of the
 * offsets: 0 is the first one, and the only one where there are no such bits. */
void gpu_shared_write(struct gpu_kernel *kernel, const struct gpu_shared_view *view, uint32_t round,
    const struct lowered *elements);

/* Reads the vector that starts at `first`; its elements go to their registers in out_elements.
 * `more` is exclusive-ored to the offset: an i32 in bytes, or NULL. */
void gpu_shared_read_vector(struct gpu_kernel *kernel, const struct gpu_shared_view *view,
    uint32_t first, LLVMValueRef more, LLVMValueRef *out_elements);

/* The pointer to the element of a register; `more` as above. */
LLVMValueRef gpu_shared_address(struct gpu_kernel *kernel, const struct gpu_shared_view *view,
    uint32_t register_index, LLVMValueRef more);

/* Reads the registers of a round. */
void gpu_shared_read(struct gpu_kernel *kernel, const struct gpu_shared_view *view, uint32_t round,
    struct lowered *out_elements);

/* Runs what follows in the threads for which `condition` holds, up to gpu_end_if(). A NULL
 * condition always holds. */
struct gpu_if {
    LLVMBasicBlockRef after;
};
struct gpu_if gpu_begin_if(struct gpu_kernel *kernel, LLVMValueRef condition);
void gpu_end_if(struct gpu_kernel *kernel, struct gpu_if begun);

void gpu_barrier(struct gpu_kernel *kernel);

#endif
