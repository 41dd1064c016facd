// MLIR's own passes know what the operations do: cse, loop-invariant-code-motion, dead code,
// symbol-dce, inline, scf-to-cf.
// RUN: teeny-opt %s --pass-pipeline="builtin.module(tt.func(cse))" | FileCheck %s --check-prefix=CSE
// RUN: teeny-opt %s --pass-pipeline="builtin.module(tt.func(loop-invariant-code-motion))" | FileCheck %s --check-prefix=LICM
// RUN: teeny-opt %s --pass-pipeline="builtin.module(tt.func(canonicalize))" | FileCheck %s --check-prefix=DCE
// RUN: teeny-opt %s --pass-pipeline="builtin.module(symbol-dce)" | FileCheck %s --check-prefix=SYMBOL
// RUN: teeny-opt %s --pass-pipeline="builtin.module(inline)" | FileCheck %s --check-prefix=INLINE
// RUN: teeny-opt %s --pass-pipeline="builtin.module(tt.func(convert-scf-to-cf))" | FileCheck %s --check-prefix=CF

// Equal pure operations become one; loads merge unless something is written between them, a volatile
// load never does.
// CSE-LABEL: @duplicates
// CSE-COUNT-1: tt.get_program_id
// CSE-NOT: tt.get_program_id
// CSE-COUNT-1: tt.splat
// CSE-NOT: tt.splat
// CSE-COUNT-1: "tt.reduce"
// CSE-NOT: "tt.reduce"
// CSE-COUNT-1: tt.load
// CSE: tt.store
// CSE-COUNT-1: tt.load
// CSE-COUNT-2: tt.load %{{.*}} {isVolatile = true}
tt.func @duplicates(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: tensor<4xf32>) {
    %a = tt.get_program_id x : i32
    %b = tt.get_program_id x : i32
    %c = tt.splat %a : i32 -> tensor<4xi32>
    %d = tt.splat %b : i32 -> tensor<4xi32>
    %e = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
        %s = arith.addf %u, %v : f32
        tt.reduce.return %s : f32
    }) : (tensor<4xf32>) -> f32
    %f = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%u: f32, %v: f32):
        %s = arith.addf %u, %v : f32
        tt.reduce.return %s : f32
    }) : (tensor<4xf32>) -> f32
    %g = tt.load %p : !tt.ptr<f32>
    %h = tt.load %p : !tt.ptr<f32>
    tt.store %q, %e : !tt.ptr<f32>
    %i = tt.load %p : !tt.ptr<f32>
    %j = tt.load %p {isVolatile = true} : !tt.ptr<f32>
    %k = tt.load %p {isVolatile = true} : !tt.ptr<f32>
    tt.call @uses(%c, %d, %f, %g, %h, %i, %j, %k) : (tensor<4xi32>, tensor<4xi32>, f32, f32, f32, f32, f32, f32) -> ()
    tt.return
}
tt.func private @uses(tensor<4xi32>, tensor<4xi32>, f32, f32, f32, f32, f32, f32)

// What does not change with the loop leaves it, a load does not.
// LICM-LABEL: @invariant
// LICM: tt.splat
// LICM-NEXT: tt.splat
// LICM-NEXT: tt.addptr
// LICM-NEXT: "tt.reduce"
// LICM: scf.for
// LICM-NEXT: tt.load
// CF-LABEL: @invariant
// CF: cf.cond_br
// CF-NOT: scf.for
tt.func @invariant(%p: !tt.ptr<f32>, %i: i32, %x: tensor<4xf32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %k = %zero to %n step %one : i32 {
        %0 = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
        %1 = tt.splat %i : i32 -> tensor<4xi32>
        %2 = tt.addptr %0, %1 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
        %3 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%u: f32, %v: f32):
            %s = arith.addf %u, %v : f32
            tt.reduce.return %s : f32
        }) : (tensor<4xf32>) -> f32
        %4 = tt.load %2 : tensor<4x!tt.ptr<f32>>
        tt.store %2, %4 : tensor<4x!tt.ptr<f32>>
        tt.store %p, %3 : !tt.ptr<f32>
    }
    tt.return
}

// A reduction whose combination may fault (a division by zero) stays in the loop.
// LICM-LABEL: @not_speculatable
// LICM: scf.for
// LICM-NEXT: "tt.reduce"
tt.func @not_speculatable(%p: !tt.ptr<i32>, %x: tensor<4xi32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %k = %zero to %n step %one : i32 {
        %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%u: i32, %v: i32):
            %s = arith.divsi %u, %v : i32
            tt.reduce.return %s : i32
        }) : (tensor<4xi32>) -> i32
        tt.store %p, %0 : !tt.ptr<i32>
    }
    tt.return
}

// Unused results go, a plain load's too; stores, calls and volatile loads stay. Constants stay in
// their function.
// DCE-LABEL: @dead
// DCE-NEXT: %[[C:.*]] = arith.constant 1.0
// DCE-NEXT: tt.load %arg0 {isVolatile = true}
// DCE-NEXT: tt.store %arg0, %[[C]]
// DCE-NEXT: tt.call @used()
// DCE-NEXT: tt.return
tt.func @dead(%p: !tt.ptr<f32>) {
    %c = arith.constant 1.0 : f32
    %0 = tt.get_num_programs y : i32
    %1 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %2 = tt.load %p : !tt.ptr<f32>
    %3 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
    tt.store %p, %c : !tt.ptr<f32>
    tt.call @used() : () -> ()
    tt.return
}

// Private functions that nobody calls go, public ones are kernels.
// SYMBOL-LABEL: @dead
// SYMBOL-NOT: @unused
// SYMBOL: tt.func private @used
// SYMBOL-NOT: @unused
tt.func private @unused() {
    tt.return
}
tt.func private @used() {
    tt.return
}

// A call is replaced by its callee's body, be it of one block or of several, unless that is noinline.
// INLINE-LABEL: @callers
// INLINE-NEXT: arith.addf %arg0, %arg0
// INLINE-NEXT: cf.cond_br
// INLINE: tt.call @kept
tt.func @callers(%x: f32, %c: i1) -> f32 {
    %0 = tt.call @twice(%x) : (f32) -> f32
    %1 = tt.call @choose(%0, %c) : (f32, i1) -> f32
    %2 = tt.call @kept(%1) : (f32) -> f32
    tt.return %2 : f32
}
tt.func private @twice(%x: f32) -> f32 {
    %0 = arith.addf %x, %x : f32
    tt.return %0 : f32
}
tt.func private @choose(%x: f32, %c: i1) -> f32 {
    cf.cond_br %c, ^yes, ^no
^yes:
    tt.return %x : f32
^no:
    %0 = arith.negf %x : f32
    tt.return %0 : f32
}
tt.func private @kept(%x: f32) -> f32 attributes {noinline = true} {
    tt.return %x : f32
}
