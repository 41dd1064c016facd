// Tiles in shared memory, in every form of their text: Triton compiles what we print, and what Triton
// pipelined comes back from us.
// REQUIRES: triton
// RUN: teeny-opt %s > %t.ttgir
// RUN: teeny-opt %S/../codegen/triton/matmul_128x128x64_s3w4.ttgir --locations --names > %t.matmul.ttgir
// RUN: teeny-opt %S/../codegen/triton/attn_64_full_4096.ttgir > %t.attention.ttgir
// RUN: %accept --target sm_80 %t.ttgir %t.matmul.ttgir %t.attention.ttgir | FileCheck %s

// CHECK: accepted {{.*}}: shared
// CHECK: accepted {{.*}}.matmul.ttgir: {{.+}}
// CHECK: accepted {{.*}}.attention.ttgir: {{.+}}

// So is what our own passes make.
// RUN: teenyc %S/../codegen/triton/matmul_128x128x64_s3w4.ttir --target sm_80 --emit ttgir -o %t.ours.ttgir
// RUN: FileCheck %s --check-prefix=OURS --input-file %t.ours.ttgir
// RUN: %accept --target sm_80 %t.ours.ttgir
// OURS: ttg.async_copy_global_to_local

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared_turned = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
    tt.func public @shared(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
        %zero = arith.constant 0 : i32
        %zeros = arith.constant dense<0.0> : tensor<32x32xf16, #rows>
        %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
        %j = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
        %ic = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
        %jc = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
        %width = arith.constant dense<32> : tensor<32x1xi32, #rows>
        %is = arith.muli %ic, %width : tensor<32x1xi32, #rows>
        %ib = tt.broadcast %is : tensor<32x1xi32, #rows> -> tensor<32x32xi32, #rows>
        %jb = tt.broadcast %jc : tensor<1x32xi32, #rows> -> tensor<32x32xi32, #rows>
        %at = arith.addi %ib, %jb : tensor<32x32xi32, #rows>
        %ps = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #rows>
        %pp = tt.addptr %ps, %at : tensor<32x32x!tt.ptr<f16>, #rows>, tensor<32x32xi32, #rows>
        %ns = tt.splat %n : i32 -> tensor<32x32xi32, #rows>
        %inside = arith.cmpi slt, %jb, %ns : tensor<32x32xi32, #rows>

        %ring = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
        %first = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
        %c0 = ttg.async_copy_global_to_local %pp, %first : tensor<32x32x!tt.ptr<f16>, #rows> -> <32x32xf16, #shared, #smem, mutable>
        %g0 = ttg.async_commit_group tokens %c0
        %w0 = ttg.async_wait %g0 {num = 0 : i32}
        %c1 = ttg.async_copy_global_to_local %pp, %first mask %inside other %zeros cacheModifier = cg {contiguity = 8 : i32} : tensor<32x32x!tt.ptr<f16>, #rows> -> <32x32xf16, #shared, #smem, mutable>
        %g1 = ttg.async_commit_group tokens %c1
        %w1 = ttg.async_wait {num = 0 : i32}
        %x = ttg.local_load %first token %w1 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #rows>
        ttg.local_store %x, %first : tensor<32x32xf16, #rows> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
        ttg.local_dealloc %ring : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>

        %kept = ttg.local_alloc %x : (tensor<32x32xf16, #rows>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
        %part = ttg.memdesc_subslice %kept[16, 0] : !ttg.memdesc<32x32xf16, #shared, #smem> -> !ttg.memdesc<16x32xf16, #shared, #smem, 32x32>
        %y = ttg.local_load %part : !ttg.memdesc<16x32xf16, #shared, #smem, 32x32> -> tensor<16x32xf16, #rows>
        %other = ttg.memdesc_trans %kept {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf16, #shared_turned, #smem>
        %z = ttg.local_load %other : !ttg.memdesc<32x32xf16, #shared_turned, #smem> -> tensor<32x32xf16, #rows>
        tt.store %pp, %z, %inside : tensor<32x32x!tt.ptr<f16>, #rows>
        tt.return
    }
}
