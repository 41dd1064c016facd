/* See element_size.h. */
#include "analysis/element_size.h"

#include "mlir-c/BuiltinTypes.h"

enum { POINTER_BYTES = 8 };

unsigned element_size(MlirType type)
{
    if (mlirTypeIsAShaped(type))
        type = mlirShapedTypeGetElementType(type);
    if (mlirTypeIsAInteger(type))
        return (mlirIntegerTypeGetWidth(type) + 7) / 8;
    if (mlirTypeIsAFloat(type))
        return mlirFloatTypeGetWidth(type) / 8;
    return POINTER_BYTES;
}
