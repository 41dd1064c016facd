/* stage-dot-operands: brings the factors of tensor cores through shared memory that says how it is
 * laid out, in place of a conversion's own.
 *
 *     %b = ttg.convert_layout %a : #blocked -> #dot_op   ->   %m = ttg.local_alloc %a : #shared
 *                                                             %b = ttg.local_load %m : #dot_op
 *
 * #shared has the tile's rows swizzled, so that both the stores of 16 bytes and the rows of
 * ldmatrix meet no bank conflict. A transposition in between becomes a view of the memory. Elements
 * have 16 bits, as ldmatrix wants them; conversions that need no shared memory stay, and so do
 * those to anything but a factor of an mma.
 */
#include "analysis/element_size.h"
#include "analysis/layout_encoding.h"
#include "analysis/layout_exchange.h"
#include "analysis/rearrangement.h"
#include "dialect/dialect.h"
#include "passes/op_builder.h"
#include "passes/pass_support.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { ELEMENT_BYTES = 2, RANK = 2, ROW_OF_BANKS = 128, CHUNK = 16 };

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- Which conversions ----------------------------------------------------------------------- */

static bool is_factor(MlirType type)
{
    struct ttg_dot_operand operand;
    struct ttg_mma mma;
    return ttg_dot_operand_read(pass_encoding_of(type), &operand) &&
           ttg_mma_read(operand.parent, &mma);
}

static bool goes_through_memory(MlirOperation conversion, unsigned element_bytes)
{
    struct rearrangement rearrangement;
    return rearrangement_of(conversion, &rearrangement) &&
           exchange_plan(&rearrangement.from, &rearrangement.to, element_bytes, EXCHANGE_WHOLE)
                   .kind == EXCHANGE_SHARED;
}

static bool is_staged(MlirOperation op)
{
    if (op_id_of(op) != OP_TTG_CONVERT_LAYOUT)
        return false;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    return element_size(type) == ELEMENT_BYTES && mlirShapedTypeGetRank(type) == RANK &&
           is_factor(type) && goes_through_memory(op, ELEMENT_BYTES);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Chunks of 16 bytes change places within each 128 bytes, so that those of 8 neighbouring rows lie
 * in different banks. */
static MlirAttribute choose_shared(
    MlirContext context, const struct layout_shape *shape, const unsigned *order)
{
    unsigned row = 1u << shape->bits[order[0]], row_bytes = row * ELEMENT_BYTES;
    struct ttg_swizzled_shared shared = {.rank = RANK, .order = order};
    shared.vec = smaller(CHUNK / ELEMENT_BYTES, row);
    shared.per_phase = row_bytes < ROW_OF_BANKS ? ROW_OF_BANKS / row_bytes : 1;
    unsigned phases = ROW_OF_BANKS / CHUNK / smaller(shared.per_phase, ROW_OF_BANKS / CHUNK);
    shared.max_phase = smaller(phases, row / shared.vec);
    return ttg_swizzled_shared_attr(context, &shared);
}

static MlirType memory_type(MlirType tile, MlirAttribute encoding)
{
    int64_t shape[RANK] = {mlirShapedTypeGetDimSize(tile, 0), mlirShapedTypeGetDimSize(tile, 1)};
    struct ttg_memory memory = {
        RANK, shape, shape, mlirShapedTypeGetElementType(tile), encoding, false};
    return ttg_memory_type(&memory);
}

/* What was allocated for another factor before, in the same block. */
static MlirValue find_allocated(const struct op_builder *builder, MlirValue tile, MlirType type)
{
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
        use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        if (op_id_of(user) == OP_TTG_LOCAL_ALLOC &&
            mlirBlockEqual(mlirOperationGetBlock(user), builder->block) &&
            mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(user, 0)), type))
            return mlirOperationGetResult(user, 0);
    }
    return (MlirValue){NULL};
}

/* The tile in memory, which messages show where the tile was made; null where its layout is not
 * blocked. */
