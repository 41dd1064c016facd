// RUN: %ttir integers | FileCheck %s --check-prefix=INTEGERS
// RUN: %ttir floats | FileCheck %s --check-prefix=FLOATS
// RUN: %ttir halves | FileCheck %s --check-prefix=HALVES
// RUN: %ttir spread | FileCheck %s --check-prefix=SPREAD
// RUN: %ttir compound | FileCheck %s --check-prefix=COMPOUND
// RUN: %ttir ranks | FileCheck %s --check-prefix=RANKS
#include <teeny/kernel.h>

// INTEGERS: arith.addi %{{.*}}, %{{.*}} : tensor<64xi32>
// INTEGERS: arith.subi %{{.*}}, %{{.*}} : tensor<64xi32>
// INTEGERS: arith.muli %{{.*}}, %{{.*}} : tensor<64xi32>
// INTEGERS: arith.andi %{{.*}}, %{{.*}} : tensor<64xi32>
// INTEGERS: arith.ori %{{.*}}, %{{.*}} : tensor<64xi32>
// INTEGERS: arith.xori %{{.*}}, %{{.*}} : tensor<64xi32>
// INTEGERS: arith.xori %{{.*}} : tensor<64xi32>
// INTEGERS: arith.subi %{{.*}} : tensor<64xi32>
TEENY_KERNEL(integers, (i32 *out, const i32 *x), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(i32, 64) a = tl_load(x, i);
    tl_store(out, i, a + i);
    tl_store(out + 64, i, a - i);
    tl_store(out + 128, i, a * i);
    tl_store(out + 192, i, a & i);
    tl_store(out + 256, i, a | i);
    tl_store(out + 320, i, a ^ i);
    tl_store(out + 384, i, ~a);
    tl_store(out + 448, i, -a);
});

// FLOATS-NOT: arith.divf
// FLOATS: arith.addf %{{.*}}, %{{.*}} : tensor<64xf32>
// FLOATS: arith.subf %{{.*}}, %{{.*}} : tensor<64xf32>
// FLOATS: arith.mulf %{{.*}}, %{{.*}} : tensor<64xf32>
// FLOATS: tt.precise_divf %{{.*}}, %{{.*}} : tensor<64xf32>
// FLOATS: arith.negf %{{.*}} : tensor<64xf32>
TEENY_KERNEL(floats, (f32 *out, const f32 *x), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) a = tl_load(x, i);
    tl_tile(f32, 64) b = tl_load(x, i + 64);
    tl_store(out, i, a + b);
    tl_store(out + 64, i, a - b);
    tl_store(out + 128, i, a * b);
    tl_store(out + 192, i, a / b);
    tl_store(out + 256, i, -a);
});

// f16 and bf16 are computed with as they are; only the quotient needs more.
// HALVES: arith.addf %{{.*}}, %{{.*}} : tensor<64xf16>
// HALVES: arith.mulf %{{.*}}, %{{.*}} : tensor<64xbf16>
// HALVES: arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
// HALVES: tt.precise_divf %{{.*}} : tensor<64xf32>
// HALVES: arith.truncf %{{.*}} : tensor<64xf32> to tensor<64xbf16>
TEENY_KERNEL(halves, (f16 *h, bf16 *b), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f16, 64) x = tl_load(h, i);
    tl_tile(bf16, 64) y = tl_load(b, i);
    tl_store(h, i, x + x);
    tl_store(b, i, y * y);
    tl_store(b + 64, i, y / y);
});

// A scalar beside a tile is spread over it, converted where that is exact.
// SPREAD: %[[I:.*]] = tt.splat %n : i32 -> tensor<64xi32>
// SPREAD: arith.muli %[[I]], %{{.*}} : tensor<64xi32>
// SPREAD: tt.splat %f : f32 -> tensor<64xf32>
// SPREAD: %[[WIDE:.*]] = arith.extsi %n : i32 to i64
// SPREAD: tt.splat %[[WIDE]] : i64 -> tensor<64xi64>
// SPREAD: arith.mulf %{{.*}}, %{{.*}} : tensor<64xf16>
TEENY_KERNEL(spread, (i32 *out, f32 *x, i64 *w, f16 *h, i32 n, f32 f), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(out, i, n * i);
    tl_store(x, i, tl_load(x, i) + f);
    tl_store(w, i, tl_load(w, i) + n);
    tl_store(h, i, tl_load(h, i) * (f16)0.5f);
});

// COMPOUND: arith.addf %{{.*}} : tensor<64xf32>
// COMPOUND: arith.mulf %{{.*}} : tensor<64xf32>
// COMPOUND: %[[N:.*]] = arith.muli %n, %n : i32
// COMPOUND: tt.store %{{.*}}, %[[N]]
// COMPOUND: %[[WIDE:.*]] = arith.extsi %b : i8 to i32
// COMPOUND: %[[SUM:.*]] = arith.addi %[[WIDE]], %n : i32
// COMPOUND: arith.trunci %[[SUM]] : i32 to i8
TEENY_KERNEL(compound, (f32 *out, i32 *count, i8 *bytes, i32 n, i8 b), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(out, i);
    v += 1;
    v *= v;
    tl_store(out, i, v);
    i32 m = n;
    m *= n;
    count[0] = m;
    b += n;
    bytes[0] = b;
});

// Tiles of several dimensions: C sees their elements, tt their shape.
// RANKS: arith.addf %{{.*}} : tensor<8x16xf32>
// RANKS: arith.mulf %{{.*}} : tensor<2x4x2x4x2xf32>
// RANKS: tt.store
TEENY_KERNEL(ranks, (f32 *out, const i32 *at, f32 f), META(), {
    tl_tile(f32, 8, 16) a = tl_zeros(f32, 8, 16) + f;
    tl_tile(i32, 8, 16) i = tl_full(i32, at[0], 8, 16);
    tl_store(out, i, a);
    tl_tile(f32, 2, 4, 2, 4, 2) b = tl_full(f32, f, 2, 4, 2, 4, 2);
    tl_store(out, tl_full(i32, at[1], 2, 4, 2, 4, 2), b * b);
});
