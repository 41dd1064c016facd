// Operations of ttg on shared memory: checks and effects.

#include "ttg.hpp"
#include "ttg_text.hpp"

namespace teeny::ttg
{

using Effects =
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;

// ---- Checks -------------------------------------------------------------------------------------

static llvm::LogicalResult verifyHolds(
    mlir::Operation *op, MemDescType memory, mlir::RankedTensorType tile)
{
    if (memory.getShape() == tile.getShape() && memory.getElementType() == tile.getElementType())
        return mlir::success();
    return op->emitOpError() << "expected memory of the tile's shape and element type, " << tile
                             << ", found " << memory;
}

static llvm::LogicalResult verifyIsMutable(mlir::Operation *op, MemDescType memory)
{
    if (memory.getMutableMemory())
        return mlir::success();
    return op->emitOpError() << "expected mutable memory to write to, found " << memory;
}

// A view says the same of the memory, but for its shape.
static llvm::LogicalResult verifyIsView(mlir::Operation *op, MemDescType from, MemDescType to)
{
    if (from.getElementType() != to.getElementType() ||
        from.getMemorySpace() != to.getMemorySpace() ||
        from.getMutableMemory() != to.getMutableMemory())
        return op->emitOpError() << "expected a view of " << from << ", found " << to;
    return mlir::success();
}

static MemDescType typeOf(mlir::Value memory)
{
    return llvm::cast<MemDescType>(memory.getType());
}

static mlir::RankedTensorType tileOf(mlir::Value tile)
{
    return llvm::cast<mlir::RankedTensorType>(tile.getType());
}

// ---- Allocation and access ----------------------------------------------------------------------

llvm::LogicalResult LocalAllocOp::verify()
{
    if (getSrc())
        return verifyHolds(*this, typeOf(getResult()), tileOf(getSrc()));
    return verifyIsMutable(*this, typeOf(getResult()));
}

void LocalAllocOp::getEffects(Effects &effects)
{
    mlir::OpResult result = getOperation()->getResult(0);
    effects.emplace_back(mlir::MemoryEffects::Allocate::get(), result, SharedMemory::get());
    if (getSrc())
        effects.emplace_back(mlir::MemoryEffects::Write::get(), result, SharedMemory::get());
}

llvm::LogicalResult LocalLoadOp::verify()
{
    return verifyHolds(*this, typeOf(getSrc()), tileOf(getResult()));
}

llvm::LogicalResult LocalStoreOp::verify()
{
    if (failed(verifyIsMutable(*this, typeOf(getDst()))))
        return mlir::failure();
    return verifyHolds(*this, typeOf(getDst()), tileOf(getSrc()));
}

// ---- Views --------------------------------------------------------------------------------------

llvm::LogicalResult MemDescIndexOp::verify()
{
    MemDescType from = typeOf(getSrc()), to = typeOf(getResult());
    if (failed(verifyIsView(*this, from, to)))
        return mlir::failure();
    size_t rank = llvm::cast<SwizzledSharedAttr>(from.getEncoding()).getRank();
    // A part of a ring's tiles has a place that an index into it would not count.
    if (from.getShape() != from.getAllocShape())
        return emitOpError() << "expected a whole, not a part of one: " << from;
    if (from.getShape().size() != rank + 1 || from.getShape().drop_front() != to.getShape() ||
        from.getEncoding() != to.getEncoding())
        return emitOpError() << "expected one of the tiles of " << from << ", found " << to;
    return mlir::success();
}

mlir::ParseResult parseOffsets(mlir::OpAsmParser &parser, mlir::DenseI32ArrayAttr &offsets)
{
    llvm::SmallVector<int32_t> numbers;
    auto parseOne = [&] { return parser.parseInteger(numbers.emplace_back()); };
    if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne))
        return mlir::failure();
    offsets = parser.getBuilder().getDenseI32ArrayAttr(numbers);
    return mlir::success();
}

void printOffsets(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseI32ArrayAttr offsets)
{
    printer << '[';
    llvm::interleaveComma(offsets.asArrayRef(), printer);
    printer << ']';
}

