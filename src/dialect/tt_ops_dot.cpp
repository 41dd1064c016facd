// tt.dot: the checks of its shapes and elements.

#include "tt.hpp"

namespace teeny::tt
{

static bool isInteger(mlir::RankedTensorType tile)
{
    return tile.getElementType().isInteger();
}

static llvm::LogicalResult verifyElements(
    DotOp op, mlir::RankedTensorType a, mlir::RankedTensorType b, mlir::RankedTensorType c)
{
    if (isInteger(a) != isInteger(b) || isInteger(a) != isInteger(c))
        return op.emitOpError() << "expected all integers or all floats, found " << a << " by " << b
                                << " into " << c;
    if (a.getElementTypeBitWidth() != b.getElementTypeBitWidth())
        return op.emitOpError() << "expected factors of one width, found " << a << " by " << b;
    return mlir::success();
}

llvm::LogicalResult DotOp::verify()
{
    auto a = llvm::cast<mlir::RankedTensorType>(getA().getType());
    auto b = llvm::cast<mlir::RankedTensorType>(getB().getType());
    auto c = llvm::cast<mlir::RankedTensorType>(getC().getType());
    int64_t rank = a.getRank();
    if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank)
        return emitOpError() << "expected three tiles of rank 2, or of rank 3, found " << a << ", "
                             << b << " and " << c;
    auto dimension = [rank](mlir::RankedTensorType tile, int64_t i) {
        return tile.getDimSize(rank - 2 + i);
    };
    bool fits = dimension(a, 1) == dimension(b, 0) && dimension(a, 0) == dimension(c, 0) &&
                dimension(b, 1) == dimension(c, 1);
    if (rank == 3)
        fits = fits && a.getDimSize(0) == b.getDimSize(0) && a.getDimSize(0) == c.getDimSize(0);
    if (!fits)
        return emitOpError() << "expected MxK by KxN into MxN, found " << a << " by " << b
                             << " into " << c;
    return verifyElements(*this, a, b, c);
}

} // namespace teeny::tt
