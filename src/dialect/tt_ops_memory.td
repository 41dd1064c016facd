// Pointers and memory: pointer arithmetic, loads, stores.

#ifndef TEENY_TT_OPS_MEMORY_TD
#define TEENY_TT_OPS_MEMORY_TD

include "tt_ops_base.td"

def TT_AddPtrOp : TT_Op<"addptr", [
    TT_Elementwise, TT_InferType<"ptr", "result", "$_self">
]> {
    let summary = "Moves a pointer by a signed number of elements";
    let description = [{
        The offset counts elements of the pointee type, not bytes, and is sign-extended.

        Example:

        ```mlir
        %p = tt.addptr %base, %offset : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
        ```
    }];

    let arguments = (ins TT_PointerLike:$ptr, TT_IntLike:$offset);
    let results = (outs TT_PointerLike:$result);
    let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
    let hasFolder = 1;
    let hasVerifier = 1;
}

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_InferType<"result", "ptr", "::teeny::tt::pointeeTypeOf($_self)">,
    TT_InferType<"mask", "ptr", "::teeny::tt::maskTypeOf($_self)">,
    TT_InferType<"other", "ptr", "::teeny::tt::pointeeTypeOf($_self)">
]> {
    let summary = "Reads the value behind a pointer, or one behind each pointer of a tile";
    let description = [{
        Where the mask is false no memory is touched and the result is `other`; without `other`
        that element is unspecified. A volatile load is never removed, merged or moved.

        Triton's `boundaryCheck` and `padding`, which go with its pointers to tiles, do not exist
        here: a view of memory is a descriptor.

        Example:

        ```mlir
        %x = tt.load %p, %mask, %zero : tensor<1024x!tt.ptr<f32>>
        %n = tt.load %q cacheModifier = ca evictionPolicy = evict_last : !tt.ptr<i32>
        ```
    }];

    let arguments = (ins
        TT_PointerLike:$ptr,
        Optional<TT_I1Like>:$mask,
        Optional<TT_Value>:$other,
        DefaultValuedAttr<TT_CacheModifierAttr, "::teeny::tt::CacheModifier::None">:$cache,
        DefaultValuedAttr<TT_EvictionPolicyAttr, "::teeny::tt::EvictionPolicy::Normal">:$evict,
        DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
    let results = (outs TT_Value:$result);
    let assemblyFormat = [{
        $ptr (`,` $mask^)? (`,` $other^)?
        oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
        attr-dict `:` type($ptr)
    }];
    let hasCanonicalizeMethod = 1;
    let hasVerifier = 1;
}

def TT_StoreOp : TT_Op<"store", [
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>,
    TT_InferType<"value", "ptr", "::teeny::tt::pointeeTypeOf($_self)">,
    TT_InferType<"mask", "ptr", "::teeny::tt::maskTypeOf($_self)">
]> {
    let summary = "Writes a value behind a pointer, or a tile behind a tile of pointers";
    let description = [{
        Where the mask is false no memory is touched. Two elements that point to the same place
        leave one of their values there.

        Example:

        ```mlir
        tt.store %p, %x, %mask : tensor<1024x!tt.ptr<f32>>
        ```
    }];

    let arguments = (ins
        TT_PointerLike:$ptr,
        TT_Value:$value,
        Optional<TT_I1Like>:$mask,
        DefaultValuedAttr<TT_CacheModifierAttr, "::teeny::tt::CacheModifier::None">:$cache,
        DefaultValuedAttr<TT_EvictionPolicyAttr, "::teeny::tt::EvictionPolicy::Normal">:$evict);
    let assemblyFormat = [{
        $ptr `,` $value (`,` $mask^)?
        oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
        attr-dict `:` type($ptr)
    }];
    let hasCanonicalizeMethod = 1;
    let hasVerifier = 1;
}

#endif // TEENY_TT_OPS_MEMORY_TD