llvm::LogicalResult MemDescSubsliceOp::verify()
{
    MemDescType from = typeOf(getSrc()), to = typeOf(getResult());
    if (failed(verifyIsView(*this, from, to)))
        return mlir::failure();
    llvm::ArrayRef<int64_t> whole = from.getShape(), part = to.getShape();
    llvm::ArrayRef<int32_t> offsets = getOffsets();
    if (from.getEncoding() != to.getEncoding() || to.getAllocShape() != from.getAllocShape() ||
        part.size() != whole.size() || offsets.size() != whole.size())
        return emitOpError() << "expected a part of " << from << ", found " << to;
    for (auto [offset, size, limit] : llvm::zip_equal(offsets, part, whole))
        if (offset < 0 || offset % size != 0 || offset + size > limit)
            return emitOpError() << "expected an offset that is a multiple of " << size
                                 << " inside of " << limit << ", found " << offset;
    return mlir::success();
}

llvm::LogicalResult MemDescTransOp::verify()
{
    MemDescType from = typeOf(getSrc()), to = typeOf(getResult());
    if (failed(verifyIsView(*this, from, to)))
        return mlir::failure();
    auto before = llvm::cast<SwizzledSharedAttr>(from.getEncoding());
    auto after = llvm::cast<SwizzledSharedAttr>(to.getEncoding());
    llvm::ArrayRef<int32_t> order = getOrder();
    size_t rank = from.getShape().size();
    if (order.size() != rank || to.getShape().size() != rank || before.getRank() != rank ||
        after.getRank() != rank)
        return emitOpError() << "expected as many dimensions as in order, " << order.size();
    llvm::SmallVector<unsigned> place(rank, rank);
    for (auto [dimension, source] : llvm::enumerate(order)) {
        if (source < 0 || source >= static_cast<int32_t>(rank) || place[source] != rank)
            return emitOpError("expected each dimension once in order");
        place[source] = dimension;
        if (to.getShape()[dimension] != from.getShape()[source])
            return emitOpError() << "expected the dimensions of " << from
                                 << " in that order, found " << to;
    }
    llvm::SmallVector<unsigned> fastest;
    for (unsigned dimension : before.getOrder())
        fastest.push_back(place[dimension]);
    auto expected = SwizzledSharedAttr::get(
        getContext(), before.getVec(), before.getPerPhase(), before.getMaxPhase(), fastest);
    if (after != expected)
        return emitOpError() << "expected the encoding " << expected << ", found " << after;
    return mlir::success();
}

// ---- Asynchronous copies ------------------------------------------------------------------------

void AsyncCopyGlobalToLocalOp::getEffects(Effects &effects)
{
    effects.emplace_back(
        mlir::MemoryEffects::Read::get(), &getSrcMutable(), teeny::tt::GlobalMemory::get());
    effects.emplace_back(
        mlir::MemoryEffects::Write::get(), &getResultMutable(), SharedMemory::get());
}

llvm::LogicalResult AsyncCopyGlobalToLocalOp::verify()
{
    auto pointers = tileOf(getSrc());
    auto read = llvm::dyn_cast<mlir::RankedTensorType>(teeny::tt::pointeeTypeOf(pointers));
    if (failed(verifyIsMutable(*this, typeOf(getResult()))) ||
        failed(verifyHolds(*this, typeOf(getResult()), read)))
        return mlir::failure();
    if (getMask() && getMask().getType() != teeny::tt::maskTypeOf(pointers))
        return emitOpError() << "expected a mask for the pointer type " << pointers << ", found "
                             << getMask().getType();
    if (getOther() && (!getMask() || getOther().getType() != read))
        return emitOpError() << "expected 'other' of type " << read << " beside a mask, found "
                             << getOther().getType();
    return mlir::success();
}

llvm::LogicalResult AsyncWaitOp::verify()
{
    if (static_cast<int32_t>(getNum()) < 0)
        return emitOpError("expected a number of groups of 0 or more");
    return mlir::success();
}

} // namespace teeny::ttg
