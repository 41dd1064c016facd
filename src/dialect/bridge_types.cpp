// dialect.h: types and layouts.

#include "dialect/dialect.h"

#include "ttg.hpp"

#include "mlir/CAPI/IR.h"

using teeny::tt::PointerType;
using teeny::ttg::AsyncTokenType;
using teeny::ttg::BlockedAttr;
using teeny::ttg::DotOperandAttr;
using teeny::ttg::MemDescType;
using teeny::ttg::NvidiaMmaAttr;
using teeny::ttg::SharedMemoryAttr;
using teeny::ttg::SliceAttr;
using teeny::ttg::SwizzledSharedAttr;

// The C enumerations of dialect.h repeat those of tt_attrs.td.
#define SAME(c, cxx) static_assert(static_cast<int>(c) == static_cast<int>(teeny::tt::cxx), #c)
SAME(TT_PROGRAM_DIM_X, ProgramDim::X);
SAME(TT_PROGRAM_DIM_Y, ProgramDim::Y);
SAME(TT_PROGRAM_DIM_Z, ProgramDim::Z);
SAME(TT_CACHE_NONE, CacheModifier::None);
SAME(TT_CACHE_CA, CacheModifier::AllLevels);
SAME(TT_CACHE_CG, CacheModifier::GlobalLevel);
SAME(TT_CACHE_WB, CacheModifier::WriteBack);
SAME(TT_CACHE_CS, CacheModifier::Streaming);
SAME(TT_CACHE_WT, CacheModifier::WriteThrough);
SAME(TT_CACHE_CV, CacheModifier::Volatile);
SAME(TT_EVICT_NORMAL, EvictionPolicy::Normal);
SAME(TT_EVICT_FIRST, EvictionPolicy::First);
SAME(TT_EVICT_LAST, EvictionPolicy::Last);
SAME(TT_ROUNDING_TOWARD_ZERO, RoundingMode::TowardZero);
SAME(TT_ROUNDING_NEAREST_EVEN, RoundingMode::NearestEven);
SAME(TT_PRECISION_TF32, InputPrecision::TF32);
SAME(TT_PRECISION_TF32X3, InputPrecision::TF32x3);
SAME(TT_PRECISION_IEEE, InputPrecision::IEEE);
#undef SAME

MlirType tt_pointer_type(MlirType pointee, int address_space)
{
    return wrap(mlir::Type(PointerType::get(unwrap(pointee), address_space)));
}

bool tt_type_is_pointer(MlirType type)
{
    return llvm::isa<PointerType>(unwrap(type));
}

MlirType tt_pointer_pointee(MlirType pointer)
{
    return wrap(llvm::cast<PointerType>(unwrap(pointer)).getPointeeType());
}

int tt_pointer_address_space(MlirType pointer)
{
    return llvm::cast<PointerType>(unwrap(pointer)).getAddressSpace();
}

// Where a layout made in C is refused: there is no text to point at.
static llvm::unique_function<mlir::InFlightDiagnostic()> errorIn(mlir::MLIRContext *context)
{
    return [context] { return mlir::emitError(mlir::UnknownLoc::get(context)); };
}

MlirAttribute ttg_blocked_attr(MlirContext handle, const struct ttg_blocked *layout)
{
    mlir::MLIRContext *context = unwrap(handle);
    auto numbers = [layout](const unsigned *first) {
        return llvm::ArrayRef<unsigned>(first, layout->rank);
    };
    return wrap(mlir::Attribute(BlockedAttr::getChecked(errorIn(context), context,
        numbers(layout->size_per_thread), numbers(layout->threads_per_warp),
        numbers(layout->warps_per_cta), numbers(layout->order))));
}

bool ttg_blocked_read(MlirAttribute attribute, struct ttg_blocked *out)
{
    auto layout = llvm::dyn_cast_or_null<BlockedAttr>(unwrap(attribute));
    if (!layout)
        return false;
    *out = {layout.getRank(), layout.getSizePerThread().data(), layout.getThreadsPerWarp().data(),
        layout.getWarpsPerCTA().data(), layout.getOrder().data()};
    return true;
}

MlirAttribute ttg_slice_attr(struct ttg_slice layout)
{
    mlir::Attribute parent = unwrap(layout.parent);
    mlir::MLIRContext *context = parent.getContext();
    return wrap(
        mlir::Attribute(SliceAttr::getChecked(errorIn(context), context, layout.dim, parent)));
}

