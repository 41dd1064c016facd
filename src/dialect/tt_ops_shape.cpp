// Making and rearranging tiles: checks, result types, folds, canonical forms.

#include "tt.hpp"
#include "ttg_layout.hpp"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

namespace teeny::tt
{

using mlir::RankedTensorType;

// What becomes of a constant whose every element is the same when it is rearranged.
static mlir::OpFoldResult foldSplatConstant(mlir::Attribute constant, RankedTensorType type)
{
    auto splat = llvm::dyn_cast_or_null<mlir::SplatElementsAttr>(constant);
    return splat ? splat.resizeSplat(type) : mlir::OpFoldResult();
}

// However a splat is rearranged, it is a splat of the result's type.
template <typename Op>
static llvm::LogicalResult replaceBySplat(Op op, mlir::PatternRewriter &rewriter)
{
    auto splat = op.getSrc().template getDefiningOp<SplatOp>();
    if (!splat)
        return mlir::failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getResult().getType(), splat.getSrc());
    return mlir::success();
}

static llvm::LogicalResult verifySameElements(
    mlir::Operation *op, RankedTensorType from, RankedTensorType to)
{
    if (from.getElementType() != to.getElementType())
        return op->emitOpError() << "expected elements of type " << from.getElementType()
                                 << " in the result, found " << to.getElementType();
    return mlir::success();
}

// ---- tt.make_range ----

llvm::LogicalResult MakeRangeOp::verify()
{
    int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
    auto type = getResult().getType();
    if (start >= end)
        return emitOpError() << "expected start below end, found start = " << start
                             << " and end = " << end;
    if (type.getRank() != 1)
        return emitOpError() << "expected a tile of rank 1, found " << type;
    if (type.getDimSize(0) != end - start)
        return emitOpError() << "expected end - start = " << end - start << " elements, found "
                             << type;
    return mlir::success();
}

// A range of one element is a constant.
mlir::OpFoldResult MakeRangeOp::fold(FoldAdaptor)
{
    if (getResult().getType().getNumElements() != 1)
        return nullptr;
    return mlir::SplatElementsAttr::get(getResult().getType(), getStartAttr().getValue());
}

// ---- tt.splat ----

llvm::LogicalResult SplatOp::verify()
{
    auto tile = getResult().getType();
    if (tile.getElementType() != getSrc().getType())
        return emitOpError() << "expected a tile of " << getSrc().getType() << ", found " << tile;
    return mlir::success();
}

// A splat of a constant is a constant.
mlir::OpFoldResult SplatOp::fold(FoldAdaptor adaptor)
{
    if (!llvm::isa_and_present<mlir::IntegerAttr, mlir::FloatAttr>(adaptor.getSrc()))
        return nullptr;
    return mlir::SplatElementsAttr::get(getResult().getType(), adaptor.getSrc());
}

// ---- tt.expand_dims ----

llvm::LogicalResult ExpandDimsOp::inferReturnTypes(mlir::MLIRContext *,
    std::optional<mlir::Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<mlir::Type> &results)
{
    auto src = llvm::cast<RankedTensorType>(adaptor.getSrc().getType());
    int64_t axis = adaptor.getAxisAttr().getInt();
    if (axis < 0 || axis > src.getRank())
        return emitOptionalError(location, "tt.expand_dims: expected an axis from 0 to ",
            src.getRank(), ", found ", axis);
    mlir::Attribute layout = ttg::expandedLayout(src.getEncoding(), axis);
    if (src.getEncoding() && !layout)
        return emitOptionalError(location, "tt.expand_dims: expected a source layout ",
            "#ttg.slice<{dim = ", axis, ", ...}>, found ", src.getEncoding());
    llvm::SmallVector<int64_t> shape(src.getShape());
    shape.insert(shape.begin() + axis, 1);
    results.push_back(RankedTensorType::get(shape, src.getElementType(), layout));
    return mlir::success();
}

mlir::OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor)
{
    return foldSplatConstant(adaptor.getSrc(), getResult().getType());
}

llvm::LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, mlir::PatternRewriter &rewriter)
{
    return replaceBySplat(op, rewriter);
}

// ---- tt.broadcast ----

llvm::LogicalResult BroadcastOp::verify()
{
    auto from = getSrc().getType(), to = getResult().getType();
    if (failed(verifySameElements(*this, from, to)))
        return mlir::failure();
    if (from.getRank() != to.getRank())
        return emitOpError() << "expected a result of the source's rank, " << from.getRank()
                             << ", found " << to;
    if (from.getEncoding() != to.getEncoding())
        return emitOpError() << "expected a result of the source's layout, found " << from
                             << " and " << to;
    for (int64_t i = 0; i < from.getRank(); ++i)
        if (from.getDimSize(i) != 1 && from.getDimSize(i) != to.getDimSize(i))
            return emitOpError() << "dimension " << i << ": expected size 1 or " << to.getDimSize(i)
                                 << " in the source, found " << from.getDimSize(i);
    return mlir::success();
}

