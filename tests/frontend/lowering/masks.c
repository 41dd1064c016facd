// RUN: %ttir comparisons | FileCheck %s --check-prefix=COMPARE
// RUN: %ttir combined | FileCheck %s --check-prefix=COMBINED
// RUN: %ttir lanes | FileCheck %s --check-prefix=LANES
// RUN: %ttir product | FileCheck %s --check-prefix=PRODUCT
// RUN: %ttir names_of_lanes | FileCheck %s --check-prefix=NAMES
// RUN: %ttir of_bool | FileCheck %s --check-prefix=BOOL
// RUN: %ttir kept | FileCheck %s --check-prefix=KEPT
#include <teeny/kernel.h>

// A comparison of tiles is an i1 tensor.
// COMPARE: arith.cmpi slt, %{{.*}} : tensor<64xi32>
// COMPARE: arith.cmpi ult, %{{.*}} : tensor<64xi32>
// COMPARE: arith.cmpf olt, %{{.*}} : tensor<64xf32>
// COMPARE: arith.cmpf une, %{{.*}} : tensor<64xf32>
TEENY_KERNEL(comparisons, (f32 *out, const u32 *u, i32 n, u32 m), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(out, i, i < n);
    tl_store(out, i, v, tl_load(u, i) < m);
    tl_store(out, i, v, v < 0);
    tl_store(out, i, v, v != v);
});

// & | ^ ~ of masks stay on i1.
// COMBINED: arith.andi %{{.*}} : tensor<64xi1>
// COMBINED: arith.ori %{{.*}} : tensor<64xi1>
// COMBINED: arith.xori %{{.*}} : tensor<64xi1>
// COMBINED: arith.xori %{{.*}} : tensor<64xi1>
// COMBINED-NOT: arith.extsi
TEENY_KERNEL(combined, (f32 *out, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(out, i);
    tl_store(out, i, v, (i < n) & (v > 0));
    tl_store(out, i, v, (i < n) | (v > 0));
    tl_store(out, i, v, (i < n) ^ (v > 0));
    tl_store(out, i, v, ~(v > 0));
});

// Where C computes with a mask, its lanes are -1 or 0, as wide as what was compared.
// LANES: arith.extsi %{{.*}} : tensor<64xi1> to tensor<64xi32>
// LANES: arith.subi
// LANES: arith.extsi %{{.*}} : tensor<64xi1> to tensor<64xi32>
// LANES: arith.andi %{{.*}} : tensor<64xi32>
// LANES: arith.extsi %{{.*}} : tensor<64xi1> to tensor<64xi64>
// LANES: arith.extsi %{{.*}} : tensor<64xi1> to tensor<64xi8>
TEENY_KERNEL(lanes, (i32 *out, f32 *x, f64 *d, i64 *w, i8 *b, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(i32, 64) positive = tl_load(x, i) > 0;
    tl_store(out, i, -positive);
    tl_store(out + 64, i, i & (i < n));
    tl_tile(i64, 64) wide = tl_load(d, i) > 0;
    tl_store(w, i, wide);
    tl_tile(i8, 64) narrow = tl_load(b, i) > 0;
    tl_store(b, i, narrow);
});

// PRODUCT: tt.dot %{{.*}} : tensor<8x8xi8> * tensor<8x8xi8> -> tensor<8x8xi32>
TEENY_KERNEL(product, (i32 *out, const i8 *x), META(), {
    tl_tile(i32, 8, 8) i = tl_reshape(tl_arange(0, 64), 8, 8);
    tl_tile(i8, 8, 8) v = tl_load(x, i);
    tl_store(out, i, tl_dot(v, v > 0, i < 9));
});

// What a comparison's lanes make is an i8's and an i64's, whatever clang calls those types.
// NAMES: arith.divsi %{{.*}} : tensor<64xi8>
// NAMES: arith.select %{{.*}} : tensor<64xi1>, tensor<64xi64>
TEENY_KERNEL(names_of_lanes, (i8 *bytes, i64 *words, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(i8, 64) x = tl_load(bytes, i);
    tl_store(bytes, i, (x > 0) / x);
    tl_tile(i64, 64) chosen = tl_where(i < n, 1l, tl_load(words, i) > 0);
    tl_store(words, i, chosen);
});

// A tile of bool is a mask, whatever it was made of; memory holds bytes, 0 or 1.
// BOOL: %[[BYTES:.*]] = tt.load %{{.*}} : tensor<64x!tt.ptr<i8>>
// BOOL: arith.cmpi ne, %[[BYTES]], %{{.*}} : tensor<64xi8>
// BOOL: arith.cmpi ne, %{{.*}} : tensor<64xi32>
// BOOL: tt.splat %{{.*}} : i1 -> tensor<64xi1>
// BOOL: %[[OUT:.*]] = arith.extui %{{.*}} : tensor<64xi1> to tensor<64xi8>
// BOOL: tt.store %{{.*}}, %[[OUT]], %{{.*}} : tensor<64x!tt.ptr<i8>>
TEENY_KERNEL(of_bool, (bool *flags, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(bool, 64) m = tl_load(flags, i);
    tl_tile(bool, 64) odd = i & 1;
    m = (m & odd) | tl_full(bool, n, 64);
    m ^= tl_zeros(bool, 64);
    tl_store(flags, i, m, i < n);
});

// A mask keeps its name, and `__auto_type` keeps it a mask.
// KEPT: %inside{{.*}} = arith.cmpi slt
// KEPT-NOT: arith.extsi
// KEPT: tt.store %{{.*}}, %{{.*}}, %[[MASK:.*]] :
TEENY_KERNEL(kept, (f32 *out, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    __auto_type inside = i < n;
    inside = inside & (i > 3);
    tl_store(out, i, tl_load(out, i, inside), inside);
});
