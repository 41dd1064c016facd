// Operations that make a tile or rearrange one, without computing on its elements.

#ifndef TEENY_TT_OPS_SHAPE_TD
#define TEENY_TT_OPS_SHAPE_TD

include "tt_ops_base.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
    let summary = "The integers from start up to, and not including, end";
    let description = [{
        Both bounds are signed. The tile is one-dimensional and has end - start elements.

        Example:

        ```mlir
        %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
        ```
    }];

    let arguments = (ins I32Attr:$start, I32Attr:$end);
    let results = (outs TT_I32Tile:$result);
    let assemblyFormat = "attr-dict `:` type($result)";
    let hasFolder = 1;
    let hasVerifier = 1;
}

def TT_SplatOp : TT_Op<"splat", [Pure]> {
    let summary = "A tile whose every element is one scalar";
    let description = [{
        Example:

        ```mlir
        %t = tt.splat %s : f32 -> tensor<128x64xf32>
        ```
    }];

    let arguments = (ins AnyTypeOf<[TT_Float, TT_Int, TT_Pointer], "a scalar or a pointer">:$src);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasFolder = 1;
    let hasVerifier = 1;
}

#endif // TEENY_TT_OPS_SHAPE_TD
