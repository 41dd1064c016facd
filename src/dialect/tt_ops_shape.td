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

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure, TT_InferInCode]> {
    let summary = "Inserts a dimension of size 1";
    let description = [{
        `axis` is the new dimension's place in the result. Of a layout, the source has the slice
        along that dimension.

        Example:

        ```mlir
        %c = tt.expand_dims %x {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
        ```
    }];

    let arguments = (ins TT_Tile:$src, I32Attr:$axis);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasCanonicalizeMethod = 1;
    let hasFolder = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure]> {
    let summary = "Repeats a tile along its dimensions of size 1";
    let description = [{
        Rank and layout stay; a dimension of another size than 1 keeps its size.

        Example:

        ```mlir
        %m = tt.broadcast %c : tensor<128x1xi32> -> tensor<128x64xi32>
        ```
    }];

    let arguments = (ins TT_Tile:$src);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasCanonicalizeMethod = 1;
    let hasFolder = 1;
    let hasVerifier = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
    let summary = "The same elements, in row-major order, in another shape";
    let description = [{
        With `allow_reorder` the elements may come in any order, for uses that do not care.
        `efficient_layout` marks a result layout that was chosen with care and should stay.

        Example:

        ```mlir
        %r = tt.reshape %x : tensor<256xf32> -> tensor<16x16xf32>
        %s = tt.reshape %x allow_reorder : tensor<256xf32> -> tensor<16x16xf32>
        ```
    }];

    let arguments = (ins TT_Tile:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = [{
        $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)?
        attr-dict `:` type($src) `->` type($result)
    }];
    let hasCanonicalizeMethod = 1;
    let hasFolder = 1;
    let hasVerifier = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure, TT_InferInCode]> {
    let summary = "Rearranges the dimensions of a tile";
    let description = [{
        Dimension i of the result is dimension `order[i]` of the source. The layout is rearranged
        along, so no element moves between threads.

        Example:

        ```mlir
        %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
        ```
    }];

    let arguments = (ins TT_Tile:$src, DenseI32ArrayAttr:$order);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasFolder = 1;
}

#endif // TEENY_TT_OPS_SHAPE_TD
