// Conversions that arith has no operation for: pointers, 8-bit floats, chosen rounding.

#ifndef TEENY_TT_OPS_CAST_TD
#define TEENY_TT_OPS_CAST_TD

include "tt_ops_base.td"

def TT_BitcastOp : TT_Op<"bitcast", [TT_Elementwise]> {
    let summary = "The same bits under another type";
    let description = [{
        Between numbers of one width, or between pointers of one address space.

        Example:

        ```mlir
        %i = tt.bitcast %x : tensor<1024xf32> -> tensor<1024xi32>
        %q = tt.bitcast %p : !tt.ptr<i1> -> !tt.ptr<i8>
        ```
    }];

    let arguments = (ins TT_Value:$src);
    let results = (outs TT_Value:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasFolder = 1;
    let hasVerifier = 1;
}

def TT_FpToFpOp : TT_Op<"fp_to_fp", [TT_Elementwise]> {
    let summary = "Converts between floating-point formats";
    let description = [{
        For 8-bit formats, and where the rounding is not that of arith.truncf. A conversion to a
        narrower format says how it rounds: `rtne`, to nearest even, or `rtz`, toward zero.

        Example:

        ```mlir
        %h = tt.fp_to_fp %x, rounding = rtne : tensor<1024xf32> -> tensor<1024xf8E4M3FN>
        %x = tt.fp_to_fp %h : tensor<1024xf8E4M3FN> -> tensor<1024xf32>
        ```
    }];

    let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingModeAttr>:$rounding);
    let results = (outs TT_FloatLike:$result);
    let assemblyFormat = [{
        $src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)
    }];
    let hasFolder = 1;
    let hasVerifier = 1;
}

def TT_PtrToIntOp : TT_Op<"ptr_to_int", [TT_Elementwise]> {
    let summary = "A pointer's address";
    let description = [{
        Example:

        ```mlir
        %a = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
        ```
    }];

    let arguments = (ins TT_PointerLike:$src);
    let results = (outs TT_I64Like:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasFolder = 1;
}

def TT_IntToPtrOp : TT_Op<"int_to_ptr", [TT_Elementwise]> {
    let summary = "The pointer that an address stands for";
    let description = [{
        Example:

        ```mlir
        %p = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
        ```
    }];

    let arguments = (ins TT_I64Like:$src);
    let results = (outs TT_PointerLike:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasFolder = 1;
}

#endif // TEENY_TT_OPS_CAST_TD
