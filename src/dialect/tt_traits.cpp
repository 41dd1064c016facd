// The checks behind the traits of tt_traits.hpp. Each says what it expected and what it found.

#include "tt_traits.hpp"

#include "ttg_layout.hpp"

#include "mlir/IR/BuiltinTypes.h"

namespace teeny::tt::detail
{

using mlir::RankedTensorType;

// Triton refuses larger tiles; so does teeny, since what it prints must go back there.
static constexpr int64_t largestTile = 1 << 20;

// A place among an operation's operands or results, for messages.
struct Slot {
    const char *kind;
    unsigned index;
};

static mlir::InFlightDiagnostic errorAt(mlir::Operation *op, Slot slot)
{
    return op->emitOpError() << slot.kind << " #" << slot.index << ": ";
}

static llvm::LogicalResult verifyTileShape(mlir::Operation *op, Slot slot, RankedTensorType tile)
{
    if (tile.getRank() == 0)
        return errorAt(op, slot) << "expected a tile of rank 1 or more, found " << tile;
    if (!tile.hasStaticShape())
        return errorAt(op, slot) << "expected a tile of constant shape, found " << tile;
    for (auto [dimension, size] : llvm::enumerate(tile.getShape()))
        if (!llvm::isPowerOf2_64(size))
            return errorAt(op, slot) << "expected every dimension of a tile to be a power of two, "
                                     << "found " << size << " in dimension " << dimension;
    if (tile.getNumElements() > largestTile)
        return errorAt(op, slot) << "expected a tile of at most " << largestTile
                                 << " elements, found " << tile.getNumElements();
    return mlir::success();
}

static llvm::LogicalResult verifyTile(mlir::Operation *op, Slot slot, mlir::Type type)
{
    auto tile = llvm::dyn_cast<RankedTensorType>(type);
    if (!tile)
        return mlir::success();
    if (failed(verifyTileShape(op, slot, tile)))
        return mlir::failure();
    return ttg::verifyLayoutFits(tile, [&] { return errorAt(op, slot); });
}

llvm::LogicalResult verifyTilesAreValid(mlir::Operation *op)
{
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
        if (failed(verifyTile(op, {"operand", static_cast<unsigned>(index)}, type)))
            return mlir::failure();
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
        if (failed(verifyTile(op, {"result", static_cast<unsigned>(index)}, type)))
            return mlir::failure();
    return mlir::success();
}

// Shape and layout of a tile; equal for scalars.
static bool sameShapeAndLayout(mlir::Type a, mlir::Type b)
{
    auto tileA = llvm::dyn_cast<RankedTensorType>(a), tileB = llvm::dyn_cast<RankedTensorType>(b);
    if (!tileA || !tileB)
        return !tileA && !tileB;
    return tileA.getShape() == tileB.getShape() && tileA.getEncoding() == tileB.getEncoding();
}

llvm::LogicalResult verifySameShapeAndLayout(mlir::Operation *op)
{
    mlir::Type first = op->getOperand(0).getType();
    auto check = [&](Slot slot, mlir::Type type) -> llvm::LogicalResult {
        if (sameShapeAndLayout(first, type))
            return mlir::success();
        return errorAt(op, slot) << "expected the shape and layout of operand #0, " << first
                                 << ", found " << type;
    };
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
        if (failed(check({"operand", static_cast<unsigned>(index)}, type)))
            return mlir::failure();
    for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
        if (failed(check({"result", static_cast<unsigned>(index)}, type)))
            return mlir::failure();
    return mlir::success();
}

} // namespace teeny::tt::detail
