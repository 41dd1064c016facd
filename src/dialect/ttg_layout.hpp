// Rules about layouts that the verifiers of tt and ttg share.

#ifndef TEENY_DIALECT_TTG_LAYOUT_HPP
#define TEENY_DIALECT_TTG_LAYOUT_HPP

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace teeny::ttg
{

// Dimensions that a layout speaks about; nothing for an attribute that is no layout of ttg.
std::optional<unsigned> layoutRank(mlir::Attribute layout);

// A tile's layout, if it has one, is a layout of ttg and of the tile's own rank.
llvm::LogicalResult verifyLayoutFits(
    mlir::RankedTensorType tile, llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace teeny::ttg

#endif // TEENY_DIALECT_TTG_LAYOUT_HPP
