/* The GPU path: ttg to LLVM IR, for PTX and for emu.
 *
 * A tile is the array of the elements that one thread holds, in the order of its layout's
 * registers. Every thread of a program runs the whole function; scalars are computed by all of them
 * alike, and what must happen once (a store) is left to the first thread that holds the element.
 */
#ifndef TEENY_CODEGEN_GPU_GPU_H
#define TEENY_CODEGEN_GPU_GPU_H

#include "analysis/axis_info.h"
#include "analysis/linear_layout.h"
#include "analysis/memory_order.h"
#include "codegen/debug_info.h"
#include "codegen/gpu/nv_ops.h"
#include "codegen/lowering.h"
#include "codegen/targets.h"

/* A function attribute: how many bytes of shared memory a program needs. */
#define GPU_SHARED_ATTRIBUTE "teeny-shared-bytes"

struct gpu_options {
    enum nv_column column;
    const struct nvidia_target *target;
    unsigned ptx_version; /* 80 for PTX 8.0 */
    bool contract;
    enum debug_level debug;
    struct device host; /* what the code for emu has to do without */
};

struct gpu_kernel {
    struct lowering lowering; /* first: a kernel is its lowering */
    struct gpu_options options;
    struct device device;
    struct shared_memory *shared; /* who keeps what in shared memory */
    struct memory_order *order;   /* where program order needs a barrier */
    struct axis_info *axes;       /* what is known about addresses and masks */
    struct pointer_map spilled;   /* MlirValue -> its array, where it has one (spill.h) */
    uint64_t spilled_bytes;       /* of all arrays */
    MlirOperation no_run_before;  /* register_groups.h: no run begins up to here; null: anywhere */
    unsigned num_warps;
    /* Made at the start of the function: i32, and a pointer where there is shared memory. */
    LLVMValueRef thread, lane, warp, shared_base;
    /* Inside of a loop over groups of registers (register_groups.h): the number of the group, an
     * i32, and tiles are the 16 elements of it. NULL: tiles are all of their elements. */
    LLVMValueRef group;
};

enum { GPU_GROUP_BITS = 4 }; /* log2 of the elements of a group: as many as the widest access */

/* Builds the kernel `function` in a new module of `context`; NULL after an error. The caller
 * disposes of the module. Triple and data layout must be set before optimising. For emu it is an
 * emu_entry (base/emu_image.h). */
LLVMModuleRef gpu_build_kernel(LLVMContextRef context, arena *arena, MlirOperation function,
    const struct gpu_options *options);

/* ---- Between the files of the GPU path --------------------------------------------------------
 */

/* Lowers one operation. False after an error. */
typedef bool gpu_function(struct gpu_kernel *kernel, MlirOperation op);

gpu_function gpu_lower_constant, gpu_lower_make_range, gpu_lower_splat, gpu_lower_rearrange,
    gpu_lower_program_id, gpu_lower_num_programs, gpu_lower_addptr, gpu_lower_load, gpu_lower_store,
    gpu_lower_elementwise, gpu_lower_return, gpu_lower_poison, gpu_lower_reduce, gpu_lower_dot,
    gpu_lower_local_alloc, gpu_lower_local_dealloc, gpu_lower_local_load, gpu_lower_local_store,
    gpu_lower_memdesc_index, gpu_lower_memdesc_view, gpu_lower_async_copy,
    gpu_lower_async_commit_group, gpu_lower_async_wait;

/* The layout of a tile's type. False, after an error at `op`, where the GPU path has none for it.
 */
bool gpu_layout(MlirOperation op, MlirType type, struct linear_layout *out_layout);

/* The number of LLVM values for a value of this type: 1 for a scalar, and for a tile all elements
 * of a thread, or those of a group. */
unsigned gpu_element_count(struct lowering *lowering, MlirType type);

/* The exclusive or of columns[i] over the bits i that are set in `index`, an i32. */
LLVMValueRef gpu_apply_columns(
    struct emitter *emitter, const uint32_t *columns, unsigned count, LLVMValueRef index);

/* What this thread's lane and warp make of an element's number, as i32: exclusive-or it with what
 * the register makes of it. */
LLVMValueRef gpu_thread_part(struct gpu_kernel *kernel, const struct linear_layout *layout);

/* i1: this thread is the first that holds its elements. NULL: every thread is. */
LLVMValueRef gpu_is_first_holder(
    struct gpu_kernel *kernel, const struct linear_layout *layout, uint32_t *out_free_registers);

/* Lowers one operation, whatever it is; for those inside of another. */
bool gpu_lower_operation(struct gpu_kernel *kernel, MlirOperation op);

/* The pointer to byte `offset` of the program's shared memory. */
LLVMValueRef gpu_shared_pointer(struct gpu_kernel *kernel, unsigned offset);

/* A value of up to 64 bits from another lane, by NV_SHUFFLE_XOR or NV_SHUFFLE_IDX. */
LLVMValueRef gpu_shuffle(struct gpu_kernel *kernel, enum nv_op op, MlirType element,
    LLVMValueRef value, LLVMValueRef lane);

/* One step of tt.reduce: out = combine(left, right), one value a reduced tile. `out` may be one of
 * the others. */
bool gpu_combine(struct gpu_kernel *kernel, MlirOperation reduce, const LLVMValueRef *left,
    const LLVMValueRef *right, LLVMValueRef *out);

/* Whether combine(a, b) and combine(b, a) are the same bits. */
bool gpu_combine_is_symmetric(MlirOperation reduce);

#endif
