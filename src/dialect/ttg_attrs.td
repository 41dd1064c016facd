// Layouts: which thread holds which element of a tile.

#ifndef TEENY_TTG_ATTRS_TD
#define TEENY_TTG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "ttg_dialect.td"

class TTG_Attr<string name, string mnemonicText> : AttrDef<TTG_Dialect, name> {
    let mnemonic = mnemonicText;
    let genVerifyDecl = 1;
}

// One unsigned number a dimension, written `[4, 8]`.
class TTG_PerDimension<string what> : ArrayRefParameter<"unsigned", what> {
    let parser = "::teeny::ttg::parsePerDimension($_parser)";
    let printer = "::teeny::ttg::printPerDimension($_printer, $_self)";
}

def TTG_Dimension : AttrParameter<"unsigned", "a dimension"> {
    let parser = "::teeny::ttg::parseUnsigned($_parser)";
}

def TTG_BlockedAttr : TTG_Attr<"Blocked", "blocked"> {
    let summary = "Each thread holds a small block of neighbouring elements";
    let description = [{
        A thread holds `sizePerThread` neighbouring elements, `threadsPerWarp` threads stand side by
        side, then `warpsPerCTA` warps. `order` lists the dimensions from the fastest-varying one on:
        thread and warp numbers count along it. A tile larger than that is covered by repeating
        the pattern, a smaller one is held several times over.

        ```
        sizePerThread = [1, 2], threadsPerWarp = [2, 2], warpsPerCTA = [2, 1], order = [1, 0]

        T0 T0 T1 T1      warp 0
        T2 T2 T3 T3
        T4 T4 T5 T5      warp 1
        T6 T6 T7 T7
        ```

        Example:

        ```mlir
        #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
        ```
    }];

    let parameters = (ins
        TTG_PerDimension<"neighbouring elements a thread">:$sizePerThread,
        TTG_PerDimension<"threads a warp">:$threadsPerWarp,
        TTG_PerDimension<"warps a program">:$warpsPerCTA,
        TTG_PerDimension<"dimensions, the fastest-varying first">:$order);
    let assemblyFormat = "`<` `{` struct(params) `}` `>`";
    let extraClassDeclaration = [{
        unsigned getRank() const { return getOrder().size(); }
    }];
}

def TTG_SliceAttr : TTG_Attr<"Slice", "slice"> {
    let summary = "What is left of a layout when one dimension is taken away";
    let description = [{
        An element lives wherever the parent layout keeps any element that differs from it in
        dimension `dim` alone: so the result of a reduction, or an operand about to get a new
        dimension, lies where its parent's elements lie.

        Example:

        ```mlir
        #ttg.slice<{dim = 1, parent = #blocked}>
        ```
    }];

    let parameters = (ins TTG_Dimension:$dim, "::mlir::Attribute":$parent);
    let assemblyFormat = "`<` `{` struct(params) `}` `>`";
    let extraClassDeclaration = [{
        unsigned getRank() const;
    }];
}

def TTG_NvidiaMmaAttr : TTG_Attr<"NvidiaMma", "nvidia_mma"> {
    let summary = "The result of a tensor core's instruction";
    let description = [{
        Version 2 is mma.sync m16n8: `instrShape` is [16, 8]. Lane 4 r + c of a warp holds elements
        (r, 2c), (r, 2c + 1), (r + 8, 2c), (r + 8, 2c + 1) of each 16x8; warps stand as
        `warpsPerCTA` says, the last dimension fastest, and a larger tile repeats the pattern.

        Example:

        ```mlir
        #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
        ```
    }];

    let parameters = (ins
        TTG_Dimension:$versionMajor,
        TTG_Dimension:$versionMinor,
        TTG_PerDimension<"warps a program">:$warpsPerCTA,
        TTG_PerDimension<"the instruction's tile">:$instrShape);
    let assemblyFormat = "`<` `{` struct(params) `}` `>`";
    let extraClassDeclaration = [{
        unsigned getRank() const { return getWarpsPerCTA().size(); }
    }];
}

def TTG_DotOperandAttr : TTG_Attr<"DotOperand", "dot_op"> {
    let summary = "A factor of a product, where the result has the parent's layout";
    let description = [{
        Each thread holds what it multiplies: factor `opIdx`, 0 or 1, seen from the `parent`. For an
        mma, `kWidth` is how many neighbours along the inner dimension share a register; for a
        blocked parent, whose threads hold all of the inner dimension, it is left out.

        Example:

        ```mlir
        #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
        ```
    }];

    let parameters = (ins
        TTG_Dimension:$opIdx,
        "::mlir::Attribute":$parent,
        DefaultValuedParameter<"unsigned", "0">:$kWidth);
    let assemblyFormat = "`<` `{` struct(params) `}` `>`";
    let extraClassDeclaration = [{
        unsigned getRank() const;
    }];
}

def TTG_SwizzledSharedAttr : TTG_Attr<"SwizzledShared", "swizzled_shared"> {
    let summary = "A tile in shared memory, with its rows swizzled";
    let description = [{
        Along the fastest-varying dimension of `order`, groups of `vec` elements change places: group
        g of row r lies where group g ^ ((r / perPhase) % maxPhase) would. Rows are those of the next
        dimension of `order`; with maxPhase = 1 nothing changes places.

        Example:

        ```mlir
        #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
        ```
    }];

    let parameters = (ins
        TTG_Dimension:$vec,
        TTG_Dimension:$perPhase,
        TTG_Dimension:$maxPhase,
        TTG_PerDimension<"dimensions, the fastest-varying first">:$order);
    let assemblyFormat = "`<` `{` struct(params) `}` `>`";
    let extraClassDeclaration = [{
        unsigned getRank() const { return getOrder().size(); }
    }];
}

def TTG_SharedMemoryAttr : AttrDef<TTG_Dialect, "SharedMemory"> {
    let mnemonic = "shared_memory";
    let summary = "The memory that the threads of one program share";
    let description = [{
        Where a !ttg.memdesc points.

        Example:

        ```mlir
        #smem = #ttg.shared_memory
        ```
    }];
}

#endif // TEENY_TTG_ATTRS_TD
