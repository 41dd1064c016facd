// RUN: %ttir ranges | FileCheck %s --check-prefix=RANGES
// RUN: %ttir zeros | FileCheck %s --check-prefix=ZEROS
// RUN: %ttir full | FileCheck %s --check-prefix=FULL
// RUN: %ttir grid | FileCheck %s --check-prefix=GRID
#include <teeny/kernel.h>

// tt.make_range counts from its start, which is not negative: another range is one that was moved.
// RANGES: tt.make_range {end = 128 : i32, start = 64 : i32} : tensor<64xi32>
// RANGES: %[[RANGE:.*]] = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// RANGES: arith.addi %[[RANGE]], %{{.*}} : tensor<64xi32>
TEENY_KERNEL(ranges, (i32 *out, i32 n), META(HALF = 64), {
    tl_store(out, tl_arange(HALF, 2 * HALF), tl_full(i32, n, HALF));
    tl_store(out, tl_arange(-HALF, 0), tl_full(i32, n, HALF));
});

// ZEROS-DAG: arith.constant dense<0> : tensor<64xi8>
// ZEROS-DAG: arith.constant dense<0.000000e+00> : tensor<4x16xf32>
// ZEROS-DAG: arith.constant dense<0.000000e+00> : tensor<64xbf16>
TEENY_KERNEL(zeros, (i8 *b, f32 *x, bf16 *h, i32 n), META(), {
    tl_store(b, tl_arange(0, 64), tl_zeros(i8, 64));
    tl_store(h, tl_arange(0, 64), tl_zeros(bf16, 64));
    tl_store(x, tl_full(i32, n, 4, 16), tl_zeros(f32, 4, 16));
});

// The value is converted as C does, to types that C does not compute with as well.
// FULL-DAG: arith.constant dense<44> : tensor<64xi8>
// FULL-DAG: arith.constant dense<1.000980e-01> : tensor<64xbf16>
// FULL-DAG: arith.constant dense<1.000000e-01> : tensor<64xf32>
// FULL: %[[F:.*]] = arith.sitofp %n : i32 to f32
// FULL: tt.splat %[[F]] : f32 -> tensor<64xf32>
// FULL: tt.splat %h : bf16 -> tensor<64xbf16>
TEENY_KERNEL(full, (i8 *b, f32 *x, bf16 *h_out, bf16 h, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(b, i, tl_full(i8, 300, 64));
    tl_store(h_out, i, tl_full(bf16, 0.1f, 64));
    tl_store(x, i, tl_full(f32, 0.1, 64));
    tl_store(x, i, tl_full(f32, n, 64));
    tl_store(h_out, i, tl_full(bf16, h, 64));
});

// GRID: tt.get_program_id x : i32
// GRID: tt.get_program_id y : i32
// GRID: tt.get_program_id z : i32
// GRID: tt.get_num_programs x : i32
// GRID: tt.get_num_programs y : i32
// GRID: tt.get_num_programs z : i32
TEENY_KERNEL(grid, (i32 *out), META(AXIS = 1), {
    out[0] = tl_program_id(0);
    out[1] = tl_program_id(AXIS);
    out[2] = tl_program_id(2);
    out[3] = tl_num_programs(0);
    out[4] = tl_num_programs(AXIS);
    out[5] = tl_num_programs(1 + AXIS);
});