static MlirValue allocate(const struct op_builder *place, MlirValue tile)
{
    struct op_builder builder = *place;
    if (mlirValueIsAOpResult(tile))
        builder.location = mlirOperationGetLocation(mlirOpResultGetOwner(tile));
    MlirType type = mlirValueGetType(tile);
    MlirAttribute layout = pass_encoding_of(type);
    struct ttg_blocked blocked;
    struct layout_shape shape;
    if (!ttg_blocked_read(layout, &blocked) || !layout_shape_of_type(type, &shape))
        return (MlirValue){NULL};
    MlirType memory =
        memory_type(type, choose_shared(mlirTypeGetContext(type), &shape, blocked.order));
    MlirValue allocated = find_allocated(&builder, tile, memory);
    if (!mlirValueIsNull(allocated))
        return allocated;
    return op_build_unary(&builder, "ttg.local_alloc", tile, memory);
}

static MlirValue turn(const struct op_builder *builder, MlirValue memory)
{
    struct ttg_memory from;
    ttg_memory_read(mlirValueGetType(memory), &from);
    struct ttg_swizzled_shared shared;
    ttg_swizzled_shared_read(from.encoding, &shared);
    unsigned order[RANK] = {1 - shared.order[0], 1 - shared.order[1]};
    shared.order = order;
    int64_t shape[RANK] = {from.shape[1], from.shape[0]};
    MlirContext context = mlirAttributeGetContext(from.encoding);
    struct ttg_memory to = {RANK, shape, shape, from.element,
        ttg_swizzled_shared_attr(context, &shared), from.is_mutable};
    MlirType type = ttg_memory_type(&to);
    MlirNamedAttribute attribute =
        op_attribute(context, "order", mlirDenseI32ArrayGet(context, RANK, (int32_t[]){1, 0}));
    return op_build_value(builder, &(struct op_parts){.name = "ttg.memdesc_trans",
                                       .operand_count = 1,
                                       .operands = &memory,
                                       .result_count = 1,
                                       .results = &type,
                                       .attribute_count = 1,
                                       .attributes = &attribute});
}

/* What a transposition of two dimensions turned; null for anything else. */
static MlirValue behind_transposition(MlirValue value)
{
    MlirOperation op =
        mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
    if (mlirOperationIsNull(op) || op_id_of(op) != OP_TT_TRANS)
        return (MlirValue){NULL};
    MlirAttribute order =
        mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("order"));
    if (mlirDenseI32ArrayGetElement(order, 0) == 0)
        return (MlirValue){NULL};
    return mlirOperationGetOperand(op, 0);
}

/* ---- The pass -------------------------------------------------------------------------------- */

static MlirWalkResult stage(MlirOperation op, void *user)
{
    (void)user;
    if (!is_staged(op))
        return MlirWalkResultAdvance;
    struct op_builder builder = op_builder_before(op);
    MlirValue source = mlirOperationGetOperand(op, 0), turned = behind_transposition(source);
    MlirValue memory = {NULL};
    if (!mlirValueIsNull(turned) && !mlirValueIsNull(memory = allocate(&builder, turned)))
        memory = turn(&builder, memory);
    else
        memory = allocate(&builder, source);
    if (mlirValueIsNull(memory))
        return MlirWalkResultAdvance;
    MlirValue result = mlirOperationGetResult(op, 0);
    mlirValueReplaceAllUsesOfWith(
        result, op_build_unary(&builder, "ttg.local_load", memory, mlirValueGetType(result)));
    mlirOperationDestroy(op);
    return MlirWalkResultSkip;
}

static bool run(MlirOperation module, const struct pass_options *options)
{
    (void)options;
    mlirOperationWalk(module, stage, NULL, MlirWalkPreOrder);
    return true;
}

MlirPass pass_create_stage_dot_operands(const struct pass_options *options)
{
    static const _Alignas(8) char identity;
    return pass_create(&identity, "stage-dot-operands",
        "brings factors to tensor cores through swizzled shared memory", run, options);
}
