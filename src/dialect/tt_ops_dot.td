// The matrix product.

#ifndef TEENY_TT_OPS_DOT_TD
#define TEENY_TT_OPS_DOT_TD

include "tt_ops_base.td"

def TT_DotOp : TT_Op<"dot", [Pure, TT_InferType<"c", "d", "$_self">]> {
    let summary = "Adds the product of two matrices to a third";
    let description = [{
        `d = a b + c` for tiles of MxK, KxN and MxN, or for as many of them as a first dimension
        says. f32 factors are taken as they are (`ieee`), cut to tf32 (`tf32`), or made of three tf32
        parts (`tf32x3`). `maxNumImpreciseAcc` bounds how many products of 8-bit floats may be summed
        in less than f32.

        Example:

        ```mlir
        %d = tt.dot %a, %b, %c, inputPrecision = tf32
            : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
        ```
    }];

    let arguments = (ins
        TT_Tile:$a,
        TT_Tile:$b,
        TT_Tile:$c,
        DefaultValuedAttr<TT_InputPrecisionAttr, "::teeny::tt::InputPrecision::IEEE">
            :$inputPrecision,
        DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
    let results = (outs TT_Tile:$d);
    let assemblyFormat = [{
        $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
        type($a) `*` type($b) `->` type($d)
    }];
    let hasVerifier = 1;
}

#endif // TEENY_TT_OPS_DOT_TD
