// Conversions: checks and folds.

#include "tt.hpp"

#include "mlir/IR/Matchers.h"

namespace teeny::tt
{

static llvm::LogicalResult verifyPointerBitcast(BitcastOp op, PointerType from, PointerType to)
{
    if (!from || !to)
        return op.emitOpError() << "expected pointers on both sides or on neither, found "
                                << op.getSrc().getType() << " and " << op.getResult().getType();
    if (from.getAddressSpace() != to.getAddressSpace())
        return op.emitOpError() << "expected one address space, found " << from.getAddressSpace()
                                << " and " << to.getAddressSpace();
    return mlir::success();
}

llvm::LogicalResult BitcastOp::verify()
{
    mlir::Type from = elementTypeOf(getSrc().getType()), to = elementTypeOf(getResult().getType());
    auto fromPointer = llvm::dyn_cast<PointerType>(from),
         toPointer = llvm::dyn_cast<PointerType>(to);
    if (fromPointer || toPointer)
        return verifyPointerBitcast(*this, fromPointer, toPointer);
    if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
        return emitOpError() << "expected types of one width, found " << from << " and " << to;
    return mlir::success();
}

// A cast to the type it already has is nothing; of a chain, only the last one counts.
mlir::OpFoldResult BitcastOp::fold(FoldAdaptor)
{
    if (getSrc().getType() == getResult().getType())
        return getSrc();
    auto inner = getSrc().getDefiningOp<BitcastOp>();
    if (!inner)
        return nullptr;
    getSrcMutable().assign(inner.getSrc());
    return getResult();
}

llvm::LogicalResult FpToFpOp::verify()
{
    mlir::Type from = elementTypeOf(getSrc().getType()), to = elementTypeOf(getResult().getType());
    if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth() && !getRounding())
        return emitOpError() << "expected a rounding mode to go from " << from << " to " << to
                             << ", found none";
    return mlir::success();
}

// Zero is zero in every format, whatever the rounding; its sign stays.
mlir::OpFoldResult FpToFpOp::fold(FoldAdaptor)
{
    if (getSrc().getType() == getResult().getType())
        return getSrc();
    bool negative = matchPattern(getSrc(), mlir::m_NegZeroFloat());
    if (!negative && !matchPattern(getSrc(), mlir::m_PosZeroFloat()))
        return nullptr;
    auto element = llvm::cast<mlir::FloatType>(elementTypeOf(getResult().getType()));
    auto zero = mlir::FloatAttr::get(
        element, llvm::APFloat::getZero(element.getFloatSemantics(), negative));
    if (auto tile = llvm::dyn_cast<mlir::RankedTensorType>(getResult().getType()))
        return mlir::SplatElementsAttr::get(tile, zero);
    return zero;
}

// There and back: only where the type is the same again.
mlir::OpFoldResult PtrToIntOp::fold(FoldAdaptor)
{
    auto inner = getSrc().getDefiningOp<IntToPtrOp>();
    return inner ? mlir::OpFoldResult(inner.getSrc()) : nullptr;
}

mlir::OpFoldResult IntToPtrOp::fold(FoldAdaptor)
{
    auto inner = getSrc().getDefiningOp<PtrToIntOp>();
    if (!inner || inner.getSrc().getType() != getResult().getType())
        return nullptr;
    return inner.getSrc();
}

} // namespace teeny::tt
