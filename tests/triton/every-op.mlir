// One kernel with every operation of tt that we print, in every form: Triton compiles it to PTX.
// REQUIRES: triton
// RUN: teeny-opt %s > %t.ttir
// RUN: %accept %t.ttir | FileCheck %s
// RUN: teeny-opt %s --generic > %t.generic.ttir
// RUN: %accept %t.generic.ttir | FileCheck %s

// CHECK: accepted {{.*}}: every_op

// (Its path from .ttir on has no inliner: a callee with tiles would stay as it is and fail there.)
tt.func private @inverse(%x: f32) -> f32 attributes {noinline = true} {
    %one = arith.constant 1.0 : f32
    %0 = tt.precise_divf %one, %x : f32
    tt.return %0 : f32
}

tt.func public @every_op(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f8E4M3FN>, %r: !tt.ptr<i32>, %n: i32) attributes {noinline = false} {
    // Scalars.
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %z = tt.get_num_programs z : i32
    %xy = arith.addi %x, %y : i32
    %place = arith.addi %xy, %z : i32
    %slot = tt.addptr %r, %place : !tt.ptr<i32>, i32
    %count = tt.load %slot : !tt.ptr<i32>
    %positive = arith.cmpi sgt, %count, %n : i32
    %more = tt.load %slot, %positive, %n {isVolatile = true} : !tt.ptr<i32>
    tt.store %slot, %more, %positive : !tt.ptr<i32>
    %float = arith.sitofp %count : i32 to f32
    %root = tt.precise_sqrt %float : f32

    // Pointers as numbers.
    %address = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    %again = tt.int_to_ptr %address : i64 -> !tt.ptr<i32>
    %base = tt.bitcast %again : !tt.ptr<i32> -> !tt.ptr<f32>

    // Tiles of rank 1; loads and stores with modifiers. (PTX takes a cache modifier or an eviction
    // policy, not both.)
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %limit = tt.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %i, %limit : tensor<64xi32>
    %bases = tt.splat %base : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %at = tt.addptr %bases, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %none = arith.constant dense<0.0> : tensor<64xf32>
    %a = tt.load %at, %mask, %none evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
    %b = tt.load %at, %mask cacheModifier = cg : tensor<64x!tt.ptr<f32>>
    %inverse = tt.call @inverse(%root) : (f32) -> f32
    %factor = tt.splat %inverse : f32 -> tensor<64xf32>
    %c = tt.precise_divf %a, %factor : tensor<64xf32>
    %bits = tt.bitcast %b : tensor<64xf32> -> tensor<64xi32>
    %d = arith.sitofp %bits : tensor<64xi32> to tensor<64xf32>
    %e = arith.addf %c, %d : tensor<64xf32>
    %narrow = tt.fp_to_fp %e, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>
    %half = tt.fp_to_fp %narrow : tensor<64xf8E4M3FN> -> tensor<64xf16>
    %toward = tt.fp_to_fp %e, rounding = rtz : tensor<64xf32> -> tensor<64xbf16>
    %halves = arith.extf %half : tensor<64xf16> to tensor<64xf32>
    %towards = arith.extf %toward : tensor<64xbf16> to tensor<64xf32>
    %f = arith.mulf %halves, %towards : tensor<64xf32>
    tt.store %at, %f, %mask evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
    tt.store %at, %e cacheModifier = cs : tensor<64x!tt.ptr<f32>>
    %q64 = tt.splat %q : !tt.ptr<f8E4M3FN> -> tensor<64x!tt.ptr<f8E4M3FN>>
    %qat = tt.addptr %q64, %i : tensor<64x!tt.ptr<f8E4M3FN>>, tensor<64xi32>
    tt.store %qat, %narrow, %mask cacheModifier = wt : tensor<64x!tt.ptr<f8E4M3FN>>

    // Shapes.
    %square = tt.reshape %f : tensor<64xf32> -> tensor<8x8xf32>
    %turned = tt.trans %square {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
    %any = tt.reshape %turned allow_reorder : tensor<8x8xf32> -> tensor<4x16xf32>
    %kept = tt.reshape %any allow_reorder efficient_layout : tensor<4x16xf32> -> tensor<8x8xf32>
    %e8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %column = tt.expand_dims %e8 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %plane = tt.broadcast %column : tensor<8x1xi32> -> tensor<8x8xi32>

    // Reductions, of one tile and of two together.
    %sums = "tt.reduce"(%kept) <{axis = 1 : i32}> ({
    ^bb0(%u: f32, %v: f32):
        %w = arith.addf %u, %v : f32
        tt.reduce.return %w : f32
    }) : (tensor<8x8xf32>) -> tensor<8xf32>
    %best:2 = "tt.reduce"(%turned, %plane) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %ui: i32, %v: f32, %vi: i32):
        %greater = arith.cmpf ogt, %u, %v : f32
        %w = arith.select %greater, %u, %v : f32
        %wi = arith.select %greater, %ui, %vi : i32
        tt.reduce.return %w, %wi : f32, i32
    }) : (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    %total = "tt.reduce"(%sums) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
        %w = arith.addf %u, %v : f32
        tt.reduce.return %w : f32
    }) : (tensor<8xf32>) -> f32
    tt.store %p, %total : !tt.ptr<f32>
    %r8 = tt.splat %r : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %rat = tt.addptr %r8, %e8 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    tt.store %rat, %best#1 : tensor<8x!tt.ptr<i32>>
    %p8 = tt.splat %p : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %pat = tt.addptr %p8, %e8 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.store %pat, %best#0 : tensor<8x!tt.ptr<f32>>
    tt.return
}
