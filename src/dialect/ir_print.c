/* dialect.h: printing, over MLIR's own C API. */

#include "dialect/dialect.h"

void ir_print(MlirOperation op, unsigned flags, MlirStringCallback write, void *user_data)
{
    MlirOpPrintingFlags printing = mlirOpPrintingFlagsCreate();
    if (flags & IR_PRINT_LOCATIONS)
        mlirOpPrintingFlagsEnableDebugInfo(printing, true, false);
    if (flags & IR_PRINT_NAMES)
        mlirOpPrintingFlagsPrintNameLocAsPrefix(printing);
    if (flags & IR_PRINT_GENERIC)
        mlirOpPrintingFlagsPrintGenericOpForm(printing);
    mlirOperationPrintWithFlags(op, printing, write, user_data);
    mlirOpPrintingFlagsDestroy(printing);
}
