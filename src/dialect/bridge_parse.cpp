// dialect.h: reading text. MLIR's C API either leaves out the file's name or wants exactly one
// operation.

#include "dialect/dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

MlirOperation ir_parse_module(MlirContext context, const char *text, const char *file_name)
{
    mlir::ParserConfig config(unwrap(context));
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config, file_name);
    return wrap(module.release().getOperation());
}
