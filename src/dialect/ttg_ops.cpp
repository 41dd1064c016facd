// Operations of ttg: checks and folds.

#include "ttg.hpp"

namespace teeny::ttg
{

llvm::LogicalResult ConvertLayoutOp::verify()
{
    auto from = getSrc().getType(), to = getResult().getType();
    if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType())
        return emitOpError() << "expected the shape and element type of " << from << ", found "
                             << to;
    if (!from.getEncoding() || !to.getEncoding())
        return emitOpError() << "expected a layout on both sides, found " << from << " and " << to;
    return mlir::success();
}

// A conversion to the layout it already has is nothing; of a chain, only the last one counts.
mlir::OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor)
{
    if (getSrc().getType() == getResult().getType())
        return getSrc();
    if (auto constant = llvm::dyn_cast_or_null<mlir::SplatElementsAttr>(adaptor.getSrc()))
        return constant.resizeSplat(getResult().getType());
    auto inner = getSrc().getDefiningOp<ConvertLayoutOp>();
    if (!inner)
        return nullptr;
    getSrcMutable().assign(inner.getSrc());
    return getResult();
}

} // namespace teeny::ttg
