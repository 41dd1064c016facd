// Pointer arithmetic, loads and stores: checks, effects and folds.

#include "tt.hpp"

#include "mlir/IR/Matchers.h"

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

llvm::LogicalResult LoadOp::verify()
{
    mlir::Type pointee = pointeeTypeOf(getPtr().getType());
    mlir::Type mask = maskTypeOf(getPtr().getType());
    if (failed(verifyAccess(*this, "a result", getResult(), pointee, getPtr())) ||
        failed(verifyAccess(*this, "a mask", getMask(), mask, getPtr())) ||
        failed(verifyAccess(*this, "an 'other'", getOther(), pointee, getPtr())))
        return mlir::failure();
    if (getOther() && !getMask())
        return emitOpError("expected a mask beside 'other', found none");
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

} // namespace teeny::tt
