// Checks that many operations of tt and ttg share, in the form that ODS wants them: a trait an
// operation, whose body is one function of tt_traits.cpp.

#ifndef TEENY_DIALECT_TT_TRAITS_HPP
#define TEENY_DIALECT_TT_TRAITS_HPP

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace teeny::tt
{

namespace detail
{
llvm::LogicalResult verifyTilesAreValid(mlir::Operation *op);
llvm::LogicalResult verifySameShapeAndLayout(mlir::Operation *op);
llvm::LogicalResult verifySameElementType(mlir::Operation *op);
} // namespace detail

template <typename Op> struct TilesAreValid : mlir::OpTrait::TraitBase<Op, TilesAreValid> {
    static llvm::LogicalResult verifyTrait(mlir::Operation *op)
    {
        return detail::verifyTilesAreValid(op);
    }
};

template <typename Op>
struct SameShapeAndLayout : mlir::OpTrait::TraitBase<Op, SameShapeAndLayout> {
    static llvm::LogicalResult verifyTrait(mlir::Operation *op)
    {
        return detail::verifySameShapeAndLayout(op);
    }
};

template <typename Op> struct SameElementType : mlir::OpTrait::TraitBase<Op, SameElementType> {
    static llvm::LogicalResult verifyTrait(mlir::Operation *op)
    {
        return detail::verifySameElementType(op);
    }
};

// The effect resource behind every pointer argument of a kernel.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
    llvm::StringRef getName() final
    {
        return "<tt global memory>";
    }
};

} // namespace teeny::tt

#endif // TEENY_DIALECT_TT_TRAITS_HPP
