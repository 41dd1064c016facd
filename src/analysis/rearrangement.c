/* See rearrangement.h. */
#include "analysis/rearrangement.h"

#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"

/* Where an element of the result comes from, as a linear map: bit i of the result's element number
 * becomes image[i] of the source's. */
struct origin {
    struct layout_shape source, result;
    uint32_t image[LAYOUT_MAX_BITS];
};

static void map_dimension(
    struct origin *origin, unsigned result_dimension, unsigned source_dimension)
{
    unsigned from = layout_shape_shift(&origin->result, result_dimension);
    unsigned to = layout_shape_shift(&origin->source, source_dimension);
    for (unsigned i = 0; i < origin->source.bits[source_dimension]; i++)
        origin->image[from + i] = 1u << (to + i);
}

/* Same numbers, whatever the shape: a new dimension of size 1 has no bits. */
static void origin_same_elements(MlirOperation op, struct origin *origin)
{
    (void)op;
    for (unsigned i = 0; i < layout_shape_total_bits(&origin->result); i++)
        origin->image[i] = 1u << i;
}

/* A dimension of size 1 in the source takes nothing from the result's coordinate. */
static void origin_broadcast(MlirOperation op, struct origin *origin)
{
    (void)op;
    for (unsigned d = 0; d < origin->result.rank; d++)
        map_dimension(origin, d, d);
}

static void origin_trans(MlirOperation op, struct origin *origin)
{
    MlirStringRef name = mlirStringRefCreateFromCString("order");
    MlirAttribute order = mlirOperationGetAttributeByName(op, name);
    for (unsigned d = 0; d < origin->result.rank; d++)
        map_dimension(origin, d, (unsigned)mlirDenseI32ArrayGetElement(order, d));
}

static const struct {
    enum op_id id;
    void (*find)(MlirOperation op, struct origin *origin);
} origins[] = {
    {OP_TT_BROADCAST, origin_broadcast},
    {OP_TT_EXPAND_DIMS, origin_same_elements},
    {OP_TT_RESHAPE, origin_same_elements},
    {OP_TT_TRANS, origin_trans},
    {OP_TTG_CONVERT_LAYOUT, origin_same_elements},
};
enum { ORIGIN_COUNT = sizeof origins / sizeof *origins };

static unsigned origin_index(MlirOperation op)
{
    enum op_id id = op_id_of(op);
    unsigned i = 0;
    while (i < ORIGIN_COUNT && origins[i].id != id)
        i++;
    return i;
}

bool rearrangement_is(MlirOperation op)
{
    return origin_index(op) < ORIGIN_COUNT;
}

bool rearrangement_of(MlirOperation op, struct rearrangement *out_rearrangement)
{
    struct linear_layout result;
    if (!layout_of_type(
            mlirValueGetType(mlirOperationGetOperand(op, 0)), &out_rearrangement->from) ||
        !layout_of_type(mlirValueGetType(mlirOperationGetResult(op, 0)), &result))
        return false;
    struct origin origin = {.source = out_rearrangement->from.shape, .result = result.shape};
    origins[origin_index(op)].find(op, &origin);
    out_rearrangement->to = layout_map_elements(&result, origin.image, &origin.source);
    return true;
}
