// The text of layout parameters, for the parsers and printers that mlir-tblgen generates.

#ifndef TEENY_DIALECT_TTG_TEXT_HPP
#define TEENY_DIALECT_TTG_TEXT_HPP

#include "mlir/IR/OpImplementation.h"

namespace teeny::ttg
{

// A number that an `unsigned` holds; MLIR's own parser lets -1 through as 4294967295.
mlir::FailureOr<unsigned> parseUnsigned(mlir::AsmParser &parser);

// `[` number (`,` number)* `]`
mlir::FailureOr<llvm::SmallVector<unsigned>> parsePerDimension(mlir::AsmParser &parser);
void printPerDimension(mlir::AsmPrinter &printer, llvm::ArrayRef<unsigned> numbers);

// `[` offset (`,` offset)* `]`
mlir::ParseResult parseOffsets(mlir::OpAsmParser &parser, mlir::DenseI32ArrayAttr &offsets);
void printOffsets(
    mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DenseI32ArrayAttr offsets);

} // namespace teeny::ttg

#endif // TEENY_DIALECT_TTG_TEXT_HPP
