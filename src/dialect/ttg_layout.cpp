// Rules about layouts that the verifiers of tt and ttg share.

#include "ttg.hpp"

namespace teeny::ttg
{

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

std::optional<unsigned> layoutRank(mlir::Attribute layout)
{
    if (auto blocked = llvm::dyn_cast_or_null<BlockedAttr>(layout))
        return blocked.getRank();
    if (auto slice = llvm::dyn_cast_or_null<SliceAttr>(layout))
        return slice.getRank();
    return std::nullopt;
}

llvm::LogicalResult verifyLayoutFits(mlir::RankedTensorType tile, EmitError emitError)
{
    mlir::Attribute layout = tile.getEncoding();
    if (!layout)
        return mlir::success();
    std::optional<unsigned> rank = layoutRank(layout);
    if (!rank)
        return emitError() << "expected a layout of ttg, found " << layout;
    if (*rank != tile.getRank())
        return emitError() << "expected a layout of the tile's rank, " << tile.getRank()
                           << ", found one of rank " << *rank << " in " << tile;
    return mlir::success();
}

mlir::Attribute reducedLayout(mlir::Attribute layout, unsigned axis)
{
    std::optional<unsigned> rank = layoutRank(layout);
    if (!rank || *rank < 2)
        return nullptr;
    return SliceAttr::get(layout.getContext(), axis, layout);
}

mlir::Attribute expandedLayout(mlir::Attribute layout, unsigned axis)
{
    auto slice = llvm::dyn_cast_or_null<SliceAttr>(layout);
    return slice && slice.getDim() == axis ? slice.getParent() : nullptr;
}

mlir::Attribute transposedLayout(mlir::Attribute layout, llvm::ArrayRef<int32_t> order)
{
    auto blocked = llvm::dyn_cast_or_null<BlockedAttr>(layout);
    if (!blocked)
        return nullptr;
    llvm::SmallVector<unsigned> elements, threads, warps, place(order.size()), fastest;
    for (auto [dimension, from] : llvm::enumerate(order)) {
        elements.push_back(blocked.getSizePerThread()[from]);
        threads.push_back(blocked.getThreadsPerWarp()[from]);
        warps.push_back(blocked.getWarpsPerCTA()[from]);
        place[from] = dimension;
    }
    for (unsigned dimension : blocked.getOrder())
        fastest.push_back(place[dimension]);
    return BlockedAttr::get(layout.getContext(), elements, threads, warps, fastest);
}

} // namespace teeny::ttg
