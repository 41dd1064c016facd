// What the verifiers of shape, cast, math, reduction and layout operations refuse, and what they say.
// RUN: not teeny-opt %s 2>&1 | FileCheck %s

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.make_range' op expected start below end, found start = 4 and end = 4
    %0 = tt.make_range {end = 4 : i32, start = 4 : i32} : tensor<4xi32>
    tt.return
}

// -----

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.make_range' op expected a tile of rank 1, found 'tensor<2x2xi32>'
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<2x2xi32>
    tt.return
}

// -----

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.make_range' op expected end - start = 4 elements, found 'tensor<8xi32>'
    %0 = tt.make_range {end = 2 : i32, start = -2 : i32} : tensor<8xi32>
    tt.return
}

// -----

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.make_range' op result #0 must be an i32 tile, but got 'tensor<4xi64>'
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi64>
    tt.return
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.splat' op expected a tile of 'f32', found 'tensor<4xi32>'
    %0 = tt.splat %x : f32 -> tensor<4xi32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+2]]:{{.*}} error: tt.expand_dims: expected an axis from 0 to 1, found 2
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.expand_dims' op failed to infer returned types
    %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.expand_dims' op inferred type(s) 'tensor<1x4xf32>' are incompatible with return type(s) of operation 'tensor<4x1xf32>'
    %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    tt.return
}

// -----

#plane = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#slice = #ttg.slice<{dim = 1, parent = #plane}>
tt.func @f(%x: tensor<4xf32, #slice>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.expand_dims: expected a source layout #ttg.slice<{dim = 0, ...}>, found #ttg.slice<{dim = 1, parent = #ttg.blocked<
    %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<4xf32, #slice> -> tensor<1x4xf32, #plane>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x1xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.broadcast' op expected elements of type 'f32' in the result, found 'f16'
    %0 = tt.broadcast %x : tensor<4x1xf32> -> tensor<4x8xf16>
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.broadcast' op expected a result of the source's rank, 1, found 'tensor<4x8xf32>'
    %0 = tt.broadcast %x : tensor<4xf32> -> tensor<4x8xf32>
    tt.return
}

// -----

#plane = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
tt.func @f(%x: tensor<4x1xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.broadcast' op expected a result of the source's layout, found 'tensor<4x1xf32>' and 'tensor<4x8xf32, #ttg.blocked<
    %0 = tt.broadcast %x : tensor<4x1xf32> -> tensor<4x8xf32, #plane>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.broadcast' op dimension 1: expected size 1 or 8 in the source, found 2
    %0 = tt.broadcast %x : tensor<4x2xf32> -> tensor<4x8xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reshape' op expected elements of type 'f32' in the result, found 'i32'
    %0 = tt.reshape %x : tensor<4x2xf32> -> tensor<8xi32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reshape' op expected 8 elements, as the source has, found 16 in 'tensor<16xf32>'
    %0 = tt.reshape %x : tensor<4x2xf32> -> tensor<16xf32>
    tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reshape' op expected a layout on both sides or on neither, found 'tensor<4x2xf32>' and 'tensor<8xf32, #ttg.blocked<
    %0 = tt.reshape %x : tensor<4x2xf32> -> tensor<8xf32, #line>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.trans: expected each dimension from 0 to 1 once in order, found array<i32: 1, 1>
    %0 = tt.trans %x {order = array<i32: 1, 1>} : tensor<4x2xf32> -> tensor<2x4xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.trans: expected each dimension from 0 to 1 once in order, found array<i32: -1, 0>
    %0 = tt.trans %x {order = array<i32: -1, 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.trans: expected each dimension from 0 to 1 once in order, found array<i32: 0>
    %0 = tt.trans %x {order = array<i32: 0>} : tensor<4x2xf32> -> tensor<2x4xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4x2xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.trans' op inferred type(s) 'tensor<2x4xf32>' are incompatible with return type(s) of operation 'tensor<4x2xf32>'
    %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x2xf32> -> tensor<4x2xf32>
    tt.return
}

// -----

#plane = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#slice = #ttg.slice<{dim = 1, parent = #plane}>
tt.func @f(%x: tensor<4xf32, #slice>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.trans: expected a #ttg.blocked layout, found #ttg.slice<
    %0 = tt.trans %x {order = array<i32: 0>} : tensor<4xf32, #slice> -> tensor<4xf32, #slice>
    tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.bitcast' op expected pointers on both sides or on neither, found '!tt.ptr<f32>' and 'i64'
    %0 = tt.bitcast %p : !tt.ptr<f32> -> i64
    tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.bitcast' op expected one address space, found 1 and 3
    %0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32, 3>
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.bitcast' op expected types of one width, found 'f32' and 'i16'
    %0 = tt.bitcast %x : tensor<4xf32> -> tensor<4xi16>
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.bitcast' op result #0: expected the shape and layout of operand #0, 'tensor<4xf32>', found 'tensor<8xi32>'
    %0 = tt.bitcast %x : tensor<4xf32> -> tensor<8xi32>
    tt.return
}

// -----

tt.func @f(%x: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.fp_to_fp' op expected a rounding mode to go from 'f32' to 'bf16', found none
    %0 = tt.fp_to_fp %x : f32 -> bf16
    tt.return
}

// -----

tt.func @f(%x: f32, %y: f16) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.precise_divf' op operand #1: expected the element type of operand #0, 'f32', found 'f16'
    %0 = "tt.precise_divf"(%x, %y) : (f32, f16) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.precise_sqrt' op result #0: expected the element type of operand #0, 'f32', found 'f64'
    %0 = "tt.precise_sqrt"(%x) : (tensor<4xf32>) -> tensor<4xf64>
    tt.return
}

