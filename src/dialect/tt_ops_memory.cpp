// Pointer arithmetic, loads and stores: checks, effects and folds.

#include "tt.hpp"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace teeny::tt
{

llvm::LogicalResult AddPtrOp::verify()
{
    if (getPtr().getType() != getResult().getType())
        return emitOpError() << "expected a result of the pointer's type, " << getPtr().getType()
                             << ", found " << getResult().getType();
    return mlir::success();
}

// p + 0 is p.
mlir::OpFoldResult AddPtrOp::fold(FoldAdaptor)
{
    return matchPattern(getOffset(), mlir::m_Zero()) ? mlir::OpFoldResult(getPtr()) : nullptr;
}

// One operand or result of an access, against the type that the pointer asks for.
static llvm::LogicalResult verifyAccess(mlir::Operation *op, const char *what, mlir::Value value,
    mlir::Type expected, mlir::Value pointer)
{
    if (!value || value.getType() == expected)
        return mlir::success();
    return op->emitOpError() << "expected " << what << " of type " << expected
                             << " for the pointer type " << pointer.getType() << ", found "
                             << value.getType();
}

// The mask's one value for every element, where it is a constant.
static std::optional<bool> constantMask(mlir::Value mask)
{
    mlir::Attribute value;
    if (!mask || !matchPattern(mask, mlir::m_Constant(&value)))
        return std::nullopt;
    if (auto splat = llvm::dyn_cast<mlir::SplatElementsAttr>(value))
        return splat.getSplatValue<bool>();
    auto scalar = llvm::dyn_cast<mlir::IntegerAttr>(value);
    return scalar ? std::optional<bool>(!scalar.getValue().isZero()) : std::nullopt;
}

llvm::LogicalResult LoadOp::verify()
{
    mlir::Type pointee = pointeeTypeOf(getPtr().getType());
    mlir::Type mask = maskTypeOf(getPtr().getType());
    if (failed(verifyAccess(*this, "a mask", getMask(), mask, getPtr())) ||
        failed(verifyAccess(*this, "an 'other'", getOther(), pointee, getPtr())))
        return mlir::failure();
    if (getOther() && !getMask())
        return emitOpError("expected a mask beside 'other', found none");
    return mlir::success();
}

// A mask of ones is no mask; under a mask of zeros nothing is read, and `other` is the result.
llvm::LogicalResult LoadOp::canonicalize(LoadOp op, mlir::PatternRewriter &rewriter)
{
    std::optional<bool> mask = constantMask(op.getMask());
    if (!mask || (!*mask && !op.getOther()))
        return mlir::failure();
    if (!*mask) {
        rewriter.replaceOp(op, op.getOther());
        return mlir::success();
    }
    rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        op.getOtherMutable().clear();
    });
    return mlir::success();
}

void LoadOp::getEffects(
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects)
{
    effects.emplace_back(mlir::MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
    // A write, in name only, keeps a volatile load where it stands.
    if (getIsVolatile())
        effects.emplace_back(mlir::MemoryEffects::Write::get(), GlobalMemory::get());
}

llvm::LogicalResult StoreOp::verify()
{
    mlir::Type pointee = pointeeTypeOf(getPtr().getType());
    mlir::Type mask = maskTypeOf(getPtr().getType());
    if (failed(verifyAccess(*this, "a value", getValue(), pointee, getPtr())))
        return mlir::failure();
    return verifyAccess(*this, "a mask", getMask(), mask, getPtr());
}

// A mask of ones is no mask; under a mask of zeros nothing is written.
llvm::LogicalResult StoreOp::canonicalize(StoreOp op, mlir::PatternRewriter &rewriter)
{
    std::optional<bool> mask = constantMask(op.getMask());
    if (!mask)
        return mlir::failure();
    if (*mask)
        rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    else
        rewriter.eraseOp(op);
    return mlir::success();
}

} // namespace teeny::tt
