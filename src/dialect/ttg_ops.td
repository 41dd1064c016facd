// Operations of the ttg dialect.

#ifndef TEENY_TTG_OPS_TD
#define TEENY_TTG_OPS_TD

include "ttg_attrs.td"
include "tt_ops_base.td"

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, !listconcat([TT_TilesAreValid], traits)>;

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [Pure]> {
    let summary = "The same tile, held by other threads";
    let description = [{
        Shape and elements stay; only the layout differs.

        Example:

        ```mlir
        %y = ttg.convert_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
        ```
    }];

    let arguments = (ins TT_Tile:$src);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
    let hasFolder = 1;
    let hasVerifier = 1;
}

#endif // TEENY_TTG_OPS_TD
