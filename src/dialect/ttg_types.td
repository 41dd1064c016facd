// Types of the ttg dialect: tiles in shared memory, and tokens of asynchronous copies.

#ifndef TEENY_TTG_TYPES_TD
#define TEENY_TTG_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "ttg_attrs.td"
include "tt_types.td"

class TTG_Type<string name, string mnemonicText> : TypeDef<TTG_Dialect, name> {
    let mnemonic = mnemonicText;
}

def TTG_MemDescType : TTG_Type<"MemDesc", "memdesc"> {
    let summary = "A tile in shared memory";
    let description = [{
        Says where a tile lies, and how: `encoding` is #ttg.swizzled_shared over the last dimensions;
        dimensions before those count whole tiles, one behind the other. A `mutable` one may be
        written after it was made. A part of a tile ends with the shape of the whole one, which its
        encoding speaks about.

        Example:

        ```mlir
        !ttg.memdesc<128x64xf16, #shared, #smem>
        !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
        !ttg.memdesc<128x16xf16, #shared, #smem, mutable, 128x64>
        ```
    }];

    let parameters = (ins
        ArrayRefParameter<"int64_t", "dimensions">:$shape,
        "::mlir::Type":$elementType,
        "::mlir::Attribute":$encoding,
        "::mlir::Attribute":$memorySpace,
        "bool":$mutableMemory,
        ArrayRefParameter<"int64_t", "dimensions of the whole tile">:$allocShape);
    let hasCustomAssemblyFormat = 1;
    let genVerifyDecl = 1;
}

def TTG_AsyncTokenType : TTG_Type<"AsyncToken", "async.token"> {
    let summary = "Stands for asynchronous copies, in the order that values give";
}

def TTG_MemDesc : Type<CPred<"::llvm::isa<::teeny::ttg::MemDescType>($_self)">,
                       "a tile in shared memory", "::teeny::ttg::MemDescType">;
def TTG_AsyncToken : Type<CPred<"::llvm::isa<::teeny::ttg::AsyncTokenType>($_self)">,
                          "a token of asynchronous copies", "::teeny::ttg::AsyncTokenType">,
                     BuildableType<"$_builder.getType<::teeny::ttg::AsyncTokenType>()">;

#endif // TEENY_TTG_TYPES_TD