// Of a chain, only the last one counts.
mlir::OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor)
{
    if (getSrc().getType() == getResult().getType())
        return getSrc();
    if (auto inner = getSrc().getDefiningOp<BroadcastOp>()) {
        getSrcMutable().assign(inner.getSrc());
        return getResult();
    }
    return foldSplatConstant(adaptor.getSrc(), getResult().getType());
}

llvm::LogicalResult BroadcastOp::canonicalize(BroadcastOp op, mlir::PatternRewriter &rewriter)
{
    return replaceBySplat(op, rewriter);
}

// ---- tt.reshape ----

llvm::LogicalResult ReshapeOp::verify()
{
    auto from = getSrc().getType(), to = getResult().getType();
    if (failed(verifySameElements(*this, from, to)))
        return mlir::failure();
    if (from.getNumElements() != to.getNumElements())
        return emitOpError() << "expected " << from.getNumElements()
                             << " elements, as the source has, found " << to.getNumElements()
                             << " in " << to;
    if (!from.getEncoding() != !to.getEncoding())
        return emitOpError() << "expected a layout on both sides or on neither, found " << from
                             << " and " << to;
    return mlir::success();
}

mlir::OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor)
{
    if (getSrc().getType() == getResult().getType())
        return getSrc();
    return foldSplatConstant(adaptor.getSrc(), getResult().getType());
}

// Of a chain, only the last one counts, and the order is free if either freed it. With layouts the
// two steps may be cheap where the one is not, so they stay.
llvm::LogicalResult ReshapeOp::canonicalize(ReshapeOp op, mlir::PatternRewriter &rewriter)
{
    if (succeeded(replaceBySplat(op, rewriter)))
        return mlir::success();
    auto inner = op.getSrc().getDefiningOp<ReshapeOp>();
    if (!inner || op.getResult().getType().getEncoding())
        return mlir::failure();
    bool reorder = op.getAllowReorder() || inner.getAllowReorder();
    rewriter.replaceOpWithNewOp<ReshapeOp>(
        op, op.getResult().getType(), inner.getSrc(), reorder, op.getEfficientLayout());
    return mlir::success();
}

// ---- tt.trans ----

static bool isPermutation(llvm::ArrayRef<int32_t> order, int64_t rank)
{
    llvm::SmallBitVector seen(rank);
    for (int32_t dimension : order) {
        if (dimension < 0 || dimension >= rank || seen.test(dimension))
            return false;
        seen.set(dimension);
    }
    return static_cast<int64_t>(order.size()) == rank;
}

llvm::LogicalResult TransOp::inferReturnTypes(mlir::MLIRContext *,
    std::optional<mlir::Location> location, Adaptor adaptor,
    llvm::SmallVectorImpl<mlir::Type> &results)
{
    auto src = llvm::cast<RankedTensorType>(adaptor.getSrc().getType());
    llvm::ArrayRef<int32_t> order = adaptor.getOrder();
    if (!isPermutation(order, src.getRank()))
        return emitOptionalError(location, "tt.trans: expected each dimension from 0 to ",
            src.getRank() - 1, " once in order, found ", adaptor.getOrderAttr());
    mlir::Attribute layout = ttg::transposedLayout(src.getEncoding(), order);
    if (src.getEncoding() && !layout)
        return emitOptionalError(
            location, "tt.trans: expected a #ttg.blocked layout, found ", src.getEncoding());
    llvm::SmallVector<int64_t> shape;
    for (int32_t dimension : order)
        shape.push_back(src.getDimSize(dimension));
    results.push_back(RankedTensorType::get(shape, src.getElementType(), layout));
    return mlir::success();
}

// One transposition for two in a row: the outer order picks from the inner one.
static TransOp mergeWithInner(TransOp op)
{
    auto inner = op.getSrc().getDefiningOp<TransOp>();
    if (!inner)
        return nullptr;
    llvm::SmallVector<int32_t> order;
    for (int32_t dimension : op.getOrder())
        order.push_back(inner.getOrder()[dimension]);
    op.setOrder(order);
    op.getSrcMutable().assign(inner.getSrc());
    return op;
}

mlir::OpFoldResult TransOp::fold(FoldAdaptor adaptor)
{
    auto identity = llvm::seq<int32_t>(0, getOrder().size());
    if (llvm::equal(getOrder(), identity))
        return getSrc();
    if (TransOp merged = mergeWithInner(*this))
        return merged.getResult();
    return foldSplatConstant(adaptor.getSrc(), getResult().getType());
}

} // namespace teeny::tt
