/* See pass_support.h. */
#include "passes/pass_support.h"

#include "dialect/dialect.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"

#include <stdlib.h>

struct instance {
    pass_function *function;
    struct pass_options options;
};

static void construct(void *user)
{
    (void)user;
}

static void *clone(void *user)
{
    struct instance *copy = malloc(sizeof *copy);
    if (!copy)
        abort();
    *copy = *(struct instance *)user;
    return copy;
}

static void run(MlirOperation op, MlirExternalPass pass, void *user)
{
    const struct instance *instance = user;
    if (!instance->function(op, &instance->options))
        mlirExternalPassSignalFailure(pass);
}

MlirPass pass_create(const void *identity, const char *name, const char *summary,
    pass_function *function, const struct pass_options *options)
{
    struct instance instance = {function, *options};
    MlirExternalPassCallbacks callbacks = {
        .construct = construct, .destruct = free, .clone = clone, .run = run};
    return mlirCreateExternalPass(mlirTypeIDCreate(identity), mlirStringRefCreateFromCString(name),
        mlirStringRefCreateFromCString(name), mlirStringRefCreateFromCString(summary),
        mlirStringRefCreateFromCString("builtin.module"), 0, NULL, callbacks, clone(&instance));
}

MlirAttribute pass_i32_attribute(MlirContext context, int64_t value)
{
    return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}

MlirAttribute pass_encoding_of(MlirType type)
{
    if (!mlirTypeIsARankedTensor(type))
        return mlirAttributeGetNull();
    return mlirRankedTensorTypeGetEncoding(type);
}

MlirType pass_type_with_encoding(MlirType type, MlirAttribute encoding)
{
    int64_t dimensions[16];
    int64_t rank = mlirShapedTypeGetRank(type);
    if (rank > (int64_t)(sizeof dimensions / sizeof *dimensions))
        return type;
    for (int64_t i = 0; i < rank; i++)
        dimensions[i] = mlirShapedTypeGetDimSize(type, i);
    return mlirRankedTensorTypeGet(rank, dimensions, mlirShapedTypeGetElementType(type), encoding);
}

/* What the value was before a conversion gave it its layout, where it had that one already. */
static MlirValue behind_conversion(MlirValue value, MlirType type)
{
    if (!mlirValueIsAOpResult(value))
        return value;
    MlirOperation op = mlirOpResultGetOwner(value);
    if (op_id_of(op) != OP_TTG_CONVERT_LAYOUT)
        return value;
    MlirValue source = mlirOperationGetOperand(op, 0);
    return mlirTypeEqual(mlirValueGetType(source), type) ? source : value;
}

MlirValue pass_convert_layout_before(MlirOperation place, MlirValue value, MlirAttribute encoding)
{
    MlirType type = pass_type_with_encoding(mlirValueGetType(value), encoding);
    value = behind_conversion(value, type);
    if (mlirTypeEqual(type, mlirValueGetType(value)))
        return value;
    return pass_make_convert_layout(place, value, encoding);
}

MlirValue pass_make_convert_layout(MlirOperation place, MlirValue value, MlirAttribute encoding)
{
    MlirType type = pass_type_with_encoding(mlirValueGetType(value), encoding);
    MlirOperationState state = mlirOperationStateGet(
        mlirStringRefCreateFromCString("ttg.convert_layout"), mlirOperationGetLocation(place));
    mlirOperationStateAddOperands(&state, 1, &value);
    mlirOperationStateAddResults(&state, 1, &type);
    MlirOperation convert = mlirOperationCreate(&state);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, convert);
    return mlirOperationGetResult(convert, 0);
}

void pass_convert_operand(MlirOperation op, intptr_t index, MlirAttribute encoding)
{
    MlirValue operand = mlirOperationGetOperand(op, index);
    mlirOperationSetOperand(op, index, pass_convert_layout_before(op, operand, encoding));
}

void pass_convert_result(MlirOperation op, intptr_t index, MlirAttribute encoding)
{
    MlirValue result = mlirOperationGetResult(op, index);
    MlirType promised = mlirValueGetType(result);
    if (!mlirTypeIsARankedTensor(promised))
        return;
    mlirValueSetType(result, pass_type_with_encoding(promised, encoding));
    MlirValue converted = pass_convert_layout_before(
        mlirOperationGetNextInBlock(op), result, pass_encoding_of(promised));
    if (mlirValueEqual(converted, result))
        return;
    MlirOperation convert = mlirOpResultGetOwner(converted);
    mlirValueReplaceAllUsesExcept(result, converted, 1, &convert);
}

void pass_constant_set_type(MlirOperation constant, MlirType type)
{
    MlirStringRef name = mlirStringRefCreateFromCString("value");
    MlirAttribute value = mlirOperationGetAttributeByName(constant, name);
    if (mlirAttributeIsADenseElements(value))
        mlirOperationSetAttributeByName(
            constant, name, mlirDenseElementsAttrReshapeGet(value, type));
    mlirValueSetType(mlirOperationGetResult(constant, 0), type);
}
