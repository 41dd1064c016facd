// Making and rearranging tiles: checks and folds.

#include "tt.hpp"

#include "mlir/IR/BuiltinAttributes.h"

namespace teeny::tt
{

llvm::LogicalResult MakeRangeOp::verify()
{
    int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
    auto type = getResult().getType();
    if (start >= end)
        return emitOpError() << "expected start below end, found start = " << start
                             << " and end = " << end;
    if (type.getRank() != 1)
        return emitOpError() << "expected a tile of rank 1, found " << type;
    if (type.getDimSize(0) != end - start)
        return emitOpError() << "expected end - start = " << end - start << " elements, found "
                             << type;
    return mlir::success();
}

// A range of one element is a constant.
mlir::OpFoldResult MakeRangeOp::fold(FoldAdaptor)
{
    if (getResult().getType().getNumElements() != 1)
        return nullptr;
    return mlir::SplatElementsAttr::get(getResult().getType(), getStartAttr().getValue());
}

llvm::LogicalResult SplatOp::verify()
{
    auto tile = getResult().getType();
    if (tile.getElementType() != getSrc().getType())
        return emitOpError() << "expected a tile of " << getSrc().getType() << ", found " << tile;
    return mlir::success();
}

// A splat of a constant is a constant.
mlir::OpFoldResult SplatOp::fold(FoldAdaptor adaptor)
{
    if (!llvm::isa_and_present<mlir::IntegerAttr, mlir::FloatAttr>(adaptor.getSrc()))
        return nullptr;
    return mlir::SplatElementsAttr::get(getResult().getType(), adaptor.getSrc());
}

} // namespace teeny::tt
