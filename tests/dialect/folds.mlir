// What canonicalize makes of each operation, and what it leaves alone.
// RUN: teeny-opt %s --pass-pipeline="builtin.module(tt.func(canonicalize))" | FileCheck %s

#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

// CHECK-LABEL: @addptr_zero
// CHECK-NEXT: tt.return %arg0, %arg1
tt.func @addptr_zero(%p: !tt.ptr<f32>, %t: tensor<4x!tt.ptr<f32>>) -> (!tt.ptr<f32>, tensor<4x!tt.ptr<f32>>) {
    %z = arith.constant 0 : i64
    %zs = arith.constant dense<0> : tensor<4xi32>
    %0 = tt.addptr %p, %z : !tt.ptr<f32>, i64
    %1 = tt.addptr %t, %zs : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    tt.return %0, %1 : !tt.ptr<f32>, tensor<4x!tt.ptr<f32>>
}

// CHECK-LABEL: @addptr_one
// CHECK: tt.addptr
tt.func @addptr_one(%p: !tt.ptr<f32>) -> !tt.ptr<f32> {
    %c = arith.constant 1 : i32
    %0 = tt.addptr %p, %c : !tt.ptr<f32>, i32
    tt.return %0 : !tt.ptr<f32>
}

// CHECK-LABEL: @load_masks
// CHECK-NEXT: %[[A:.*]] = tt.load %arg0 cacheModifier = cg : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: %[[B:.*]] = tt.load %arg1 : !tt.ptr<f32>
// CHECK-NEXT: tt.return %[[A]], %arg2, %[[B]]
tt.func @load_masks(%p: tensor<4x!tt.ptr<f32>>, %q: !tt.ptr<f32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, f32) {
    %ones = arith.constant dense<true> : tensor<4xi1>
    %zeros = arith.constant dense<false> : tensor<4xi1>
    %one = arith.constant true
    %0 = tt.load %p, %ones, %o cacheModifier = cg : tensor<4x!tt.ptr<f32>>
    %1 = tt.load %p, %zeros, %o : tensor<4x!tt.ptr<f32>>
    %2 = tt.load %q, %one : !tt.ptr<f32>
    tt.return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, f32
}

