/* See op_builder.h. */
#include "passes/op_builder.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

struct op_builder op_builder_before(MlirOperation op)
{
    return (struct op_builder){mlirOperationGetBlock(op), op, mlirOperationGetLocation(op)};
}

void op_insert(const struct op_builder *builder, MlirOperation op)
{
    if (mlirOperationIsNull(builder->before))
        mlirBlockAppendOwnedOperation(builder->block, op);
    else
        mlirBlockInsertOwnedOperationBefore(builder->block, builder->before, op);
}

MlirOperation op_build(const struct op_builder *builder, const struct op_parts *parts)
{
    MlirOperationState state =
        mlirOperationStateGet(mlirStringRefCreateFromCString(parts->name), builder->location);
    mlirOperationStateAddOperands(&state, parts->operand_count, parts->operands);
    mlirOperationStateAddResults(&state, parts->result_count, parts->results);
    mlirOperationStateAddAttributes(&state, parts->attribute_count, parts->attributes);
    if (parts->region.ptr)
        mlirOperationStateAddOwnedRegions(&state, 1, &parts->region);
    MlirOperation op = mlirOperationCreate(&state);
    op_insert(builder, op);
    return op;
}

MlirNamedAttribute op_attribute(MlirContext context, const char *name, MlirAttribute value)
{
    return mlirNamedAttributeGet(
        mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)), value);
}

MlirValue op_build_value(const struct op_builder *builder, const struct op_parts *parts)
{
    return mlirOperationGetResult(op_build(builder, parts), 0);
}

MlirValue op_build_unary(
    const struct op_builder *builder, const char *name, MlirValue operand, MlirType type)
{
    return op_build_value(builder, &(struct op_parts){.name = name,
                                       .operand_count = 1,
                                       .operands = &operand,
                                       .result_count = 1,
                                       .results = &type});
}

MlirValue op_build_binary(const struct op_builder *builder, const char *name, MlirValue left,
    MlirValue right, MlirType type)
{
    MlirValue operands[] = {left, right};
    return op_build_value(builder, &(struct op_parts){.name = name,
                                       .operand_count = 2,
                                       .operands = operands,
                                       .result_count = 1,
                                       .results = &type});
}

MlirValue op_build_integer(const struct op_builder *builder, MlirType type, int64_t value)
{
    MlirNamedAttribute attribute =
        op_attribute(mlirTypeGetContext(type), "value", mlirIntegerAttrGet(type, value));
    return op_build_value(builder, &(struct op_parts){.name = "arith.constant",
                                       .result_count = 1,
                                       .results = &type,
                                       .attribute_count = 1,
                                       .attributes = &attribute});
}

MlirValue op_build_compare(
    const struct op_builder *builder, enum op_compare predicate, MlirValue left, MlirValue right)
{
    MlirContext context = mlirTypeGetContext(mlirValueGetType(left));
    MlirType type = mlirIntegerTypeGet(context, 1);
    MlirValue operands[] = {left, right};
    MlirNamedAttribute attribute = op_attribute(
        context, "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), predicate));
    return op_build_value(builder, &(struct op_parts){.name = "arith.cmpi",
                                       .operand_count = 2,
                                       .operands = operands,
                                       .result_count = 1,
                                       .results = &type,
                                       .attribute_count = 1,
                                       .attributes = &attribute});
}

MlirValue op_build_select(
    const struct op_builder *builder, MlirValue condition, MlirValue yes, MlirValue no)
{
    MlirValue operands[] = {condition, yes, no};
    MlirType type = mlirValueGetType(yes);
    return op_build_value(builder, &(struct op_parts){.name = "arith.select",
                                       .operand_count = 3,
                                       .operands = operands,
                                       .result_count = 1,
                                       .results = &type});
}
