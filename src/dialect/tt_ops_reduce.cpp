// tt.reduce: result types, and the checks of its region.

#include "tt.hpp"
#include "ttg_layout.hpp"

namespace teeny::tt
{

// What is left of a tile when one dimension is reduced: a tile one rank lower, or a scalar.
static mlir::Type reducedType(mlir::RankedTensorType tile, int64_t axis)
{
    if (tile.getRank() == 1)
        return tile.getElementType();
    llvm::SmallVector<int64_t> shape(tile.getShape());
    shape.erase(shape.begin() + axis);
    return mlir::RankedTensorType::get(
        shape, tile.getElementType(), ttg::reducedLayout(tile.getEncoding(), axis));
}

llvm::LogicalResult ReduceOp::inferReturnTypes(mlir::MLIRContext *,
    std::optional<mlir::Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<mlir::Type> &results)
{
    if (adaptor.getSrcs().empty())
        return emitOptionalError(location, "tt.reduce: expected a tile or more, found none");
    int64_t axis = adaptor.getAxisAttr().getInt();
    auto first = llvm::cast<mlir::RankedTensorType>(adaptor.getSrcs()[0].getType());
    if (axis < 0 || axis >= first.getRank())
        return emitOptionalError(location, "tt.reduce: expected an axis from 0 to ",
            first.getRank() - 1, ", found ", axis);
    for (mlir::Value src : adaptor.getSrcs()) {
        auto tile = llvm::cast<mlir::RankedTensorType>(src.getType());
        if (tile.getShape() != first.getShape() || tile.getEncoding() != first.getEncoding())
            return emitOptionalError(location,
                "tt.reduce: expected tiles of one shape and layout, found ", first, " and ", tile);
        results.push_back(reducedType(tile, axis));
    }
    return mlir::success();
}

// `found` holds as many values as there are tiles, or twice as many, of the tiles' element types.
static llvm::LogicalResult verifyCombined(
    ReduceOp op, const char *what, unsigned times, mlir::TypeRange found)
{
    unsigned tiles = op.getSrcs().size();
    if (found.size() != times * tiles)
        return op.emitOpError() << "expected the region's number of " << what << "s to be "
                                << times * tiles << ", found " << found.size();
    for (unsigned i = 0; i < found.size(); ++i) {
        mlir::Type expected = elementTypeOf(op.getSrcs()[i % tiles].getType());
        if (found[i] != expected)
            return op.emitOpError() << "region " << what << " #" << i << ": expected " << expected
                                    << ", found " << found[i];
    }
    return mlir::success();
}

static llvm::LogicalResult verifyBlock(ReduceOp op, mlir::Block &block)
{
    mlir::Operation *terminator = block.getTerminator();
    auto returns = llvm::dyn_cast<ReduceReturnOp>(terminator);
    if (!returns && terminator->getNumSuccessors() == 0)
        return op.emitOpError() << "expected the region to end in tt.reduce.return, found "
                                << terminator->getName();
    if (returns && failed(verifyCombined(op, "result", 1, returns.getOperandTypes())))
        return mlir::failure();
    for (mlir::Operation &inner : block)
        if (!mlir::isMemoryEffectFree(&inner))
            return op.emitOpError()
                   << "expected a region without effects on memory, found " << inner.getName();
    return mlir::success();
}

llvm::LogicalResult ReduceOp::verifyRegions()
{
    if (failed(verifyCombined(*this, "argument", 2, getCombineOp().front().getArgumentTypes())))
        return mlir::failure();
    for (mlir::Block &block : getCombineOp())
        if (failed(verifyBlock(*this, block)))
            return mlir::failure();
    return mlir::success();
}

} // namespace teeny::tt
