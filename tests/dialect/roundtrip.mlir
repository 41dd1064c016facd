// Every operation of tt and ttg, in every form of its text, is read and printed back.
// RUN: teeny-opt %s | FileCheck %s
// RUN: teeny-opt %s --generic | teeny-opt - | FileCheck %s

// CHECK: #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: #blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>

// CHECK: #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK: #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#tensor_cores = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>

// CHECK: module attributes {"ttg.num-warps" = 4 : i32}
module attributes {"ttg.num-warps" = 4 : i32} {
    // CHECK-LABEL: tt.func private @declared(i32) -> f32
    tt.func private @declared(%x: i32) -> f32

    // CHECK-LABEL: tt.func private @swap(%arg0: i32, %arg1: f32) -> (f32, i32) attributes {noinline = true} {
    // CHECK-NEXT: tt.return %arg1, %arg0 : f32, i32
    tt.func private @swap(%a: i32, %b: f32) -> (f32, i32) attributes {noinline = true} {
        tt.return %b, %a : f32, i32
    }

    // Nothing lies in shared memory yet but what a layout says of it.
    // CHECK-LABEL: tt.func private @swizzled() attributes {layout = #shared}
    tt.func private @swizzled() attributes {layout = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>}

    // CHECK-LABEL: tt.func public @products
    // CHECK-SAME: tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    // CHECK-SAME: tensor<16x8xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    // CHECK-SAME: tensor<16xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.func public @products(%a: tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #tensor_cores, kWidth = 2}>>,
            %b: tensor<16x8xf32, #ttg.dot_op<{opIdx = 1, parent = #rows}>>,
            %c: tensor<16xf32, #ttg.slice<{dim = 1, parent = #tensor_cores}>>) {
        tt.return
    }

    // CHECK-LABEL: tt.func public @calls(%arg0: i32 {tt.divisibility = 16 : i32}, %arg1: f32) {
    tt.func public @calls(%a: i32 {tt.divisibility = 16 : i32}, %b: f32) {
        // CHECK-NEXT: %{{.*}}:2 = tt.call @swap(%arg0, %arg1) : (i32, f32) -> (f32, i32)
        %0:2 = tt.call @swap(%a, %b) : (i32, f32) -> (f32, i32)
        // CHECK-NEXT: tt.call @calls(%arg0, %arg1) : (i32, f32) -> ()
        tt.call @calls(%a, %b) : (i32, f32) -> ()
        // CHECK-NEXT: tt.return
        tt.return
    }

    // CHECK-LABEL: @grid
    tt.func @grid() -> (i32, i32, i32) {
        // CHECK: tt.get_program_id x : i32
        %x = tt.get_program_id x : i32
        // CHECK: tt.get_program_id z : i32
        %z = tt.get_program_id z : i32
        // CHECK: tt.get_num_programs y : i32
        %y = tt.get_num_programs y : i32
        tt.return %x, %y, %z : i32, i32, i32
    }

    // CHECK-LABEL: @pointers
    // CHECK-SAME: (%{{.*}}: !tt.ptr<f32>, %{{.*}}: !tt.ptr<bf16, 3>, %{{.*}}: !tt.ptr<!tt.ptr<i8>>)
    tt.func @pointers(%p: !tt.ptr<f32, 1>, %q: !tt.ptr<bf16, 3>, %r: !tt.ptr<!tt.ptr<i8>>) -> i64 {
        %i = arith.constant 4 : i32
        // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32>, i32
        %0 = tt.addptr %p, %i : !tt.ptr<f32>, i32
        // CHECK: tt.ptr_to_int %{{.*}} : !tt.ptr<f32> -> i64
        %1 = tt.ptr_to_int %0 : !tt.ptr<f32> -> i64
        // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<i32>
        %2 = tt.int_to_ptr %1 : i64 -> !tt.ptr<i32>
        // CHECK: tt.bitcast %{{.*}} : !tt.ptr<i32> -> !tt.ptr<f32>
        %3 = tt.bitcast %2 : !tt.ptr<i32> -> !tt.ptr<f32>
        tt.return %1 : i64
    }

    // CHECK-LABEL: @scalar_memory
    tt.func @scalar_memory(%p: !tt.ptr<i32>, %m: i1, %o: i32) {
        // CHECK: tt.load %{{.*}} : !tt.ptr<i32>
        %0 = tt.load %p : !tt.ptr<i32>
        // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} {isVolatile = true} : !tt.ptr<i32>
        %1 = tt.load %p, %m, %o {isVolatile = true} : !tt.ptr<i32>
        // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
        tt.store %p, %0 : !tt.ptr<i32>
        tt.return
    }

    // CHECK-LABEL: @tile_memory
    tt.func @tile_memory(%p: tensor<64x!tt.ptr<f32>>, %m: tensor<64xi1>, %o: tensor<64xf32>) {
        // CHECK: tt.load %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f32>>
        %0 = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
        // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = ca evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
        %1 = tt.load %p, %m, %o cacheModifier = ca evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
        // CHECK: tt.load %{{.*}} cacheModifier = cg evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
        %2 = tt.load %p evictionPolicy = evict_first cacheModifier = cg : tensor<64x!tt.ptr<f32>>
        // CHECK: tt.load %{{.*}} cacheModifier = cv : tensor<64x!tt.ptr<f32>>
        %3 = tt.load %p cacheModifier = cv : tensor<64x!tt.ptr<f32>>
        // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wt evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
        tt.store %p, %0, %m cacheModifier = wt evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
        // CHECK: tt.store %{{.*}}, %{{.*}} cacheModifier = cs : tensor<64x!tt.ptr<f32>>
        tt.store %p, %1 cacheModifier = cs : tensor<64x!tt.ptr<f32>>
        // CHECK: tt.store %{{.*}}, %{{.*}} cacheModifier = wb : tensor<64x!tt.ptr<f32>>
        tt.store %p, %1 cacheModifier = wb evictionPolicy = evict_normal : tensor<64x!tt.ptr<f32>>
        tt.return
    }

    // CHECK-LABEL: @shapes
    tt.func @shapes(%s: f32) {
        // CHECK: tt.make_range {end = 4 : i32, start = -12 : i32} : tensor<16xi32>
        %0 = tt.make_range {end = 4 : i32, start = -12 : i32} : tensor<16xi32>
        // CHECK: tt.splat %{{.*}} : f32 -> tensor<4x8xf32>
        %1 = tt.splat %s : f32 -> tensor<4x8xf32>
        // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
        %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
        // CHECK: tt.broadcast %{{.*}} : tensor<16x1xi32> -> tensor<16x2xi32>
        %3 = tt.broadcast %2 : tensor<16x1xi32> -> tensor<16x2xi32>
        // CHECK: tt.reshape %{{.*}} : tensor<16x2xi32> -> tensor<32xi32>
        %4 = tt.reshape %3 : tensor<16x2xi32> -> tensor<32xi32>
        // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<16x2xi32> -> tensor<32xi32>
        %5 = tt.reshape %3 allow_reorder : tensor<16x2xi32> -> tensor<32xi32>
        // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<16x2xi32> -> tensor<32xi32>
        %6 = tt.reshape %3 allow_reorder efficient_layout : tensor<16x2xi32> -> tensor<32xi32>
        // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<16x2xi32> -> tensor<2x16xi32>
        %7 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<16x2xi32> -> tensor<2x16xi32>
        tt.return
    }

    // CHECK-LABEL: @casts
    tt.func @casts(%x: tensor<64xf32>, %s: f32) {
        // CHECK: tt.bitcast %{{.*}} : tensor<64xf32> -> tensor<64xi32>
        %0 = tt.bitcast %x : tensor<64xf32> -> tensor<64xi32>
        // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>
        %1 = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf8E4M3FN>
        // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : f32 -> bf16
        %2 = tt.fp_to_fp %s, rounding = rtz : f32 -> bf16
        // CHECK: tt.fp_to_fp %{{.*}} : tensor<64xf8E4M3FN> -> tensor<64xf16>
        %3 = tt.fp_to_fp %1 : tensor<64xf8E4M3FN> -> tensor<64xf16>
        // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<64xf32>
        %4 = tt.precise_divf %x, %x : tensor<64xf32>
        // CHECK: tt.precise_sqrt %{{.*}} : f32
        %5 = tt.precise_sqrt %s : f32
        tt.return
    }

    // CHECK-LABEL: @reductions
    tt.func @reductions(%x: tensor<64xf32>, %i: tensor<4x8xi32>, %v: tensor<4x8xf32>) {
        // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}> ({
        // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
        // CHECK: tt.reduce.return %{{.*}} : f32
        // CHECK-NEXT: }) : (tensor<64xf32>) -> f32
        %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
            %s = arith.addf %a, %b : f32
            tt.reduce.return %s : f32
        }) : (tensor<64xf32>) -> f32
        // CHECK: "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 1 : i32}> ({
        // CHECK: }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
        %1:2 = "tt.reduce"(%v, %i) <{axis = 1 : i32}> ({
        ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
            %c = arith.cmpf ogt, %a, %b : f32
            %m = arith.select %c, %a, %b : f32
            %mi = arith.select %c, %ai, %bi : i32
            tt.reduce.return %m, %mi : f32, i32
        }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4xf32>, tensor<4xi32>)
        tt.return
    }

    // CHECK-LABEL: @layouts
    tt.func @layouts(%x: tensor<16x32xf32, #rows>, %r: tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>) {
        // CHECK: ttg.convert_layout %{{.*}} : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #blocked1>
        %0 = ttg.convert_layout %x : tensor<16x32xf32, #rows> -> tensor<16x32xf32, #columns>
        // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<16x32xf32, #blocked> -> tensor<32x16xf32, #blocked1>
        %1 = tt.trans %x {order = array<i32: 1, 0>} : tensor<16x32xf32, #rows> -> tensor<32x16xf32, #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>>
        // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
        %2 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xi32, #rows>
        // CHECK: }) : (tensor<16x32xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
        %3 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
            %s = arith.addf %a, %b : f32
            tt.reduce.return %s : f32
        }) : (tensor<16x32xf32, #rows>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #rows}>>
        // CHECK: }) : (tensor<16x32xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %4 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
        ^bb0(%a: f32, %b: f32):
            %s = arith.addf %a, %b : f32
            tt.reduce.return %s : f32
        }) : (tensor<16x32xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
        tt.return
    }

    // The layout of a transposed tile, by hand: dimension i has what dimension order[i] had, and what
    // was fastest stays so. 2 varied fastest, then 0, then 1; now they are called 0, 1, 2.
    // CHECK-LABEL: @turned
    // CHECK: tt.trans
    tt.func @turned(%x: tensor<2x4x8xf32, #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [2, 16, 1], warpsPerCTA = [1, 1, 4], order = [2, 0, 1]}>>) {
        %0 = tt.trans %x {order = array<i32: 2, 0, 1>} : tensor<2x4x8xf32, #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [2, 16, 1], warpsPerCTA = [1, 1, 4], order = [2, 0, 1]}>> -> tensor<8x2x4xf32, #ttg.blocked<{sizePerThread = [4, 1, 2], threadsPerWarp = [1, 2, 16], warpsPerCTA = [4, 1, 1], order = [0, 1, 2]}>>
        tt.return
    }
}
