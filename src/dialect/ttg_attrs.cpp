// Layouts of ttg: their text and their checks.

#include "ttg.hpp"
#include "ttg_text.hpp"

#include "llvm/ADT/SmallBitVector.h"

namespace teeny::ttg
{

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

mlir::FailureOr<unsigned> parseUnsigned(mlir::AsmParser &parser)
{
    constexpr int64_t largest = std::numeric_limits<unsigned>::max();
    llvm::SMLoc place = parser.getCurrentLocation();
    int64_t number;
    if (parser.parseInteger(number))
        return mlir::failure();
    if (number < 0 || number > largest)
        return parser.emitError(place)
               << "expected a number from 0 to " << largest << ", found " << number;
    return static_cast<unsigned>(number);
}

mlir::FailureOr<llvm::SmallVector<unsigned>> parsePerDimension(mlir::AsmParser &parser)
{
    llvm::SmallVector<unsigned> numbers;
    auto parseOne = [&]() -> mlir::ParseResult {
        mlir::FailureOr<unsigned> number = parseUnsigned(parser);
        if (failed(number))
            return mlir::failure();
        numbers.push_back(*number);
        return mlir::success();
    };
    if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne))
        return mlir::failure();
    return numbers;
}

void printPerDimension(mlir::AsmPrinter &printer, llvm::ArrayRef<unsigned> numbers)
{
    printer << '[';
    llvm::interleaveComma(numbers, printer);
    printer << ']';
}

static llvm::LogicalResult verifyCounts(
    EmitError emitError, const char *name, size_t rank, llvm::ArrayRef<unsigned> counts)
{
    if (counts.size() != rank)
        return emitError() << "expected as many numbers in " << name << " as in order, " << rank
                           << ", found " << counts.size();
    for (unsigned count : counts)
        if (!llvm::isPowerOf2_32(count))
            return emitError() << "expected powers of two in " << name << ", found " << count;
    return mlir::success();
}

static llvm::LogicalResult verifyOrder(EmitError emitError, llvm::ArrayRef<unsigned> order)
{
    if (order.empty())
        return emitError() << "expected a layout of rank 1 or more, found an empty order";
    llvm::SmallBitVector seen(order.size());
    for (unsigned dimension : order) {
        if (dimension >= order.size())
            return emitError() << "expected dimensions below " << order.size()
                               << " in order, found " << dimension;
        if (seen.test(dimension))
            return emitError() << "expected each dimension once in order, found " << dimension
                               << " twice";
        seen.set(dimension);
    }
    return mlir::success();
}

// What a program holds at once. A bound keeps products of these numbers small for all who compute
// with them.
static llvm::LogicalResult verifyExtent(
    EmitError emitError, std::initializer_list<llvm::ArrayRef<unsigned>> factors)
{
    constexpr uint64_t largest = 1 << 30;
    uint64_t extent = 1;
    for (llvm::ArrayRef<unsigned> counts : factors)
        for (unsigned count : counts)
            if ((extent *= count) > largest)
                return emitError()
                       << "expected a layout over at most " << largest << " elements, found more";
    return mlir::success();
}

llvm::LogicalResult BlockedAttr::verify(EmitError emitError, llvm::ArrayRef<unsigned> elements,
    llvm::ArrayRef<unsigned> threads, llvm::ArrayRef<unsigned> warps,
    llvm::ArrayRef<unsigned> order)
{
    if (failed(verifyOrder(emitError, order)) ||
        failed(verifyCounts(emitError, "sizePerThread", order.size(), elements)) ||
        failed(verifyCounts(emitError, "threadsPerWarp", order.size(), threads)) ||
        failed(verifyCounts(emitError, "warpsPerCTA", order.size(), warps)))
        return mlir::failure();
    return verifyExtent(emitError, {elements, threads, warps});
}

llvm::LogicalResult SliceAttr::verify(
    EmitError emitError, unsigned dimension, mlir::Attribute parent)
{
    std::optional<unsigned> rank = layoutRank(parent);
    if (!rank)
        return emitError() << "expected a layout as parent, found " << parent;
    if (*rank < 2)
        return emitError() << "expected a parent of rank 2 or more, found " << parent;
    if (dimension >= *rank)
        return emitError() << "expected dim below the parent's rank of " << *rank << ", found "
                           << dimension;
    return mlir::success();
}

unsigned SliceAttr::getRank() const
{
    return *layoutRank(getParent()) - 1;
}

llvm::LogicalResult NvidiaMmaAttr::verify(EmitError emitError, unsigned major, unsigned minor,
    llvm::ArrayRef<unsigned> warps, llvm::ArrayRef<unsigned> shape)
{
    static constexpr unsigned instruction[] = {16, 8};
    if (major != 2 || minor != 0)
        return emitError() << "expected version 2.0 of mma, found " << major << '.' << minor;
    if (warps.size() != 2)
        return emitError() << "expected two numbers in warpsPerCTA, found " << warps.size();
    if (shape != llvm::ArrayRef<unsigned>(instruction))
        return emitError() << "expected instrShape = [16, 8]";
    if (failed(verifyCounts(emitError, "warpsPerCTA", 2, warps)))
        return mlir::failure();
    return verifyExtent(emitError, {warps, shape});
}

llvm::LogicalResult DotOperandAttr::verify(
    EmitError emitError, unsigned index, mlir::Attribute parent, unsigned width)
{
    if (index > 1)
        return emitError() << "expected opIdx to be 0 or 1, found " << index;
    if (!llvm::isa_and_present<BlockedAttr, NvidiaMmaAttr>(parent))
        return emitError() << "expected a blocked layout or an mma as parent, found " << parent;
    if (*layoutRank(parent) < 2)
        return emitError() << "expected a parent of rank 2 or more, found " << parent;
    unsigned expected = llvm::isa<NvidiaMmaAttr>(parent) ? 2 : 0;
    if (width != expected)
        return emitError() << "expected kWidth = " << expected << " for " << parent << ", found "
                           << width;
    return mlir::success();
}

llvm::LogicalResult SwizzledSharedAttr::verify(EmitError emitError, unsigned group,
    unsigned rowsPerPhase, unsigned phases, llvm::ArrayRef<unsigned> order)
{
    if (failed(verifyOrder(emitError, order)))
        return mlir::failure();
    unsigned numbers[] = {group, rowsPerPhase, phases};
    if (failed(verifyCounts(emitError, "vec, perPhase and maxPhase", 3, numbers)))
        return mlir::failure();
    if (order.size() < 2 && phases > 1)
        return emitError() << "expected maxPhase = 1 where there are no rows, found " << phases;
    return verifyExtent(emitError, {numbers});
}

unsigned DotOperandAttr::getRank() const
{
    return *layoutRank(getParent());
}

} // namespace teeny::ttg
