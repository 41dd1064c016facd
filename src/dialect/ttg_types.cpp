// Types of ttg: their text and their checks.

#include "ttg.hpp"

#include "mlir/IR/DialectImplementation.h"

namespace teeny::ttg
{

using Shape = llvm::SmallVector<int64_t>;

// `, mutable`, then `, ` and the shape of the whole tile; both may be absent.
static mlir::ParseResult parseTail(mlir::AsmParser &parser, bool &isMutable, Shape &whole)
{
    if (failed(parser.parseOptionalComma()))
        return mlir::success();
    if (succeeded(parser.parseOptionalKeyword("mutable"))) {
        isMutable = true;
        if (failed(parser.parseOptionalComma()))
            return mlir::success();
    }
    return parser.parseDimensionList(whole, /*allowDynamic=*/false, /*withTrailingX=*/false);
}

// `<` shape `x` element `,` encoding `,` memory (`,` `mutable`)? (`,` shape)? `>`
mlir::Type MemDescType::parse(mlir::AsmParser &parser)
{
    Shape shape, whole;
    mlir::Type element;
    mlir::Attribute encoding, memory;
    bool isMutable = false;
    llvm::SMLoc place = parser.getCurrentLocation();
    if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
        parser.parseType(element) || parser.parseComma() || parser.parseAttribute(encoding) ||
        parser.parseComma() || parser.parseAttribute(memory) ||
        parseTail(parser, isMutable, whole) || parser.parseGreater())
        return {};
    if (whole.empty())
        whole = shape;
    return MemDescType::getChecked([&] { return parser.emitError(place); }, parser.getContext(),
        llvm::ArrayRef<int64_t>(shape), element, encoding, memory, isMutable,
        llvm::ArrayRef<int64_t>(whole));
}

static void printShape(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> shape)
{
    llvm::interleave(shape, printer, "x");
}

void MemDescType::print(mlir::AsmPrinter &printer) const
{
    printer << '<';
    printShape(printer, getShape());
    printer << 'x' << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
    if (getMutableMemory())
        printer << ", mutable";
    if (getShape() != getAllocShape()) {
        printer << ", ";
        printShape(printer, getAllocShape());
    }
    printer << '>';
}

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

static llvm::LogicalResult verifyShape(EmitError emitError, llvm::ArrayRef<int64_t> shape)
{
    constexpr int64_t largest = 1 << 20;
    int64_t count = 1;
    for (int64_t size : shape) {
        if (size < 1 || size > largest || (count *= size) > largest)
            return emitError() << "expected a tile of 1 to " << largest << " elements, found "
                               << shape;
    }
    return mlir::success();
}

llvm::LogicalResult MemDescType::verify(EmitError emitError, llvm::ArrayRef<int64_t> shape,
    mlir::Type, mlir::Attribute encoding, mlir::Attribute memory, bool,
    llvm::ArrayRef<int64_t> whole)
{
    auto shared = llvm::dyn_cast<SwizzledSharedAttr>(encoding);
    if (!shared)
        return emitError() << "expected #ttg.swizzled_shared as encoding, found " << encoding;
    if (!llvm::isa<SharedMemoryAttr>(memory))
        return emitError() << "expected #ttg.shared_memory as memory, found " << memory;
    size_t rank = shared.getRank();
    if (shape.size() < rank || shape.size() > rank + 1 || whole.size() < shape.size())
        return emitError() << "expected " << rank << " or " << rank + 1
                           << " dimensions for this encoding, found " << shape.size();
    if (failed(verifyShape(emitError, shape)) || failed(verifyShape(emitError, whole)))
        return mlir::failure();
    for (int64_t size : whole.take_back(rank))
        if (!llvm::isPowerOf2_64(size))
            return emitError() << "expected powers of two in a tile, found " << size;
    return mlir::success();
}

} // namespace teeny::ttg
