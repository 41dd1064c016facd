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

// A tile's layout, if it has one, is a layout of ttg, of the tile's own rank, over as many threads
// and warps as the module around `op` says there are.
llvm::LogicalResult verifyLayoutFits(mlir::Operation *op, mlir::RankedTensorType tile,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

// The layout of a result, from that of a source. Each hands back null for a source without layout,
// and where no layout of ttg describes the result.
//
// With dimension `axis` taken away by a reduction:
mlir::Attribute reducedLayout(mlir::Attribute layout, unsigned axis);
// With a dimension of size 1 inserted at `axis`:
mlir::Attribute expandedLayout(mlir::Attribute layout, unsigned axis);
// With dimension i taken from dimension order[i]; `order` is a permutation of the layout's rank.
mlir::Attribute transposedLayout(mlir::Attribute layout, llvm::ArrayRef<int32_t> order);

} // namespace teeny::ttg

#endif // TEENY_DIALECT_TTG_LAYOUT_HPP
