/* See explain.h. */
#include "driver/explain.h"

#include <string.h>

#include "analysis/layout_encoding.h"
#include "analysis/op_words.h"
#include "codegen/ir_read.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

diagnostic_place explain_place(const compilation *compilation, MlirOperation op)
{
    return mlir_location_place(compilation->arena, mlirOperationGetLocation(op));
}

/* The operation as the user's line calls it: what is one of MLIR may be several of the language's.
 * Where the line says nothing, what the table says. */
static const char *name_of(const compilation *compilation, MlirOperation op)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    diagnostic_place place = explain_place(compilation, op);
    const char *written = place.text && place.column ? place.text : "";
    if (strcspn(written, "\n") >= place.column)
        written += place.column - 1;
    const char *words = op_words(op);
    if (words && strncmp(written, "tl_", 3) == 0)
        return arena_copy(compilation->arena, written, strspn(written, letters));
    return words ? words : "what follows";
}

/* ---- How a tile lies ------------------------------------------------------------------------- */

static bool has_column(const struct layout_axis *axis, uint32_t column)
{
    for (unsigned i = 0; i < axis->count; i++)
        if (axis->basis[i] == column)
            return true;
    return false;
}

/* 1 << bits neighbours along a dimension. */
struct run {
    unsigned dimension, bits;
};

/* The most neighbours that the registers of a thread, or the lanes of a warp, count through. */
static struct run longest_run(const struct linear_layout *layout, enum layout_dimension in)
{
    struct run longest = {layout->shape.rank - 1, 0};
    for (unsigned d = 0; d < layout->shape.rank; d++) {
        unsigned shift = layout_shape_shift(&layout->shape, d), bits = 0;
        while (bits < layout->shape.bits[d] &&
               has_column(&layout->in[in], (uint32_t)1 << (shift + bits)))
            bits++;
        if (bits >= longest.bits)
            longest = (struct run){d, bits};
    }
    return longest;
}

/* "with 4 neighbours along dimension 1 in a thread" */
static const char *words_of_layout(const compilation *compilation, MlirType type)
{
    MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
    struct ttg_mma mma;
    struct ttg_dot_operand factor;
    struct linear_layout layout;
    if (ttg_mma_read(encoding, &mma))
        return "as tensor cores hold results";
    if (ttg_dot_operand_read(encoding, &factor))
        return ttg_mma_read(factor.parent, &mma) ? "as tensor cores take factors"
                                                 : "as tl_dot reads factors";
    if (!layout_of_type(type, &layout))
        return "in another way";
    struct run own = longest_run(&layout, LAYOUT_REGISTER);
    if (own.bits > 0)
        return arena_format(compilation->arena, "with %u neighbours along dimension %u in a thread",
            1U << own.bits, own.dimension);
    return arena_format(compilation->arena,
        "with neighbours along dimension %u in neighbouring threads",
        longest_run(&layout, LAYOUT_LANE).dimension);
}

/* ---- Who wants it ---------------------------------------------------------------------------- */

static MlirOperation first_user(MlirValue value)
{
    MlirOpOperand use = mlirValueGetFirstUse(value);
    return mlirOpOperandIsNull(use) ? (MlirOperation){NULL} : mlirOpOperandGetOwner(use);
}

/* A product that a tile in shared memory, or what is computed from it, is a factor of; null where
 * none is near. */
static MlirOperation product_fed_by(MlirValue value, unsigned depth)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(value); depth > 0 && !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_id_of(user) == OP_TT_DOT)
            return user;
        if (mlirOperationGetNumResults(user) != 1)
            continue;
        MlirOperation fed = product_fed_by(mlirOperationGetResult(user, 0), depth - 1);
        if (!mlirOperationIsNull(fed))
            return fed;
    }
    return (MlirOperation){NULL};
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static const char *type_of_operand(
    const compilation *compilation, MlirOperation op, intptr_t operand)
{
    return op_words_of_type(
        compilation->arena, mlirValueGetType(mlirOperationGetOperand(op, operand)));
}

const char *explain_rearrangement(
    const compilation *compilation, MlirOperation op, const struct shared_buffer *buffer)
{
    arena *arena = compilation->arena;
    MlirValue result = mlirOperationGetResult(op, 0);
    MlirOperation user = op_words(op) ? op : first_user(result);
    const char *wants = mlirOperationIsNull(user) ? "what follows" : name_of(compilation, user);
    const char *from =
        words_of_layout(compilation, mlirValueGetType(mlirOperationGetOperand(op, 0)));
    const char *to = words_of_layout(compilation, mlirValueGetType(result));
    const char *how = buffer ? arena_format(arena,
                                   "between threads through %u bytes of shared "
                                   "memory",
                                   buffer->bytes)
                             : "without shared memory";
    const char *why = strcmp(from, to) == 0
                          ? arena_format(arena, "%s wants it in other threads", wants)
                          : arena_format(arena, "it lies %s, %s wants it %s", from, wants, to);
    return arena_format(
        arena, "rearranges %s %s: %s", type_of_operand(compilation, op, 0), how, why);
}

static const char *explain_reduction(
    const compilation *compilation, const struct shared_buffer *buffer)
{
    return arena_format(compilation->arena,
        "%s passes partial results of %s between warps through %u bytes of shared memory",
        name_of(compilation, buffer->owner), type_of_operand(compilation, buffer->owner, 0),
        buffer->bytes);
}

static const char *explain_product(
    const compilation *compilation, const struct shared_buffer *buffer)
{
    return arena_format(compilation->arena,
        "%s keeps its factors, %s and %s, in %u bytes of shared memory",
        name_of(compilation, buffer->owner), type_of_operand(compilation, buffer->owner, 0),
        type_of_operand(compilation, buffer->owner, 1), buffer->bytes);
}

/* A tile, or as many as the rounds of a loop that are on their way at once. */
static const char *explain_tile(const compilation *compilation, const struct shared_buffer *buffer)
{
    enum { NEAR = 8 };
    arena *arena = compilation->arena;
    MlirValue memory = mlirOperationGetResult(buffer->owner, 0);
    struct ttg_memory kept;
    if (!ttg_memory_read(mlirValueGetType(memory), &kept))
        return arena_format(arena, "keeps %u bytes in shared memory", buffer->bytes);
    bool is_ring = mlirOperationGetNumOperands(buffer->owner) == 0 && kept.rank > 1;
    MlirType tile = mlirRankedTensorTypeGet(
        kept.rank - is_ring, kept.shape + is_ring, kept.element, (MlirAttribute){NULL});
    MlirOperation product = product_fed_by(memory, NEAR);
    const char *why = mlirOperationIsNull(product)
                          ? ""
                          : arena_format(arena, " for %s", name_of(compilation, product));
    const char *times = is_ring ? arena_format(arena, ", of %lld rounds of the loop at once",
                                      (long long)*kept.shape)
                                : "";
    return arena_format(arena, "keeps %s%s%s, in %u bytes of shared memory",
        op_words_of_type(arena, tile), why, times, buffer->bytes);
}

const char *explain_buffer(const compilation *compilation, const struct shared_buffer *buffer)
{
    switch (op_id_of(buffer->owner)) {
    case OP_TTG_LOCAL_ALLOC:
        return explain_tile(compilation, buffer);
    case OP_TT_REDUCE:
        return explain_reduction(compilation, buffer);
    case OP_TT_DOT:
        return explain_product(compilation, buffer);
    default:
        return explain_rearrangement(compilation, buffer->owner, buffer);
    }
}
