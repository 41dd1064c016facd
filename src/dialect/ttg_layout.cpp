// Rules about layouts that the verifiers of tt and ttg share.

#include "ttg.hpp"

#include "mlir/IR/BuiltinOps.h"

namespace teeny::ttg
{

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

std::optional<unsigned> layoutRank(mlir::Attribute layout)
{
    if (auto blocked = llvm::dyn_cast_or_null<BlockedAttr>(layout))
        return blocked.getRank();
    if (auto slice = llvm::dyn_cast_or_null<SliceAttr>(layout))
        return slice.getRank();
    if (auto mma = llvm::dyn_cast_or_null<NvidiaMmaAttr>(layout))
        return mma.getRank();
    if (auto operand = llvm::dyn_cast_or_null<DotOperandAttr>(layout))
        return operand.getRank();
    return std::nullopt;
}

static uint64_t product(llvm::ArrayRef<unsigned> numbers)
{
    uint64_t result = 1;
    for (unsigned number : numbers)
        result *= number;
    return result;
}

// The layout that a slice or a factor, or a slice of a slice, is taken from.
static mlir::Attribute rootOf(mlir::Attribute layout)
{
    for (;;) {
        if (auto slice = llvm::dyn_cast<SliceAttr>(layout))
            layout = slice.getParent();
        else if (auto operand = llvm::dyn_cast<DotOperandAttr>(layout))
            layout = operand.getParent();
        else
            return layout;
    }
}

static uint64_t threadsPerWarp(mlir::Attribute root)
{
    constexpr uint64_t lanesOfAnMma = 32;
    auto blocked = llvm::dyn_cast<BlockedAttr>(root);
    return blocked ? product(blocked.getThreadsPerWarp()) : lanesOfAnMma;
}

static uint64_t warps(mlir::Attribute root)
{
    auto blocked = llvm::dyn_cast<BlockedAttr>(root);
    return product(
        blocked ? blocked.getWarpsPerCTA() : llvm::cast<NvidiaMmaAttr>(root).getWarpsPerCTA());
}

// One of the module's counts, where there is a module that says it.
static llvm::LogicalResult verifyCount(mlir::ModuleOp module, llvm::StringRef name, uint64_t found,
    mlir::Attribute layout, EmitError emitError)
{
    auto count = module ? module->getAttrOfType<mlir::IntegerAttr>(name) : nullptr;
    if (!count || count.getValue() == found)
        return mlir::success();
    return emitError() << "expected a layout over " << name << " = " << count.getInt()
                       << " of the module, found " << found << " in " << layout;
}

llvm::LogicalResult verifyLayoutFits(
    mlir::Operation *op, mlir::RankedTensorType tile, EmitError emitError)
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
    mlir::Attribute root = rootOf(layout);
    auto module = op->getParentOfType<mlir::ModuleOp>();
    if (failed(verifyCount(
            module, TTGDialect::threadsPerWarpName, threadsPerWarp(root), layout, emitError)))
        return mlir::failure();
    return verifyCount(module, TTGDialect::numWarpsName, warps(root), layout, emitError);
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
