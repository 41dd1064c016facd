// The tt dialect: what a kernel computes, tile by tile, before any thread is assigned.
// Needs MLIR's OpBase; every other tt_*.td file includes this one.

#ifndef TEENY_TT_DIALECT_TD
#define TEENY_TT_DIALECT_TD

include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
    let name = "tt";
    let cppNamespace = "::teeny::tt";
    let summary = "Block-level (tile) kernels";
    let description = [{
        A value is a scalar, a pointer, or a tile: a ranked tensor whose element count is a power of
        two. One function describes the work of one program of the grid. Names, operand order and
        textual form are those of Triton 3.6, so that its .ttir is read here and ours is read there.
    }];

    // arith.constant holds every constant that a fold of this dialect produces; inlining a function
    // of several blocks makes branches.
    let hasConstantMaterializer = 1;
    let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
    let useDefaultTypePrinterParser = 1;

    // What a launcher checked on an argument is a positive count; zero would divide somewhere.
    let hasRegionArgAttrVerify = 1;
    let extraClassDeclaration = [{
        static constexpr ::llvm::StringLiteral divisibilityName = "tt.divisibility";
    }];
}

#endif // TEENY_TT_DIALECT_TD
