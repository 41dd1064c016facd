/* The elements of tiles, computed where they are needed. */
#ifndef TEENY_CODEGEN_CPU_PULL_H
#define TEENY_CODEGEN_CPU_PULL_H

#include "codegen/cpu/address.h"
#include "codegen/cpu/nest.h"

/* The masks of a nest's loads and its store. */
struct cpu_masks {
    struct cpu_affine_session *session;
    MlirValue *list;
    size_t count;
};

enum cpu_masks_state {
    CPU_MASKS_UNKNOWN,
    CPU_MASKS_TRUE, /* everywhere in the nest */
    CPU_MASKS_FALSE,
};

/* What a nest may rely on, and what else it does. */
struct cpu_version {
    /* Linear addresses for loads and stores: operation -> struct cpu_affine. NULL: none is used. */
    const struct pointer_map *addresses;
    /* Tiles that the nest keeps: tile -> struct cpu_buffer. NULL: none. */
    const struct pointer_map *fills;
    const struct cpu_masks *masks; /* NULL: there are none that a nest relies on */
    enum cpu_masks_state state;    /* what they are */
    bool asks;                     /* it can be told where they are all true or all false */
};

/* A nest while its elements are computed. */
struct cpu_pull {
    struct cpu_kernel *kernel;
    const struct cpu_nest *nest;
    struct cpu_version version;
    struct cpu_view *root; /* the index that meets every element once: where tiles are kept */
    struct cpu_view *views;
};

/* An index into some tile: that of the nest, or what an operation between makes of it. */
struct cpu_view {
    struct cpu_view *next;
    unsigned rank;
    LLVMValueRef index[LAYOUT_MAX_RANK]; /* i64 */
    struct pointer_map elements;         /* tile -> struct lowered: what was computed already */
};

/* The current element of the nest. A NULL `version` relies on nothing. */
struct cpu_view *cpu_pull_begin(struct cpu_kernel *kernel, const struct cpu_nest *nest,
    const struct cpu_version *version, struct cpu_pull *out_pull);

/* The same for a nest whose own indices are not those of the tile, which are given (i64). */
struct cpu_view *cpu_pull_begin_at(struct cpu_kernel *kernel, const struct cpu_nest *nest,
    const struct cpu_version *version, unsigned rank, const LLVMValueRef *index,
    struct cpu_pull *out_pull);

/* The element of a tile at the view's index; a scalar is itself. NULL after an error. */
LLVMValueRef cpu_pull_element(struct cpu_pull *pull, struct cpu_view *view, MlirValue value);

/* Makes the element of a load from memory, in two blocks where there is a mask. */
LLVMValueRef cpu_pull_load(struct cpu_pull *pull, struct cpu_view *view, MlirOperation load);

/* The address of an access's element. NULL after an error. */
LLVMValueRef cpu_pull_pointer(
    struct cpu_pull *pull, struct cpu_view *view, MlirOperation op, MlirValue pointer);

/* The mask's element, a constant where it is known to be false; *out_always is set where it is
 * known to be true. NULL after an error, or where it is always true. */
LLVMValueRef cpu_pull_mask(
    struct cpu_pull *pull, struct cpu_view *view, MlirValue mask, bool *out_always);

/* The element's number in row-major order, i64. */
LLVMValueRef cpu_row_major(
    struct cpu_pull *pull, const struct cpu_view *view, const struct layout_shape *shape);

/* The element of a tile that lies in a buffer. */
LLVMValueRef cpu_pull_buffered(struct cpu_pull *pull, const struct cpu_view *view,
    const struct cpu_buffer *buffer, MlirValue value);

/* Writes the element to its place in a buffer of the tile's shape. */
void cpu_buffer_store(struct cpu_pull *pull, const struct cpu_view *view,
    const struct cpu_buffer *buffer, MlirType tile, LLVMValueRef element);

/* Element `number` of a buffer, as it is in memory, for a nest of its own making. */
LLVMValueRef cpu_buffer_place(struct cpu_kernel *kernel, const struct cpu_buffer *buffer,
    MlirType element, LLVMValueRef number);

#endif
