// !tt.ptr: its text, its checks, and the types that follow from a pointer's.

#include "tt.hpp"

#include "mlir/IR/DialectImplementation.h"

namespace teeny::tt
{

static constexpr int globalAddressSpace = 1;

// `<` pointee (`,` address-space)? `>`
mlir::Type PointerType::parse(mlir::AsmParser &parser)
{
    mlir::Type pointee;
    int space = globalAddressSpace;
    if (parser.parseLess() || parser.parseType(pointee))
        return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(space))
        return {};
    if (parser.parseGreater())
        return {};
    return parser.getChecked<PointerType>(pointee, space);
}

void PointerType::print(mlir::AsmPrinter &printer) const
{
    printer << '<' << getPointeeType();
    if (getAddressSpace() != globalAddressSpace)
        printer << ", " << getAddressSpace();
    printer << '>';
}

llvm::LogicalResult PointerType::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError, mlir::Type pointee, int space)
{
    if (llvm::isa<mlir::ShapedType>(pointee))
        return emitError() << "expected a pointer to a scalar, found one to " << pointee;
    if (space < 0)
        return emitError() << "expected an address space of 0 or more, found " << space;
    return mlir::success();
}

mlir::Type elementTypeOf(mlir::Type type)
{
    auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tile ? tile.getElementType() : type;
}

mlir::Type withElementType(mlir::Type type, mlir::Type element)
{
    auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tile ? mlir::Type(tile.clone(element)) : element;
}

mlir::Type pointeeTypeOf(mlir::Type pointer)
{
    auto element = llvm::dyn_cast<PointerType>(elementTypeOf(pointer));
    return element ? withElementType(pointer, element.getPointeeType()) : pointer;
}

mlir::Type maskTypeOf(mlir::Type pointer)
{
    return withElementType(pointer, mlir::IntegerType::get(pointer.getContext(), 1));
}

} // namespace teeny::tt