bool ttg_slice_read(MlirAttribute attribute, struct ttg_slice *out)
{
    auto layout = llvm::dyn_cast_or_null<SliceAttr>(unwrap(attribute));
    if (!layout)
        return false;
    *out = {layout.getDim(), wrap(layout.getParent())};
    return true;
}

MlirAttribute ttg_mma_attr(MlirContext handle, struct ttg_mma layout)
{
    constexpr unsigned major = 2, minor = 0;
    static constexpr unsigned instruction[] = {16, 8};
    mlir::MLIRContext *context = unwrap(handle);
    return wrap(mlir::Attribute(NvidiaMmaAttr::getChecked(errorIn(context), context, major, minor,
        llvm::ArrayRef<unsigned>(layout.warps_per_cta), llvm::ArrayRef<unsigned>(instruction))));
}

bool ttg_mma_read(MlirAttribute attribute, struct ttg_mma *out)
{
    auto layout = llvm::dyn_cast_or_null<NvidiaMmaAttr>(unwrap(attribute));
    if (!layout)
        return false;
    *out = {{layout.getWarpsPerCTA()[0], layout.getWarpsPerCTA()[1]}};
    return true;
}

MlirAttribute ttg_dot_operand_attr(struct ttg_dot_operand layout)
{
    mlir::Attribute parent = unwrap(layout.parent);
    mlir::MLIRContext *context = parent.getContext();
    unsigned width = llvm::isa<NvidiaMmaAttr>(parent) ? 2 : 0;
    return wrap(mlir::Attribute(
        DotOperandAttr::getChecked(errorIn(context), context, layout.index, parent, width)));
}

bool ttg_dot_operand_read(MlirAttribute attribute, struct ttg_dot_operand *out)
{
    auto layout = llvm::dyn_cast_or_null<DotOperandAttr>(unwrap(attribute));
    if (!layout)
        return false;
    *out = {layout.getOpIdx(), wrap(layout.getParent())};
    return true;
}

MlirAttribute ttg_swizzled_shared_attr(MlirContext handle, const struct ttg_swizzled_shared *layout)
{
    mlir::MLIRContext *context = unwrap(handle);
    llvm::ArrayRef<unsigned> order(layout->order, layout->rank);
    return wrap(mlir::Attribute(SwizzledSharedAttr::getChecked(
        errorIn(context), context, layout->vec, layout->per_phase, layout->max_phase, order)));
}

bool ttg_swizzled_shared_read(MlirAttribute attribute, struct ttg_swizzled_shared *out)
{
    auto layout = llvm::dyn_cast_or_null<SwizzledSharedAttr>(unwrap(attribute));
    if (!layout)
        return false;
    *out = {layout.getVec(), layout.getPerPhase(), layout.getMaxPhase(), layout.getRank(),
        layout.getOrder().data()};
    return true;
}

MlirType ttg_memory_type(const struct ttg_memory *memory)
{
    mlir::Attribute encoding = unwrap(memory->encoding);
    mlir::MLIRContext *context = encoding.getContext();
    return wrap(mlir::Type(MemDescType::getChecked(errorIn(context), context,
        llvm::ArrayRef<int64_t>(memory->shape, memory->rank), unwrap(memory->element), encoding,
        mlir::Attribute(SharedMemoryAttr::get(context)), memory->is_mutable,
        llvm::ArrayRef<int64_t>(memory->whole, memory->rank))));
}

bool ttg_memory_read(MlirType handle, struct ttg_memory *out)
{
    auto type = llvm::dyn_cast<MemDescType>(unwrap(handle));
    if (!type)
        return false;
    *out = {static_cast<unsigned>(type.getShape().size()), type.getShape().data(),
        type.getAllocShape().take_back(type.getShape().size()).data(), wrap(type.getElementType()),
        wrap(type.getEncoding()), type.getMutableMemory()};
    return true;
}

MlirType ttg_token_type(MlirContext context)
{
    return wrap(mlir::Type(AsyncTokenType::get(unwrap(context))));
}

bool ttg_type_is_token(MlirType type)
{
    return llvm::isa<AsyncTokenType>(unwrap(type));
}

unsigned ttg_layout_rank(MlirAttribute attribute)
{
    return teeny::ttg::layoutRank(unwrap(attribute)).value_or(0);
}
