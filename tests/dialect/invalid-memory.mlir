// What the verifiers of operations on shared memory refuse, and what they say.
// RUN: not teeny-opt %s 2>&1 | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f(%x: tensor<32x32xf16, #rows>) {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.local_alloc' op expected memory of the tile's shape and element type, 'tensor<32x32xf16
  %m = ttg.local_alloc %x : (tensor<32x32xf16, #rows>) -> !ttg.memdesc<32x16xf16, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f() {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.local_alloc' op expected mutable memory to write to
  %m = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #s, #smem>
  tt.return
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f(%x: tensor<32x32xf16, #rows>) {
  %m = ttg.local_alloc %x : (tensor<32x32xf16, #rows>) -> !ttg.memdesc<32x32xf16, #s, #smem>
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.local_store' op expected mutable memory to write to
  ttg.local_store %x, %m : tensor<32x32xf16, #rows> -> !ttg.memdesc<32x32xf16, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f(%i: i32) {
  %m = ttg.local_alloc : () -> !ttg.memdesc<3x32x32xf16, #s, #smem, mutable>
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.memdesc_index' op expected a view of
  %t = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x32x32xf16, #s, #smem, mutable> -> !ttg.memdesc<32x32xf16, #s, #smem>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f(%i: i32) {
  %m = ttg.local_alloc : () -> !ttg.memdesc<3x32x32xf16, #s, #smem, mutable>
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.memdesc_index' op expected one of the tiles of
  %t = ttg.memdesc_index %m[%i] : !ttg.memdesc<3x32x32xf16, #s, #smem, mutable> -> !ttg.memdesc<16x32xf16, #s, #smem, mutable>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f() {
  %m = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #s, #smem, mutable>
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.memdesc_subslice' op expected an offset that is a multiple of 16 inside of 32, found 8
  %t = ttg.memdesc_subslice %m[8, 0] : !ttg.memdesc<32x32xf16, #s, #smem, mutable> -> !ttg.memdesc<16x32xf16, #s, #smem, mutable, 32x32>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f() {
  %m = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #s, #smem, mutable>
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.memdesc_trans' op expected the encoding #ttg.swizzled_shared<{{.*}}order = [0, 1]}>
  %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #s, #smem, mutable> -> !ttg.memdesc<32x32xf16, #s, #smem, mutable>
  tt.return
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func public @f(%p: tensor<32x32x!tt.ptr<f32>, #rows>) {
  %m = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #s, #smem, mutable>
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.async_copy_global_to_local' op expected memory of the tile's shape and element type
  %t = ttg.async_copy_global_to_local %p, %m : tensor<32x32x!tt.ptr<f32>, #rows> -> <32x32xf16, #s, #smem, mutable>
  tt.return
}

// -----

tt.func public @f() {
  // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.async_wait' op expected a number of groups of 0 or more
  %t = ttg.async_wait {num = -1 : i32}
  tt.return
}
