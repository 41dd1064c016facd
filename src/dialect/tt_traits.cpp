// The checks behind the traits of tt_traits.hpp. Each says what it expected and what it found.

#include "tt_traits.hpp"

#include "ttg_layout.hpp"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

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

// Checks the type of every operand, then of every result, up to the first failure.
static llvm::LogicalResult verifyEachType(
    mlir::Operation *op, llvm::function_ref<llvm::LogicalResult(Slot, mlir::Type)> verify)
{
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
        if (failed(verify({"operand", i}, op->getOperand(i).getType())))
            return mlir::failure();
    for (unsigned i = 0; i < op->getNumResults(); ++i)
        if (failed(verify({"result", i}, op->getResult(i).getType())))
            return mlir::failure();
    return mlir::success();
}

static bool isLargerThanLargestTile(RankedTensorType tile)
{
    int64_t count = 1;
    for (int64_t size : tile.getShape())
        if (size > largestTile || (count *= size) > largestTile)
            return true;
    return false;
}

static llvm::LogicalResult verifyTileShape(mlir::Operation *op, Slot slot, RankedTensorType tile)
{
    if (tile.getRank() == 0)
        return errorAt(op, slot) << "expected a tile of rank 1 or more, found " << tile;
    for (auto [dimension, size] : llvm::enumerate(tile.getShape()))
        if (mlir::ShapedType::isDynamic(size) || !llvm::isPowerOf2_64(size))
            return errorAt(op, slot)
                   << "expected a power of two in each dimension of a tile, found " << tile;
    if (isLargerThanLargestTile(tile))
        return errorAt(op, slot) << "expected a tile of at most " << largestTile
                                 << " elements, found " << tile;
    return mlir::success();
}

static llvm::LogicalResult verifyTile(mlir::Operation *op, Slot slot, RankedTensorType tile)
{
    if (failed(verifyTileShape(op, slot, tile)))
        return mlir::failure();
    return ttg::verifyLayoutFits(op, tile, [&] { return errorAt(op, slot); });
}

llvm::LogicalResult verifyTilesAreValid(mlir::Operation *op)
{
    return verifyEachType(op, [op](Slot slot, mlir::Type type) -> llvm::LogicalResult {
        auto tile = llvm::dyn_cast<RankedTensorType>(type);
        return tile ? verifyTile(op, slot, tile) : mlir::success();
    });
}

// Shape and layout of a tile; scalars are all alike.
static bool haveSameShapeAndLayout(mlir::Type a, mlir::Type b)
{
    auto tileA = llvm::dyn_cast<RankedTensorType>(a), tileB = llvm::dyn_cast<RankedTensorType>(b);
    if (!tileA || !tileB)
        return !tileA && !tileB;
    return tileA.getShape() == tileB.getShape() && tileA.getEncoding() == tileB.getEncoding();
}

llvm::LogicalResult verifySameShapeAndLayout(mlir::Operation *op)
{
    mlir::Type first = op->getOperand(0).getType();
    return verifyEachType(op, [op, first](Slot slot, mlir::Type type) -> llvm::LogicalResult {
        if (haveSameShapeAndLayout(first, type))
            return mlir::success();
        return errorAt(op, slot) << "expected the shape and layout of operand #0, " << first
                                 << ", found " << type;
    });
}

llvm::LogicalResult verifySameElementType(mlir::Operation *op)
{
    mlir::Type first = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
    return verifyEachType(op, [op, first](Slot slot, mlir::Type type) -> llvm::LogicalResult {
        mlir::Type element = mlir::getElementTypeOrSelf(type);
        if (element == first)
            return mlir::success();
        return errorAt(op, slot) << "expected the element type of operand #0, " << first
                                 << ", found " << element;
    });
}

} // namespace teeny::tt::detail
