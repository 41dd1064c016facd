// What the verifiers of types, layouts and module attributes refuse, and what they say.
// RUN: not teeny-opt %s 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a pointer to a scalar, found one to 'tensor<4xf32>'
tt.func private @f(!tt.ptr<tensor<4xf32>>)

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected an address space of 0 or more, found -1
tt.func private @f(!tt.ptr<f32, -1>)

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected '>'
tt.func private @f(!tt.ptr<f32 3>)

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a layout of rank 1 or more, found an empty order
#l = #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected dimensions below 2 in order, found 2
#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [2, 0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected each dimension once in order, found 1 twice
#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 1]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected as many numbers in threadsPerWarp as in order, 2, found 1
#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected powers of two in sizePerThread, found 3
#l = #ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected powers of two in warpsPerCTA, found 0
#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [0], order = [0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a layout as parent, found 1 : i32
#l = #ttg.slice<{dim = 0, parent = 1 : i32}>

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a parent of rank 2 or more, found #ttg.blocked<
#l = #ttg.slice<{dim = 0, parent = #line}>

// -----

#plane = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: :[[#@LINE+1]]:{{.*}} error: expected dim below the parent's rank of 2, found 2
#l = #ttg.slice<{dim = 2, parent = #plane}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: 'builtin.module' op expected "ttg.num-warps" to be an i32, found 4 : i64
module attributes {"ttg.num-warps" = 4 : i64} {
}

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: 'builtin.module' op expected "ttg.threads-per-warp" to be a power of two, found 33
module attributes {"ttg.threads-per-warp" = 33 : i32} {
}

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: 'builtin.module' op expected "ttg.num-ctas" to be a power of two, found 0
module attributes {"ttg.num-ctas" = 0 : i32} {
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a tile of rank 1 or more, found 'tensor<f32>'
    %0 = tt.splat %x : f32 -> tensor<f32>
    tt.return
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a power of two in each dimension of a tile, found 'tensor<4x6xf32>'
    %0 = tt.splat %x : f32 -> tensor<4x6xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x?xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.precise_sqrt' op operand #0: expected a power of two in each dimension of a tile, found 'tensor<4x?xf32>'
    %0 = tt.precise_sqrt %x : tensor<4x?xf32>
    tt.return
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a tile of at most 1048576 elements, found 'tensor<2048x1024xf32>'
    %0 = tt.splat %x : f32 -> tensor<2048x1024xf32>
    tt.return
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a tile of at most 1048576 elements
    %0 = tt.splat %x : f32 -> tensor<4611686018427387904x4x1xf32>
    tt.return
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a layout of ttg, found "rows"
    %0 = tt.splat %x : f32 -> tensor<4xf32, "rows">
    tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a layout of the tile's rank, 2, found one of rank 1 in 'tensor<4x4xf32, #ttg.blocked<
    %0 = tt.splat %x : f32 -> tensor<4x4xf32, #line>
    tt.return
}

// -----

// An attribute without its text.
// CHECK: :[[#@LINE+1]]:{{.*}} error: expected '<'
#l = #ttg.blocked

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: duplicate or unknown struct parameter name: size
#l = #ttg.blocked<{size = [1]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected integer value
#l = #ttg.blocked<{sizePerThread = [x], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a number from 0 to 4294967295, found -1
#l = #ttg.blocked<{sizePerThread = [-1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a number from 0 to 4294967295, found 4294967296
#l = #ttg.slice<{dim = 4294967296, parent = 1}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected a layout over at most 1073741824 elements, found more
#l = #ttg.blocked<{sizePerThread = [1048576, 1048576], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: 'builtin.module' op expected "ttg.target" to be a string, found 90 : i32
module attributes {ttg.target = 90 : i32} {
}

// -----

#eight = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
    tt.func @f(%x: f32) {
        // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a layout over ttg.num-warps = 4 of the module, found 8 in #ttg.blocked<
        %0 = tt.splat %x : f32 -> tensor<4xf32, #eight>
        tt.return
    }
}

// -----

#plane = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
    tt.func @f(%x: f32) {
        // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op result #0: expected a layout over ttg.threads-per-warp = 64 of the module, found 32 in #ttg.slice<
        %0 = tt.splat %x : f32 -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #plane}>>
        tt.return
    }
}

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.func' op argument #1: expected "tt.divisibility" to be a positive i32, found 0 : i32
tt.func @f(%p: !tt.ptr<f32>, %n: i32 {tt.divisibility = 0 : i32}) {
    tt.return
}

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected version 2.0 of mma, found 3.0
#l = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected kWidth = 2 for #ttg.nvidia_mma<{{.*}}>, found 0
#l = #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected opIdx to be 0 or 1, found 2
#l = #ttg.dot_op<{opIdx = 2, parent = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected powers of two in vec, perPhase and maxPhase, found 3
#l = #ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 1, order = [1, 0]}>

// -----

// CHECK: :[[#@LINE+1]]:{{.*}} error: expected maxPhase = 1 where there are no rows, found 4
#l = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [0]}>

// -----

// CHECK: :[[#@LINE+3]]:{{.*}} error: expected #ttg.swizzled_shared as encoding, found #ttg.blocked
#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func private @f(!ttg.memdesc<32x32xf16, #l, #smem>)

// -----

// CHECK: :[[#@LINE+2]]:{{.*}} error: expected #ttg.shared_memory as memory, found #ttg.swizzled_shared
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
tt.func private @f(!ttg.memdesc<32x32xf16, #s, #s>)

// -----

// CHECK: :[[#@LINE+3]]:{{.*}} error: expected 2 or 3 dimensions for this encoding, found 1
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func private @f(!ttg.memdesc<32xf16, #s, #smem>)

// -----

// CHECK: :[[#@LINE+3]]:{{.*}} error: expected powers of two in a tile, found 24
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func private @f(!ttg.memdesc<3x24x32xf16, #s, #smem>)

// -----

// CHECK: :[[#@LINE+3]]:{{.*}} error: expected a tile of 1 to 1048576 elements
#s = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func private @f(!ttg.memdesc<3x1024x1024xf16, #s, #smem>)
