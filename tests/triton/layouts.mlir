// The layouts that our verifiers infer are those that Triton's infer: it compiles a kernel with them.
// REQUIRES: triton
// RUN: teeny-opt %s > %t.ttgir
// RUN: %accept %t.ttgir | FileCheck %s

// CHECK: accepted {{.*}}: layouts

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#space = #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [2, 16, 1], warpsPerCTA = [1, 1, 4], order = [2, 0, 1]}>
#turned = #ttg.blocked<{sizePerThread = [4, 1, 2], threadsPerWarp = [1, 2, 16], warpsPerCTA = [4, 1, 1], order = [0, 1, 2]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
    tt.func public @layouts(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
        %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
        %j = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
        %ic = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xi32, #rows>
        %jc = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
        %ib = tt.broadcast %ic : tensor<16x1xi32, #rows> -> tensor<16x32xi32, #rows>
        %jb = tt.broadcast %jc : tensor<1x32xi32, #rows> -> tensor<16x32xi32, #rows>
        %x = arith.muli %ib, %jb : tensor<16x32xi32, #rows>
        %over0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: i32, %b: i32):
            %s = arith.addi %a, %b : i32
            tt.reduce.return %s : i32
        }) : (tensor<16x32xi32, #rows>) -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
        %over1 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
        ^bb0(%a: i32, %b: i32):
            %s = arith.addi %a, %b : i32
            tt.reduce.return %s : i32
        }) : (tensor<16x32xi32, #rows>) -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
        %c0 = ttg.convert_layout %over0 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<32xi32, #line>
        %c1 = ttg.convert_layout %over1 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16xi32, #line>
        %r0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #line>
        %r1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #line>
        %p0 = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #line>
        %p1 = tt.splat %p : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #line>
        %a0 = tt.addptr %p0, %r0 : tensor<32x!tt.ptr<i32>, #line>, tensor<32xi32, #line>
        %a1 = tt.addptr %p1, %r1 : tensor<16x!tt.ptr<i32>, #line>, tensor<16xi32, #line>
        tt.store %a0, %c0 : tensor<32x!tt.ptr<i32>, #line>
        tt.store %a1, %c1 : tensor<16x!tt.ptr<i32>, #line>

        // A transposition of rank 3 whose permutation is not its own inverse.
        %n = tt.get_program_id x : i32
        %cube = tt.splat %n : i32 -> tensor<2x4x8xi32, #space>
        %other = tt.trans %cube {order = array<i32: 2, 0, 1>} : tensor<2x4x8xi32, #space> -> tensor<8x2x4xi32, #turned>
        %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x2x4x!tt.ptr<i32>, #turned>
        tt.store %ps, %other : tensor<8x2x4x!tt.ptr<i32>, #turned>
        tt.return
    }
}