// -----

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.reduce: expected a tile or more, found none
    "tt.reduce"() <{axis = 0 : i32}> ({
        "tt.reduce.return"() : () -> ()
    }) : () -> ()
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.reduce: expected an axis from 0 to 0, found 1
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
        tt.reduce.return %a : f32
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>, %y: tensor<8xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: tt.reduce: expected tiles of one shape and layout, found 'tensor<4xf32>' and 'tensor<8xf32>'
    %0:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
        tt.reduce.return %a, %b : f32, f32
    }) : (tensor<4xf32>, tensor<8xf32>) -> (f32, f32)
    tt.return
}

// -----

tt.func @f(%x: tensor<4x8xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<8xf32>'
    %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
        tt.reduce.return %a : f32
    }) : (tensor<4x8xf32>) -> tensor<8xf32>
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op expected the region's number of arguments to be 2, found 1
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32):
        tt.reduce.return %a : f32
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op region argument #1: expected 'f32', found 'i32'
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: i32):
        tt.reduce.return %a : f32
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op expected the region's number of results to be 1, found 2
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
        tt.reduce.return %a, %b : f32, f32
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>, %y: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op region result #0: expected 'f32', found 'i32'
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
        tt.reduce.return %y : i32
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op expected the region to end in tt.reduce.return, found ub.unreachable
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
        ub.unreachable
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>, %p: !tt.ptr<f32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.reduce' op expected a region without effects on memory, found tt.load
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
        %c = tt.load %p : !tt.ptr<f32>
        tt.reduce.return %c : f32
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: {{.*}}
    %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    }) : (tensor<4xf32>) -> f32
    tt.return
}

// -----

// CHECK: :[[#@LINE+3]]:{{.*}} error: 'tt.reduce.return' op expects parent op 'tt.reduce'
tt.func @f(%c: i1, %x: f32) {
    %0 = scf.if %c -> f32 {
        tt.reduce.return %x : f32
    } else {
        scf.yield %x : f32
    }
    tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%x: tensor<4xf32, #line>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.convert_layout' op expected the shape and element type of 'tensor<4xf32, #ttg.blocked<{{.*}}>>', found 'tensor<8xf32, #ttg.blocked<
    %0 = ttg.convert_layout %x : tensor<4xf32, #line> -> tensor<8xf32, #line>
    tt.return
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%x: tensor<4xf32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'ttg.convert_layout' op expected a layout on both sides, found 'tensor<4xf32>' and 'tensor<4xf32, #ttg.blocked<
    %0 = ttg.convert_layout %x : tensor<4xf32> -> tensor<4xf32, #line>
    tt.return
}
