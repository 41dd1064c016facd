// The ttg dialect: where the elements of a tile live on a GPU, and how they move.
// Needs MLIR's OpBase; every other ttg_*.td file includes this one.

#ifndef TEENY_TTG_DIALECT_TD
#define TEENY_TTG_DIALECT_TD

include "mlir/IR/OpBase.td"

def TTG_Dialect : Dialect {
    let name = "ttg";
    let cppNamespace = "::teeny::ttg";
    let summary = "Tiles spread over the threads of a program";
    let description = [{
        A tile gets a layout, which is the encoding of its tensor type: it says which thread's
        registers hold which elements. The module's attributes say how many threads there are:
        `ttg.num-warps`, `ttg.threads-per-warp`, `ttg.num-ctas`, and `ttg.target`, the chip.
    }];

    let extraClassDeclaration = [{
        static constexpr ::llvm::StringLiteral numWarpsName = "ttg.num-warps";
        static constexpr ::llvm::StringLiteral threadsPerWarpName = "ttg.threads-per-warp";
        static constexpr ::llvm::StringLiteral numCTAsName = "ttg.num-ctas";
        static constexpr ::llvm::StringLiteral targetName = "ttg.target";
    }];

    let dependentDialects = ["::teeny::tt::TTDialect"];
    let useDefaultAttributePrinterParser = 1;
    let useDefaultTypePrinterParser = 1;
    let hasConstantMaterializer = 1;
    let hasOperationAttrVerify = 1;
}

#endif // TEENY_TTG_DIALECT_TD
