/* See build.h. */
#include "frontend/build.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirNamedAttribute named(builder *builder, const char *name, MlirAttribute value)
{
    MlirIdentifier identifier =
        mlirIdentifierGet(builder->context, mlirStringRefCreateFromCString(name));
    return mlirNamedAttributeGet(identifier, value);
}

MlirOperation build_operation(builder *builder, const char *name, const build_parts *parts)
{
    MlirOperationState state =
        mlirOperationStateGet(mlirStringRefCreateFromCString(name), builder->location);
    if (!mlirTypeIsNull(parts->result))
        mlirOperationStateAddResults(&state, 1, &parts->result);
    intptr_t count = 0;
    while (count < BUILD_MOST_OPERANDS && !mlirValueIsNull(parts->operands[count]))
        count++;
    mlirOperationStateAddOperands(&state, count, parts->operands);
    for (int i = 0; i < BUILD_MOST_ATTRIBUTES && parts->attributes[i].name; i++) {
        MlirNamedAttribute attribute =
            named(builder, parts->attributes[i].name, parts->attributes[i].value);
        mlirOperationStateAddAttributes(&state, 1, &attribute);
    }
    MlirOperation made = mlirOperationCreate(&state);
    mlirBlockAppendOwnedOperation(builder->block, made);
    return made;
}

MlirValue build_single(builder *builder, const char *name, const build_parts *parts)
{
    return mlirOperationGetResult(build_operation(builder, name, parts), 0);
}

MlirValue build_compare(
    builder *builder, const char *name, int predicate, MlirValue left, MlirValue right)
{
    MlirContext context = builder->context;
    MlirType truth = build_with_element(mlirValueGetType(left), mlirIntegerTypeGet(context, 1));
    MlirAttribute number = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), predicate);
    return build_single(builder, name,
        &(build_parts){
            .result = truth, .operands = {left, right}, .attributes = {{"predicate", number}}});
}

MlirAttribute build_i32_attribute(builder *builder, int32_t value)
{
    return mlirIntegerAttrGet(mlirIntegerTypeGet(builder->context, 32), value);
}

static MlirValue build_constant(builder *builder, MlirType type, MlirAttribute element)
{
    MlirAttribute value =
        build_is_tensor(type) ? mlirDenseElementsAttrSplatGet(type, element) : element;
    return build_single(builder, "arith.constant",
        &(build_parts){.result = type, .attributes = {{"value", value}}});
}

MlirValue build_integer(builder *builder, MlirType type, int64_t value)
{
    return build_constant(builder, type, mlirIntegerAttrGet(build_element_of(type), value));
}

MlirValue build_float(builder *builder, MlirType type, double value)
{
    MlirAttribute element = mlirFloatAttrDoubleGet(builder->context, build_element_of(type), value);
    return build_constant(builder, type, element);
}

MlirValue build_splat(builder *builder, MlirValue scalar, MlirType tensor)
{
    return build_value(builder, "tt.splat", tensor, scalar);
}

bool build_is_tensor(MlirType type)
{
    return mlirTypeIsARankedTensor(type);
}

MlirType build_element_of(MlirType type)
{
    return build_is_tensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

MlirType build_with_element(MlirType shaped, MlirType element)
{
    if (!build_is_tensor(shaped))
        return element;
    int64_t dimensions[8];
    intptr_t rank = mlirShapedTypeGetRank(shaped);
    for (intptr_t i = 0; i < rank && i < 8; i++)
        dimensions[i] = mlirShapedTypeGetDimSize(shaped, i);
    return mlirRankedTensorTypeGet(
        rank, dimensions, element, mlirRankedTensorTypeGetEncoding(shaped));
}
