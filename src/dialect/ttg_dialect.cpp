// The ttg dialect itself: registration, names for layouts in printed text, the module's attributes,
// and all that mlir-tblgen generates. Guarantees that a loaded dialect knows all of ttg.td.

#include "ttg.hpp"
#include "ttg_text.hpp"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "ttg_dialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ttg_attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ttg_types.cpp.inc"

#define GET_OP_CLASSES
#include "ttg_ops.cpp.inc"

namespace teeny::ttg
{

namespace
{

// Layouts are long and repeat: the printer names them once, at the top (`#blocked = ...`).
struct LayoutNames : mlir::OpAsmDialectInterface {
    using OpAsmDialectInterface::OpAsmDialectInterface;

    AliasResult getAlias(mlir::Attribute attribute, llvm::raw_ostream &out) const final
    {
        if (llvm::isa<BlockedAttr>(attribute))
            out << BlockedAttr::getMnemonic();
        else if (llvm::isa<NvidiaMmaAttr>(attribute))
            out << "mma";
        else if (llvm::isa<SwizzledSharedAttr>(attribute))
            out << "shared";
        else if (llvm::isa<SharedMemoryAttr>(attribute))
            out << "smem";
        else
            return AliasResult::NoAlias;
        return AliasResult::FinalAlias;
    }
};

} // namespace

void TTGDialect::initialize()
{
    addAttributes<
#define GET_ATTRDEF_LIST
#include "ttg_attrs.cpp.inc"
        >();
    addTypes<
#define GET_TYPEDEF_LIST
#include "ttg_types.cpp.inc"
        >();
    addOperations<
#define GET_OP_LIST
#include "ttg_ops.cpp.inc"
        >();
    addInterfaces<LayoutNames>();
}

mlir::Operation *TTGDialect::materializeConstant(
    mlir::OpBuilder &builder, mlir::Attribute value, mlir::Type type, mlir::Location location)
{
    return mlir::arith::ConstantOp::materialize(builder, value, type, location);
}

// Counts of threads, warps and programs are powers of two: layouts are made of powers of two.
static llvm::LogicalResult verifyCount(mlir::Operation *op, mlir::NamedAttribute attribute)
{
    auto count = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
    if (!count || !count.getType().isSignlessInteger(32))
        return op->emitOpError() << "expected " << attribute.getName() << " to be an i32, found "
                                 << attribute.getValue();
    if (count.getInt() < 1 || !llvm::isPowerOf2_64(count.getInt()))
        return op->emitOpError() << "expected " << attribute.getName()
                                 << " to be a power of two, found " << count.getInt();
    return mlir::success();
}

llvm::LogicalResult TTGDialect::verifyOperationAttribute(
    mlir::Operation *op, mlir::NamedAttribute attribute)
{
    llvm::StringRef name = attribute.getName();
    if (name == numWarpsName || name == threadsPerWarpName || name == numCTAsName)
        return verifyCount(op, attribute);
    if (name == targetName && !llvm::isa<mlir::StringAttr>(attribute.getValue()))
        return op->emitOpError() << "expected " << attribute.getName() << " to be a string, found "
                                 << attribute.getValue();
    return mlir::success();
}

} // namespace teeny::ttg
