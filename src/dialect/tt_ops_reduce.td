// Reductions.

#ifndef TEENY_TT_OPS_REDUCE_TD
#define TEENY_TT_OPS_REDUCE_TD

include "tt_ops_base.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TT_ReduceOp : TT_Op<"reduce", [
    NoMemoryEffect, RecursivelySpeculatable, TT_InferInCode
]> {
    let summary = "Combines the elements of tiles along one dimension";
    let description = [{
        Reduces n tiles of one shape together. The region combines two groups of n elements: its
        first n arguments are one group, the last n the other, and `tt.reduce.return` hands back
        the n combined ones. The combination must be associative and commutative, since the order
        is unspecified. A tile of rank 1 reduces to a scalar. The region may hold loops and
        conditions; once they are branches it has several blocks.

        Example:

        ```mlir
        %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
        ^bb0(%a: f32, %b: f32):
            %c = arith.addf %a, %b : f32
            tt.reduce.return %c : f32
        }) : (tensor<128x64xf32>) -> tensor<128xf32>
        ```
    }];

    let arguments = (ins Variadic<TT_Tile>:$srcs, I32Attr:$axis);
    let results = (outs Variadic<TT_Value>:$result);
    let regions = (region MinSizedRegion<1>:$combineOp);
    let hasRegionVerifier = 1;
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [
    Pure, HasParent<"ReduceOp">, ReturnLike, Terminator
]> {
    let summary = "Ends the region of tt.reduce";
    let description = [{
        Hands back one combined element for each tile that is reduced.

        Example:

        ```mlir
        tt.reduce.return %c : f32
        ```
    }];

    let arguments = (ins Variadic<AnyType>:$result);
    let assemblyFormat = "$result attr-dict `:` type($result)";
}

#endif // TEENY_TT_OPS_REDUCE_TD