// A mask that is not one value, or zeros without anything to take instead: left alone.
// CHECK-LABEL: @load_masks_kept
// CHECK: tt.load %arg0, %{{.*}}, %arg1 : tensor<2x!tt.ptr<f32>>
// CHECK: tt.load %arg0, %{{.*}} : tensor<2x!tt.ptr<f32>>
tt.func @load_masks_kept(%p: tensor<2x!tt.ptr<f32>>, %o: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %mixed = arith.constant dense<[true, false]> : tensor<2xi1>
    %zeros = arith.constant dense<false> : tensor<2xi1>
    %0 = tt.load %p, %mixed, %o : tensor<2x!tt.ptr<f32>>
    %1 = tt.load %p, %zeros : tensor<2x!tt.ptr<f32>>
    tt.return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @store_masks
// CHECK-NEXT: tt.store %arg0, %arg1 : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: tt.store %arg0, %arg1, %arg2 : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: tt.return
tt.func @store_masks(%p: tensor<4x!tt.ptr<f32>>, %v: tensor<4xf32>, %m: tensor<4xi1>) {
    %ones = arith.constant dense<true> : tensor<4xi1>
    %zeros = arith.constant dense<false> : tensor<4xi1>
    tt.store %p, %v, %ones : tensor<4x!tt.ptr<f32>>
    tt.store %p, %v, %zeros : tensor<4x!tt.ptr<f32>>
    tt.store %p, %v, %m : tensor<4x!tt.ptr<f32>>
    tt.return
}

// CHECK-LABEL: @constants
// CHECK-DAG: %[[RANGE:.*]] = arith.constant dense<-7> : tensor<1xi32>
// CHECK-DAG: %[[SPLAT:.*]] = arith.constant dense<1.000000e+00> : tensor<4x1xf32>
// CHECK-DAG: %[[WIDE:.*]] = arith.constant dense<1.000000e+00> : tensor<4x2xf32>
// CHECK-DAG: %[[FLAT:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[TURNED:.*]] = arith.constant dense<1.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: tt.return %[[RANGE]], %[[SPLAT]], %[[WIDE]], %[[FLAT]], %[[TURNED]]
tt.func @constants() -> (tensor<1xi32>, tensor<4x1xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xf32>) {
    %one = arith.constant 1.0 : f32
    %0 = tt.make_range {start = -7 : i32, end = -6 : i32} : tensor<1xi32>
    %1 = tt.splat %one : f32 -> tensor<4xf32>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %3 = tt.broadcast %2 : tensor<4x1xf32> -> tensor<4x2xf32>
    %4 = tt.reshape %3 : tensor<4x2xf32> -> tensor<8xf32>
    %5 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
    tt.return %0, %2, %3, %4, %5 : tensor<1xi32>, tensor<4x1xf32>, tensor<4x2xf32>, tensor<8xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: @splats
// CHECK-NEXT: %[[T:.*]] = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2x16x!tt.ptr<f32>>
// CHECK-NEXT: tt.return %[[T]]
tt.func @splats(%p: !tt.ptr<f32>) -> tensor<2x16x!tt.ptr<f32>> {
    %0 = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4x!tt.ptr<f32>> -> tensor<4x1x!tt.ptr<f32>>
    %2 = tt.broadcast %1 : tensor<4x1x!tt.ptr<f32>> -> tensor<4x8x!tt.ptr<f32>>
    %3 = tt.reshape %2 : tensor<4x8x!tt.ptr<f32>> -> tensor<2x16x!tt.ptr<f32>>
    tt.return %3 : tensor<2x16x!tt.ptr<f32>>
}

// CHECK-LABEL: @chains
// CHECK-NEXT: %[[A:.*]] = tt.broadcast %arg0 : tensor<1x1xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[B:.*]] = tt.reshape %arg1 allow_reorder : tensor<2x4x8xf32> -> tensor<16x4xf32>
// CHECK-NEXT: %[[C:.*]] = tt.trans %arg1 {order = array<i32: 2, 1, 0>} : tensor<2x4x8xf32> -> tensor<8x4x2xf32>
// CHECK-NEXT: %[[D:.*]] = tt.bitcast %arg2 : i32 -> f32
// CHECK-NEXT: tt.return %[[A]], %[[B]], %[[C]], %[[D]]
tt.func @chains(%x: tensor<1x1xf32>, %y: tensor<2x4x8xf32>, %i: i32) -> (tensor<4x8xf32>, tensor<16x4xf32>, tensor<8x4x2xf32>, f32) {
    %0 = tt.broadcast %x : tensor<1x1xf32> -> tensor<4x1xf32>
    %1 = tt.broadcast %0 : tensor<4x1xf32> -> tensor<4x8xf32>
    %2 = tt.reshape %y allow_reorder : tensor<2x4x8xf32> -> tensor<64xf32>
    %3 = tt.reshape %2 : tensor<64xf32> -> tensor<16x4xf32>
    %4 = tt.trans %y {order = array<i32: 1, 2, 0>} : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
    %5 = tt.trans %4 {order = array<i32: 1, 0, 2>} : tensor<4x8x2xf32> -> tensor<8x4x2xf32>
    %6 = tt.bitcast %i : i32 -> f32
    %7 = tt.bitcast %6 : f32 -> i32
    %8 = tt.bitcast %7 : i32 -> f32
    tt.return %1, %3, %5, %8 : tensor<4x8xf32>, tensor<16x4xf32>, tensor<8x4x2xf32>, f32
}

// CHECK-LABEL: @identities
// CHECK-NEXT: tt.return %arg0, %arg0, %arg0, %arg0, %arg1, %arg2
tt.func @identities(%x: tensor<4x8xf32>, %p: !tt.ptr<f32>, %a: i64) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, !tt.ptr<f32>, i64) {
    %0 = tt.broadcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %1 = tt.reshape %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %2 = tt.trans %x {order = array<i32: 0, 1>} : tensor<4x8xf32> -> tensor<4x8xf32>
    %3 = tt.fp_to_fp %x : tensor<4x8xf32> -> tensor<4x8xf32>
    %4 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    %5 = tt.int_to_ptr %4 : i64 -> !tt.ptr<f32>
    %6 = tt.int_to_ptr %a : i64 -> !tt.ptr<i8>
    %7 = tt.ptr_to_int %6 : !tt.ptr<i8> -> i64
    tt.return %0, %1, %2, %3, %5, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, !tt.ptr<f32>, i64
}

// Another pointee is another type: left alone.
// CHECK-LABEL: @other_pointee
// CHECK: tt.int_to_ptr
tt.func @other_pointee(%p: !tt.ptr<f32>) -> !tt.ptr<i32> {
    %0 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    %1 = tt.int_to_ptr %0 : i64 -> !tt.ptr<i32>
    tt.return %1 : !tt.ptr<i32>
}

// CHECK-LABEL: @zeros
// CHECK-DAG: %[[A:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf8E4M3FN>
// CHECK-DAG: %[[B:.*]] = arith.constant -0.000000e+00 : bf16
// CHECK-DAG: tt.fp_to_fp %{{.*}}, rounding = rtz : f32 -> bf16
tt.func @zeros() -> (tensor<4xf8E4M3FN>, bf16, bf16) {
    %z = arith.constant dense<0.0> : tensor<4xf32>
    %n = arith.constant -0.0 : f32
    %one = arith.constant 1.0 : f32
    %0 = tt.fp_to_fp %z, rounding = rtne : tensor<4xf32> -> tensor<4xf8E4M3FN>
    %1 = tt.fp_to_fp %n, rounding = rtz : f32 -> bf16
    %2 = tt.fp_to_fp %one, rounding = rtz : f32 -> bf16
    tt.return %0, %1, %2 : tensor<4xf8E4M3FN>, bf16, bf16
}

// CHECK-LABEL: @layouts
// CHECK-DAG: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32, #blocked1>
// CHECK-DAG: %[[L:.*]] = ttg.convert_layout %arg0 : tensor<4xf32, #blocked> -> tensor<4xf32, #blocked1>
// CHECK-NEXT: tt.return %arg0, %arg0, %[[L]], %[[C]]
tt.func @layouts(%x: tensor<4xf32, #a>) -> (tensor<4xf32, #a>, tensor<4xf32, #a>, tensor<4xf32, #b>, tensor<4xf32, #b>) {
    %c = arith.constant dense<2.0> : tensor<4xf32, #a>
    %0 = ttg.convert_layout %x : tensor<4xf32, #a> -> tensor<4xf32, #a>
    %1 = ttg.convert_layout %x : tensor<4xf32, #a> -> tensor<4xf32, #b>
    %2 = ttg.convert_layout %1 : tensor<4xf32, #b> -> tensor<4xf32, #a>
    %3 = ttg.convert_layout %2 : tensor<4xf32, #a> -> tensor<4xf32, #b>
    %4 = ttg.convert_layout %c : tensor<4xf32, #a> -> tensor<4xf32, #b>
    tt.return %0, %2, %3, %4 : tensor<4xf32, #a>, tensor<4xf32, #a>, tensor<4xf32, #b>, tensor<4xf32, #b>
}

// With layouts each step of a chain of reshapes has its own cost: left alone.
// CHECK-LABEL: @reshape_layouts
// CHECK-COUNT-2: tt.reshape
tt.func @reshape_layouts(%x: tensor<128xf32, #a>) -> tensor<128xf32, #b> {
    %0 = tt.reshape %x : tensor<128xf32, #a> -> tensor<2x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>>
    %1 = tt.reshape %0 : tensor<2x64xf32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>> -> tensor<128xf32, #b>
    tt.return %1 : tensor<128xf32, #b>
}
