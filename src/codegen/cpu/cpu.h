/* The CPU path: tt to loop nests in LLVM IR.
 *
 * A tile value has no storage. Where something needs its elements (a store, a buffer), a nest of
 * loops runs over the index space, and each element is computed inside it, with all that it depends
 * on ("pull"). LLVM's vectoriser turns the innermost loop into SIMD.
 *
 * Memory keeps program order for every element: a tile operation is done with all elements before
 * the next one starts. A load may be pulled into the nest of a later store only if no element of
 * that store touches what another element still has to load: memory.c decides, at compile time or
 * by checking address ranges at run time; otherwise the load fills a buffer first.
 *
 * A tile that changes in a loop or a condition lies in a buffer that the ways into its block write
 * (arguments.h). So does a tile that several nests need and that costs more to compute than to read
 * (plan.c); the first nest that computes it fills the buffer by the way (root.h).
 */
#ifndef TEENY_CODEGEN_CPU_CPU_H
#define TEENY_CODEGEN_CPU_CPU_H

#include "analysis/linear_layout.h"
#include "codegen/cpu/graph.h"
#include "codegen/debug_info.h"
#include "codegen/lowering.h"
#include "codegen/parameters.h"

struct cpu_options {
    bool contract;
    enum debug_level debug;
    unsigned vector_bytes, vector_registers; /* of the machine */
    struct device device;
};

struct cpu_kernel {
    struct lowering lowering; /* first; its values are the scalars */
    LLVMValueRef program_id[3], num_programs[3], scratch;
    uint64_t scratch_bytes;
    const struct cpu_options *options;
    LLVMValueRef access_group; /* of memory accesses in loops whose turns are independent */
    const struct cpu_graph *graph;
    struct pointer_map arguments; /* block argument -> struct cpu_argument */
    struct pointer_map buffers;   /* tile -> struct cpu_buffer */
    struct pointer_map kept;      /* the tiles that get a buffer once they are computed */
    struct pointer_map constants; /* arith.constant -> its array in the image */
    struct cpu_pending *pending;
    bool in_rare_code; /* what is emitted should be small rather than fast */
};

/* Where a tile's elements lie, in row-major order. */
struct cpu_buffer {
    uint64_t offset; /* in the scratch memory */
};

/* Builds the function of base/cpu_image.h's cpu_entry, under the kernel's name, in a new module of
 * `context`; NULL after an error. The entry's attribute "teeny-scratch-bytes" says how much scratch
 * memory it needs. */
LLVMModuleRef cpu_build_kernel(LLVMContextRef context, arena *arena, MlirOperation function,
    const struct cpu_options *options);

/* ---- Between the files of the CPU path --------------------------------------------------------
 */

/* The shape of a tile's type; every tile of tt has one. */
struct layout_shape cpu_shape(MlirType type);

/* Whether the operation makes tiles that are computed where they are needed. */
bool cpu_is_pulled(MlirOperation op);

/* The buffer of a tile, or NULL. */
struct cpu_buffer *cpu_buffer_of(const struct cpu_kernel *kernel, MlirValue tile);

/* Scratch memory for `elements` elements of a type. */
struct cpu_buffer *cpu_buffer_make(struct cpu_kernel *kernel, MlirType element, uint64_t elements);

/* The same for a tile, which lies there from now on. */
struct cpu_buffer *cpu_buffer_reserve(struct cpu_kernel *kernel, MlirValue tile);
void cpu_buffer_set(struct cpu_kernel *kernel, MlirValue tile, struct cpu_buffer *buffer);

/* An operation on scalars that does not touch memory. False after an error. */
bool cpu_lower_scalar_operation(struct cpu_kernel *kernel, MlirOperation op);

/* ---- plan.c -----------------------------------------------------------------------------------
 */

/* Chooses the tiles to keep. Wants the arguments to be classified. */
void cpu_plan(struct cpu_kernel *kernel);

/* ---- memory.c: loads and stores ---------------------------------------------------------------
 */

bool cpu_lower_load(struct cpu_kernel *kernel, MlirOperation op);
bool cpu_lower_store(struct cpu_kernel *kernel, MlirOperation op);

/* ---- reduce.c ---------------------------------------------------------------------------------
 */

bool cpu_lower_reduce(struct cpu_kernel *kernel, MlirOperation op);

/* ---- dot.c ------------------------------------------------------------------------------------
 */

bool cpu_lower_dot(struct cpu_kernel *kernel, MlirOperation op);

/* ---- edges.c: what branches hand over ---------------------------------------------------------
 */

/* A branch with all that its ways do. */
bool cpu_lower_branch(struct cpu_kernel *kernel, MlirOperation op);

/* What a way into a block does to its tiles: lowering.edge. */
bool cpu_lower_edge(struct lowering *lowering, MlirOperation branch, intptr_t successor);

/* ---- entry.c: the loop over programs ----------------------------------------------------------
 */

/* The internal function of one program, empty, with `lowering.emitter.function` set to it. */
void cpu_make_program_function(
    struct cpu_kernel *kernel, MlirOperation function, const struct parameters *parameters);

/* Reads the program function's parameters into the kernel, at the builder's place. */
void cpu_read_program_parameters(
    struct cpu_kernel *kernel, MlirBlock entry, const struct parameters *parameters);

/* The function that libteeny calls. Last: the scratch size is known. */
void cpu_make_entry(
    struct cpu_kernel *kernel, MlirOperation function, const struct parameters *parameters);

#endif
