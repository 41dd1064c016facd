/* Offsets and addresses as linear functions of the index:
 *
 *     element(i, j, ...) = base + coefficient[0] * i + coefficient[1] * j + ...
 *
 * with base and coefficients computed at run time in 64 bits. The program's own arithmetic wraps at
 * its width, and 64 bits are not endless, so a form comes with a condition, `valid`, that is
 * computed too: only where it holds is the form right. Numbers that real offsets do not have, and
 * steps backwards that are not known when the kernel is compiled, are left out by it.
 */
#ifndef TEENY_CODEGEN_CPU_ADDRESS_H
#define TEENY_CODEGEN_CPU_ADDRESS_H

#include "codegen/cpu/cpu.h"

struct cpu_affine {
    struct layout_shape shape;
    LLVMValueRef pointer; /* for a tile of pointers: the rest counts bytes from here */
    LLVMValueRef start;   /* i64: the same pointer as a number */
    LLVMValueRef base;    /* i64; NULL: 0 */
    LLVMValueRef coefficient[LAYOUT_MAX_RANK]; /* i64; NULL: 0, as for every dimension of size 1 */
    unsigned rising;    /* a bit a dimension: where valid, the coefficient is not negative */
    unsigned bits;      /* where valid, no element exceeds 2^bits in size */
    LLVMValueRef valid; /* i1; NULL: always */
    bool has_range;
    LLVMValueRef low, high; /* i64: the least and the greatest element; see cpu_affine_range() */
};

/* Finds the least and the greatest element, once. */
void cpu_affine_range(struct emitter *emitter, struct cpu_affine *form);

/* From here on no element exceeds 2^bits in size where the form is valid. */
void cpu_affine_limit(struct emitter *emitter, struct cpu_affine *form, unsigned bits);

/* A step along the last dimension that is unknown yet is an element in nearly all programs, as
 * where strides are arguments: the form in which it is, of elements of `size` bytes, so that
 * neighbouring elements make vectors. *out_holds, an i1, says where that is right; NULL: the step
 * is a constant, and the form the same. */
struct cpu_affine *cpu_affine_of_neighbours(
    struct emitter *emitter, struct cpu_affine *form, unsigned size, LLVMValueRef *out_holds);

/* Forms at one place of the program: scalar code is emitted at the builder's place as needed. */
struct cpu_affine_session {
    struct cpu_kernel *kernel;
    struct pointer_map forms; /* tile -> struct cpu_affine */
    struct pointer_map masks; /* tile -> what cpu_all_true() found */
};

void cpu_affine_begin(struct cpu_kernel *kernel, struct cpu_affine_session *out_session);

/* NULL where the tile of integers or pointers is no such function. */
struct cpu_affine *cpu_affine_of(struct cpu_affine_session *session, MlirValue tile);

/* An access to memory: its addresses, and the size of an element in bytes. */
struct cpu_access {
    struct cpu_affine *address;
    unsigned size;
};

/* i1: the forms hold, and no address of `load` is one of `store`; or, if an element of the store
 * needs the load's element of the same index only (`same_index`), elements of one index have one
 * address in both and no two of them overlap. */
LLVMValueRef cpu_access_independent(
    struct emitter *emitter, struct cpu_access load, struct cpu_access store, bool same_index);

/* i1: every element of the tile of i1 is true; NULL where that cannot be told from the ends of the
 * index ranges. A false answer may also mean "unknown". */
LLVMValueRef cpu_all_true(struct cpu_affine_session *session, MlirValue mask);

/* Elements that follow one another along a dimension: 2^bits of them. */
struct cpu_range {
    LLVMValueRef first[LAYOUT_MAX_RANK]; /* i64: the index of the first one */
    unsigned dimension;                  /* beyond the tile's rank: the first one alone */
    unsigned bits;
};

/* The same for the elements of a range, and whether all of them are false. They are computed at the
 * builder's place, in which the session's forms must be known. */
LLVMValueRef cpu_true_within(
    struct cpu_affine_session *session, MlirValue mask, const struct cpu_range *range);
LLVMValueRef cpu_false_within(
    struct cpu_affine_session *session, MlirValue mask, const struct cpu_range *range);

/* The address of the element at `index` (i64 each), under the form's condition. */
LLVMValueRef cpu_affine_pointer(
    struct emitter *emitter, const struct cpu_affine *form, const LLVMValueRef *index);

#endif
