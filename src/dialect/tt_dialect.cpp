// The tt dialect itself: registration, constants, inlining, and all that mlir-tblgen generates but
// the bodies that tt_*.cpp write by hand. Guarantees that a loaded dialect knows every op of tt.td.

#include "tt.hpp"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tt_dialect.cpp.inc"
#include "tt_enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tt_types.cpp.inc"

#define GET_OP_CLASSES
#include "tt_ops.cpp.inc"

namespace teeny::tt
{

namespace
{

// Any operation may be inlined anywhere; only a function that asks not to be is left alone.
struct Inliner : mlir::DialectInlinerInterface {
    using DialectInlinerInterface::DialectInlinerInterface;

    bool isLegalToInline(mlir::Operation *, mlir::Operation *callable, bool) const final
    {
        auto noinline = callable->getAttrOfType<mlir::BoolAttr>("noinline");
        return !noinline || !noinline.getValue();
    }
    bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const final
    {
        return true;
    }
    bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final
    {
        return true;
    }

    // A callee of several blocks: its return becomes a branch to what followed the call.
    void handleTerminator(mlir::Operation *op, mlir::Block *next) const final
    {
        auto ret = llvm::dyn_cast<ReturnOp>(op);
        if (!ret)
            return;
        mlir::OpBuilder builder(op);
        mlir::cf::BranchOp::create(builder, op->getLoc(), next, ret.getSrcs());
        op->erase();
    }

    // A callee of one block: its return's operands stand in for the call's results.
    void handleTerminator(mlir::Operation *op, mlir::ValueRange results) const final
    {
        for (auto [result, value] : llvm::zip_equal(results, op->getOperands()))
            result.replaceAllUsesWith(value);
    }
};

} // namespace

void TTDialect::initialize()
{
    addTypes<
#define GET_TYPEDEF_LIST
#include "tt_types.cpp.inc"
        >();
    addOperations<
#define GET_OP_LIST
#include "tt_ops.cpp.inc"
        >();
    addInterfaces<Inliner>();
}

llvm::LogicalResult TTDialect::verifyRegionArgAttribute(
    mlir::Operation *op, unsigned, unsigned argument, mlir::NamedAttribute attribute)
{
    if (attribute.getName() != divisibilityName)
        return mlir::success();
    auto value = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
    if (value && value.getType().isSignlessInteger(32) && value.getInt() > 0)
        return mlir::success();
    return op->emitOpError() << "argument #" << argument << ": expected " << attribute.getName()
                             << " to be a positive i32, found " << attribute.getValue();
}

mlir::Operation *TTDialect::materializeConstant(
    mlir::OpBuilder &builder, mlir::Attribute value, mlir::Type type, mlir::Location location)
{
    return mlir::arith::ConstantOp::materialize(builder, value, type, location);
}

} // namespace teeny::tt
