/* Addresses and offsets as linear functions of the index:
 *
 *     element(i, j, ...) = base + coefficient[0] * i + coefficient[1] * j + ...
 *
 * with base and coefficients computed at run time, in 128 bits, where nothing overflows. The value
 * of the program wraps at its own width, so the form comes with a condition under which no
 * operation on the way wrapped: only then is it right.
 */
#ifndef TEENY_CODEGEN_CPU_ADDRESS_H
#define TEENY_CODEGEN_CPU_ADDRESS_H

#include "codegen/cpu/cpu.h"

struct cpu_affine {
    unsigned rank;
    LLVMValueRef base;                         /* i128 */
    LLVMValueRef coefficient[LAYOUT_MAX_RANK]; /* i128; NULL: 0 */
    LLVMValueRef valid;                        /* i1; NULL: always */
};

/* Forms at one place of the program; scalar code is emitted at the builder's place as needed, which
 * must be dominated by all scalars that the values depend on. */
struct cpu_affine_session {
    struct cpu_kernel *kernel;
    struct pointer_map forms;
    unsigned mask_budget; /* operations that cpu_all_true() may still look at */
};

void cpu_affine_begin(struct cpu_kernel *kernel, struct cpu_affine_session *out_session);

/* False where the tile of integers or pointers is no such function. */
bool cpu_affine_of(struct cpu_affine_session *session, MlirValue tile, struct cpu_affine *out_form);

/* The addresses that an access touches at most. */
struct cpu_access {
    struct cpu_affine address;
    struct layout_shape shape;
    unsigned size; /* of an element in memory, in bytes */
};

/* i1: the forms hold, and no address of `load` is one of `store`; or, if an element of the store
 * needs the load's element of the same index only (`same_index`), elements of one index have one
 * address in both and no two of them overlap. */
LLVMValueRef cpu_access_independent(struct cpu_kernel *kernel, const struct cpu_access *load,
    const struct cpu_access *store, bool same_index);

/* i1: every element of the tile of i1 is true; NULL where that cannot be told from the ends of the
 * index ranges. A false answer may also mean "unknown". */
LLVMValueRef cpu_all_true(struct cpu_affine_session *session, MlirValue mask);

/* The address of the element at `index` (i64 each), under the form's condition. */
LLVMValueRef cpu_affine_pointer(
    struct cpu_kernel *kernel, const struct cpu_affine *form, const LLVMValueRef *index);

#endif
