// Types of the tt dialect, and the operand classes that its operations are declared with.
// A name ending in Like admits a scalar or a tile of such scalars.

#ifndef TEENY_TT_TYPES_TD
#define TEENY_TT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tt_dialect.td"

def TT_PointerType : TypeDef<TT_Dialect, "Pointer"> {
    let mnemonic = "ptr";
    let summary = "A pointer to a scalar";
    let description = [{
        `!tt.ptr<T>` points to global memory (address space 1); another space is written after the
        pointee: `!tt.ptr<f32, 3>`.
    }];

    let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
    let builders = [
        TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType,
                                            CArg<"int", "1">:$addressSpace), [{
            return $_get(pointeeType.getContext(), pointeeType, addressSpace);
        }]>
    ];
    let skipDefaultBuilders = 1;
    let hasCustomAssemblyFormat = 1;
    let genVerifyDecl = 1;
}

def TT_Float : AnyTypeOf<[F8E4M3FN, F8E5M2, F16, BF16, F32, F64], "a floating-point scalar">;
def TT_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "an integer scalar">;
def TT_Pointer : Type<CPred<"::llvm::isa<::teeny::tt::PointerType>($_self)">, "a pointer",
                      "::teeny::tt::PointerType">;

class TT_TileOf<list<Type> elements, string what> : RankedTensorOf<elements> {
    let summary = what;
}

def TT_FloatTile : TT_TileOf<[TT_Float], "a floating-point tile">;
def TT_IntTile : TT_TileOf<[TT_Int], "an integer tile">;
def TT_I32Tile : TT_TileOf<[I32], "an i32 tile">;
def TT_PointerTile : TT_TileOf<[TT_Pointer], "a tile of pointers">;
def TT_Tile : TT_TileOf<[TT_Float, TT_Int, TT_Pointer], "a tile">;

def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTile], "a floating-point scalar or tile">;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTile], "an integer scalar or tile">;
def TT_I1Like : AnyTypeOf<[I1, TT_TileOf<[I1], "an i1 tile">], "an i1 scalar or tile">;
def TT_I64Like : AnyTypeOf<[I64, TT_TileOf<[I64], "an i64 tile">], "an i64 scalar or tile">;
def TT_PointerLike : AnyTypeOf<[TT_Pointer, TT_PointerTile], "a pointer or a tile of pointers">;
def TT_Value : AnyTypeOf<[TT_Float, TT_Int, TT_Pointer, TT_Tile],
                         "a number, a pointer, or a tile of them">;

#endif // TEENY_TT_TYPES_TD
