// What the verifiers of functions, calls and memory accesses refuse, and what they say.
// RUN: not teeny-opt %s 2>&1 | FileCheck %s

tt.func @f() -> i32 {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.return' op expected as many values as @f has results, 1, found 0
    tt.return
}

// -----

tt.func @f(%x: f32) -> i32 {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.return' op operand #0: expected 'i32', the result of @f, found 'f32'
    tt.return %x : f32
}

// -----

tt.func @f(%c: i1) {
    scf.if %c {
        // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.return' op expects parent op 'tt.func'
        tt.return
    }
    tt.return
}

// -----

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.call' op expected the name of a tt.func of this module, found @g
    tt.call @g() : () -> ()
    tt.return
}

// -----

tt.func private @g(i32, f32) -> i32
tt.func @f(%x: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.call' op expected as many operands as @g declares, 2, found 1
    %0 = tt.call @g(%x) : (i32) -> i32
    tt.return
}

// -----

tt.func private @g(i32, f32) -> i32
tt.func @f(%x: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.call' op operand #1: expected 'f32' as @g declares, found 'i32'
    %0 = tt.call @g(%x, %x) : (i32, i32) -> i32
    tt.return
}

// -----

tt.func private @g(i32) -> i32
tt.func @f(%x: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.call' op expected as many results as @g declares, 1, found 0
    tt.call @g(%x) : (i32) -> ()
    tt.return
}

// -----

tt.func private @g(i32) -> i32
tt.func @f(%x: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.call' op result #0: expected 'i32' as @g declares, found 'f32'
    %0 = tt.call @g(%x) : (i32) -> f32
    tt.return
}

// -----

tt.func @f() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: {{.*}} expected string or keyword containing one of the following enum values for attribute 'axis' [x, y, z]
    %0 = tt.get_program_id w : i32
    tt.return
}

// -----

tt.func @outer() {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.func' op expects parent op 'builtin.module'
    tt.func @inner() {
        tt.return
    }
    tt.return
}

// -----

tt.func @f(%x: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: custom op 'tt.load' 'ptr' must be a pointer or a tile of pointers, but got 'i32'
    %0 = tt.load %x : i32
    tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.load' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xi32>'
    %0 = "tt.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4x!tt.ptr<f32>>) -> tensor<4xi32>
    tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %m: tensor<8xi1>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.load' op expected a mask of type 'tensor<4xi1>' for the pointer type 'tensor<4x!tt.ptr<f32>>', found 'tensor<8xi1>'
    %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f32>>, tensor<8xi1>) -> tensor<4xf32>
    tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %m: i1, %o: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.load' op expected an 'other' of type 'f32' for the pointer type '!tt.ptr<f32>', found 'i32'
    %0 = "tt.load"(%p, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!tt.ptr<f32>, i1, i32) -> f32
    tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %o: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.load' op expected a mask beside 'other', found none
    %0 = "tt.load"(%p, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tt.ptr<f32>, f32) -> f32
    tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %v: f32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.store' op expected a value of type 'tensor<4xf32>' for the pointer type 'tensor<4x!tt.ptr<f32>>', found 'f32'
    "tt.store"(%p, %v) : (tensor<4x!tt.ptr<f32>>, f32) -> ()
    tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %v: f32, %m: tensor<4xi1>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.store' op expected a mask of type 'i1' for the pointer type '!tt.ptr<f32>', found 'tensor<4xi1>'
    "tt.store"(%p, %v, %m) : (!tt.ptr<f32>, f32, tensor<4xi1>) -> ()
    tt.return
}

// -----

tt.func @f(%p: !tt.ptr<f32>, %i: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.addptr' op expected a result of the pointer's type, '!tt.ptr<f32>', found '!tt.ptr<i8>'
    %0 = "tt.addptr"(%p, %i) : (!tt.ptr<f32>, i32) -> !tt.ptr<i8>
    tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %i: tensor<8xi32>) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.addptr' op operand #1: expected the shape and layout of operand #0, 'tensor<4x!tt.ptr<f32>>', found 'tensor<8xi32>'
    %0 = tt.addptr %p, %i : tensor<4x!tt.ptr<f32>>, tensor<8xi32>
    tt.return
}

// -----

tt.func @f(%p: tensor<4x!tt.ptr<f32>>, %i: i32) {
    // CHECK: :[[#@LINE+1]]:{{.*}} error: 'tt.addptr' op operand #1: expected the shape and layout of operand #0, 'tensor<4x!tt.ptr<f32>>', found 'i32'
    %0 = tt.addptr %p, %i : tensor<4x!tt.ptr<f32>>, i32
    tt.return
}
