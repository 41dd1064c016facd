/* See remarks.h. The words are those of the analyses: contiguity, alignment, mask. */
#include "driver/remarks.h"

#include <mlir-c/BuiltinTypes.h>

#include "analysis/access_width.h"
#include "analysis/axis_info.h"
#include "analysis/layout_encoding.h"
#include "analysis/shared_memory.h"
#include "codegen/ir_read.h"
#include "driver/explain.h"

typedef struct walk {
    compilation *compilation;
    const struct axis_info *axes;
    const struct shared_memory *shared;
} walk;

static void remark(const walk *walk, MlirOperation op, const char *text)
{
    compilation *compilation = walk->compilation;
    diagnostics_report(
        compilation->diagnostics, DIAGNOSTIC_REMARK, explain_place(compilation, op), "%s", text);
}

static arena *arena_of(const walk *walk)
{
    return walk->compilation->arena;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static const char *about_contiguity(
    const walk *walk, const struct axis_facts *pointers, const struct access_width *width)
{
    unsigned dimension = width->dimension;
    if (pointers->likely[dimension] > pointers->contiguity[dimension])
        return arena_format(arena_of(walk),
            "addresses count up along dimension %u only if no offset wraps around and no dividend "
            "is negative, which is not known",
            dimension);
    return arena_format(
        arena_of(walk), "addresses are not known to count up along dimension %u", dimension);
}

static const char *about_alignment(
    const walk *walk, const struct axis_facts *pointers, const struct access_width *width)
{
    return arena_format(arena_of(walk),
        "addresses are only known to be multiples of %u bytes: a pointer, an offset or a stride is "
        "not known to be a multiple of more",
        1U << (width->run + pointers->unit));
}

static const char *about_mask(
    const walk *walk, const struct axis_facts *pointers, const struct access_width *width)
{
    (void)pointers;
    if (width->run == 0)
        return "the mask may differ between neighbours: what it compares with is not known to be "
               "a multiple of more than one element";
    return arena_format(arena_of(walk), "the mask is only known to be the same for %u neighbours",
        1U << width->run);
}

static const char *about_layout(
    const walk *walk, const struct axis_facts *pointers, const struct access_width *width)
{
    (void)pointers;
    return arena_format(arena_of(walk),
        "a thread has %u of the tile's neighbours along dimension %u", 1U << width->run,
        width->dimension);
}

static const char *(*const reasons[])(
    const walk *walk, const struct axis_facts *pointers, const struct access_width *width) = {
    [ACCESS_LIMIT_CONTIGUITY] = about_contiguity,
    [ACCESS_LIMIT_ALIGNMENT] = about_alignment,
    [ACCESS_LIMIT_MASK] = about_mask,
    [ACCESS_LIMIT_LAYOUT] = about_layout,
};

static void remark_access(const walk *walk, MlirOperation op)
{
    struct memory_access access = ir_memory_access(op);
    struct linear_layout layout;
    if (!layout_of_type(mlirValueGetType(access.pointer), &layout))
        return;
    struct axis_facts pointers = axis_info_get(walk->axes, access.pointer), mask;
    bool is_masked = !mlirValueIsNull(access.mask);
    if (is_masked)
        mask = axis_info_get(walk->axes, access.mask);
    struct access_width width = access_width_of(&pointers, is_masked ? &mask : NULL, &layout);
    if (width.limit == ACCESS_LIMIT_NONE)
        return;
    const char *what = op_id_of(op) == OP_TT_STORE ? "stores" : "loads";
    remark(walk, op,
        arena_format(arena_of(walk), "%s %u bytes at a time, not %u: %s", what,
            1U << (width.run + pointers.unit), 1U << ACCESS_WIDEST,
            reasons[width.limit](walk, &pointers, &width)));
}

/* ---- Shared memory and rearrangements -------------------------------------------------------- */

static void remark_memory(const walk *walk, MlirOperation op)
{
    const struct shared_buffer *buffer = shared_memory_of(walk->shared, op);
    if (buffer)
        remark(walk, op, explain_buffer(walk->compilation, buffer));
    else if (op_id_of(op) == OP_TTG_CONVERT_LAYOUT)
        remark(walk, op, explain_rearrangement(walk->compilation, op, NULL));
}

static MlirWalkResult look_at(MlirOperation op, void *user)
{
    switch (op_id_of(op)) {
    case OP_TT_LOAD:
    case OP_TT_STORE:
    case OP_TTG_ASYNC_COPY:
        remark_access(user, op);
        break;
    default:
        remark_memory(user, op);
    }
    return MlirWalkResultAdvance;
}

void remarks_report(compilation *compilation)
{
    MlirOperation function = ir_find_kernel(compilation->module, compilation->options->kernel);
    walk walk = {compilation, axis_info_create(compilation->arena, function),
        shared_memory_create(compilation->arena, function)};
    mlirOperationWalk(function, look_at, &walk, MlirWalkPreOrder);
}
