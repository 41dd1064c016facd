// Arithmetic whose arith or math counterpart is allowed to be less exact: Triton compiles
// arith.divf and math.sqrt on f32 to fast approximations.

#ifndef TEENY_TT_OPS_MATH_TD
#define TEENY_TT_OPS_MATH_TD

include "tt_ops_base.td"

class TT_PreciseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([
          TT_SameElementType, TT_Elementwise, TT_InferType<"result", "x", "$_self">
      ], traits)>;

def TT_PreciseDivFOp : TT_PreciseOp<"precise_divf", [TT_InferType<"y", "x", "$_self">]> {
    let summary = "IEEE division";
    let description = [{
        The correctly rounded quotient, to nearest even, subnormals kept.

        Example:

        ```mlir
        %q = tt.precise_divf %x, %y : tensor<1024xf32>
        ```
    }];

    let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
    let results = (outs TT_FloatLike:$result);
    let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def TT_PreciseSqrtOp : TT_PreciseOp<"precise_sqrt"> {
    let summary = "IEEE square root";
    let description = [{
        The correctly rounded root, to nearest even, subnormals kept.

        Example:

        ```mlir
        %r = tt.precise_sqrt %x : tensor<1024xf32>
        ```
    }];

    let arguments = (ins TT_FloatLike:$x);
    let results = (outs TT_FloatLike:$result);
    let assemblyFormat = "$x attr-dict `:` type($x)";
}

#endif // TEENY_TT_OPS_MATH_TD
