/* The root of pulling: a nest that needs elements of some tiles, and what comes with it.
 *
 * Its nest makes the pending loads that it needs, and keeps the elements of pending tiles that are
 * to be kept (plan.c) where it meets each of them once; other such tiles get a nest before. The
 * nest is emitted in up to three versions, chosen at run time:
 *
 *     addresses linear, masks all true    the fast one: no masks, addresses by steps
 *     addresses linear                    masks, where a chunk of elements has any that is false
 *     else                                everything as the program computes it
 *
 * Where steps are known at run time alone, the first two are for neighbours in memory, and linear
 * addresses that are none have a version without chunks.
 */
#ifndef TEENY_CODEGEN_CPU_ROOT_H
#define TEENY_CODEGEN_CPU_ROOT_H

#include "codegen/cpu/address.h"
#include "codegen/cpu/pull.h"
#include "codegen/cpu/uses.h"

struct cpu_root {
    struct cpu_kernel *kernel;
    const MlirValue *values;
    size_t value_count;
    struct layout_shape shape; /* of the tiles that it goes through element by element */
    struct cpu_needs loads;    /* that its nest makes */
    struct pointer_map fills;  /* tile -> struct cpu_buffer: what its nest keeps */
    struct cpu_affine_session session;
    struct pointer_map addresses; /* load or store -> struct cpu_affine */
    LLVMValueRef valid;           /* i1: the addresses hold; NULL: always */
    struct pointer_map near;      /* the same for loads of neighbours */
    LLVMValueRef is_near;         /* i1: these hold too; NULL: they are the same */
    struct cpu_masks masks;       /* those of the loads and the store that are not NULL */
    bool masks_known;             /* it can be told whether they are true throughout */
    bool masks_follow;            /* and where: they have the index of the root's tiles */
    LLVMValueRef all_true;        /* i1: every mask is true throughout; NULL: not known */
};

/* Emits the loops of one version. */
typedef bool cpu_root_body(
    struct cpu_kernel *kernel, const struct cpu_version *version, void *user);

/* Finds what the values need and makes what cannot be kept by the way. `values` must live as long
 * as the root. */
bool cpu_root_begin(struct cpu_kernel *kernel, const MlirValue *values, size_t count,
    const struct layout_shape *shape, struct cpu_root *out_root);

/* The tiles that the root will keep if it is begun now, as keys: for deciding what to do first. */
struct pointer_map cpu_root_would_fill(struct cpu_kernel *kernel, const MlirValue *values,
    size_t count, const struct layout_shape *shape);

/* Emits the versions. */
bool cpu_root_emit(struct cpu_root *root, cpu_root_body *body, void *user);

/* The parts of that, for stores: addresses and masks of what is needed; the version for one case;
 * two versions with and without masks; and the end. */
void cpu_root_describe(struct cpu_root *root);
void cpu_root_add_mask(struct cpu_root *root, MlirValue mask);
struct cpu_version cpu_root_version(const struct cpu_root *root, bool linear, bool masks_are_true);
bool cpu_root_emit_linear(struct cpu_root *root, cpu_root_body *body, void *user);
void cpu_root_end(struct cpu_root *root);

/* Gives a pending tile a buffer, and keeps others by the way. Nothing is done where it has one. */
bool cpu_make(struct cpu_kernel *kernel, MlirValue tile);

/* Writes the tile's elements into a buffer of its shape. */
bool cpu_fill(struct cpu_kernel *kernel, MlirValue tile, struct cpu_buffer *buffer);

#endif
