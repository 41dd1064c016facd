// Tiles in shared memory: allocation, access, views, asynchronous copies.

#ifndef TEENY_TTG_OPS_SHARED_TD
#define TEENY_TTG_OPS_SHARED_TD

include "ttg_ops.td"
include "ttg_types.td"

def TTG_SharedMemory : Resource<"::teeny::ttg::SharedMemory">;

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>
]> {
    let summary = "Shared memory for a tile";
    let description = [{
        With an operand, the memory holds that tile. Without, nothing was written yet, and the memory
        is mutable. It lasts as long as somebody uses it; ttg.local_dealloc is a use.

        Example:

        ```mlir
        %m = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
        %n = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
        ```
    }];

    let arguments = (ins Optional<TT_Tile>:$src, OptionalAttr<I32Attr>:$alignment);
    let results = (outs TTG_MemDesc:$result);
    let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
    let hasVerifier = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc", [MemoryEffects<[MemFree<TTG_SharedMemory>]>]> {
    let summary = "The end of a tile in shared memory";
    let description = [{
        Example:

        ```mlir
        ttg.local_dealloc %m : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
        ```
    }];

    let arguments = (ins TTG_MemDesc:$src);
    let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

def TTG_LocalLoadOp : TTG_Op<"local_load", [MemoryEffects<[MemRead<TTG_SharedMemory>]>]> {
    let summary = "Reads a tile from shared memory";
    let description = [{
        `token` says which copies it follows; it must be that of a ttg.async_wait.

        Example:

        ```mlir
        %x = ttg.local_load %m token %t
            : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf16, #blocked>
        ```
    }];

    let arguments = (ins TTG_MemDesc:$src, Optional<TTG_AsyncToken>:$token);
    let results = (outs TT_Tile:$result);
    let assemblyFormat = [{
        $src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)
    }];
    let hasVerifier = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store", [MemoryEffects<[MemWrite<TTG_SharedMemory>]>]> {
    let summary = "Writes a tile to shared memory";
    let description = [{
        Example:

        ```mlir
        ttg.local_store %x, %m
            : tensor<128x64xf16, #blocked> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ```
    }];

    let arguments = (ins TT_Tile:$src, TTG_MemDesc:$dst);
    let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
    let hasVerifier = 1;
}

def TTG_MemDescIndexOp : TTG_Op<"memdesc_index", [Pure]> {
    let summary = "One of several tiles in shared memory";
    let description = [{
        The first dimension is taken away.

        Example:

        ```mlir
        %m = ttg.memdesc_index %ring[%i]
            : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ```
    }];

    let arguments = (ins TTG_MemDesc:$src, I32:$index);
    let results = (outs TTG_MemDesc:$result);
    let assemblyFormat = [{
        $src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
    }];
    let hasVerifier = 1;
}

def TTG_MemDescSubsliceOp : TTG_Op<"memdesc_subslice", [Pure]> {
    let summary = "A part of a tile in shared memory";
    let description = [{
        The part starts at `offsets`, multiples of its own dimensions.

        Example:

        ```mlir
        %part = ttg.memdesc_subslice %m[0, 16]
            : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<128x16xf16, #shared, #smem, 128x64>
        ```
    }];

    let arguments = (ins TTG_MemDesc:$src, DenseI32ArrayAttr:$offsets);
    let results = (outs TTG_MemDesc:$result);
    let assemblyFormat = [{
        $src custom<Offsets>($offsets) attr-dict `:` qualified(type($src)) `->`
        qualified(type($result))
    }];
    let hasVerifier = 1;
}

def TTG_MemDescTransOp : TTG_Op<"memdesc_trans", [Pure]> {
    let summary = "A tile in shared memory with its dimensions in another order";
    let description = [{
        Nothing moves: dimension i of the result is dimension order[i] of the source, and the
        encoding's order changes likewise.

        Example:

        ```mlir
        %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>}
            : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x128xf16, #shared1, #smem>
        ```
    }];

    let arguments = (ins TTG_MemDesc:$src, DenseI32ArrayAttr:$order);
    let results = (outs TTG_MemDesc:$result);
    let assemblyFormat = [{
        $src attr-dict `:` qualified(type($src)) `->` qualified(type($result))
    }];
    let hasVerifier = 1;
}

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    TT_InferType<"mask", "src", "::teeny::tt::maskTypeOf($_self)">,
    TT_InferType<"other", "src", "::teeny::tt::pointeeTypeOf($_self)">
]> {
    let summary = "Begins to copy a tile from global to shared memory";
    let description = [{
        The copy belongs to the group that the next ttg.async_commit_group ends, and is there after
        a ttg.async_wait for that group. Where the mask is false nothing is read, and `other`, or 0
        without it, is written. `contiguity` is how many neighbours may be copied at once; what
        teeny proves itself decides.

        Example:

        ```mlir
        %t = ttg.async_copy_global_to_local %p, %m mask %inside
            : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
        ```
    }];

    let arguments = (ins
        TT_PointerTile:$src,
        TTG_MemDesc:$result,
        Optional<TT_I1Like>:$mask,
        Optional<TT_Value>:$other,
        DefaultValuedAttr<TT_CacheModifierAttr, "::teeny::tt::CacheModifier::None">:$cache,
        DefaultValuedAttr<TT_EvictionPolicyAttr, "::teeny::tt::EvictionPolicy::Normal">:$evict,
        DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
        DefaultValuedAttr<I32Attr, "1">:$contiguity);
    let results = (outs TTG_AsyncToken:$token);
    let assemblyFormat = [{
        $src `,` $result (`mask` $mask^)? (`other` $other^)?
        oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
        attr-dict `:` type($src) `->` type($result)
    }];
    let hasVerifier = 1;
}

// Copies, their groups and the waits for them keep their order: each is said to write.
def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group", [
    MemoryEffects<[MemWrite<TTG_SharedMemory>]>
]> {
    let summary = "Ends a group of asynchronous copies";
    let description = [{
        Example:

        ```mlir
        %group = ttg.async_commit_group tokens %t
        ```
    }];

    let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
    let results = (outs TTG_AsyncToken:$asyncToken);
    let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncWaitOp : TTG_Op<"async_wait", [MemoryEffects<[MemWrite<TTG_SharedMemory>]>]> {
    let summary = "Waits for groups of asynchronous copies";
    let description = [{
        Until at most `num` groups, the last ones, are under way. Tokens say which ones are meant.

        Example:

        ```mlir
        %done = ttg.async_wait %group {num = 1 : i32}
        ```
    }];

    let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
    let results = (outs TTG_AsyncToken:$retToken);
    let assemblyFormat = "($asyncToken^)? attr-dict";
    let hasVerifier = 1;
}

#endif // TEENY_TTG_OPS_SHARED_TD
