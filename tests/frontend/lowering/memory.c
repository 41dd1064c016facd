// RUN: %ttir scalars | FileCheck %s --check-prefix=SCALARS
// RUN: %ttir pointers | FileCheck %s --check-prefix=POINTERS
// RUN: %ttir loads | FileCheck %s --check-prefix=LOADS
// RUN: %ttir stores | FileCheck %s --check-prefix=STORES
// RUN: %ttir offsets | FileCheck %s --check-prefix=OFFSETS
// RUN: %ttir one | FileCheck %s --check-prefix=ONE
// RUN: %ttir f8 | FileCheck %s --check-prefix=F8
// RUN: %ttir flags | FileCheck %s --check-prefix=FLAGS
#include <teeny/kernel.h>

// Scalar memory is plain C.
// SCALARS: %[[FIRST:.*]] = tt.load %x : !tt.ptr<f32>
// SCALARS: %[[AT:.*]] = tt.addptr %x, %n : !tt.ptr<f32>, i32
// SCALARS: tt.load %[[AT]] : !tt.ptr<f32>
// SCALARS: arith.addf
// SCALARS: tt.store %out, %{{.*}} : !tt.ptr<f32>
// SCALARS: arith.sitofp %n
// SCALARS: tt.store
// SCALARS: tt.load
// SCALARS: tt.store
TEENY_KERNEL(scalars, (f32 *out, const f32 *x, i32 n), META(), {
    *out = *x + x[n];
    n[out] = n;
    out[2] = *(out + 1);
});

// POINTERS: tt.addptr %x, %n : !tt.ptr<f32>, i32
// POINTERS: %[[N:.*]] = arith.extsi %n : i32 to i64
// POINTERS: %[[MINUS:.*]] = arith.subi %{{.*}}, %[[N]] : i64
// POINTERS: tt.addptr %{{.*}}, %[[MINUS]] : !tt.ptr<f32>, i64
// POINTERS: %[[U:.*]] = arith.extui %u : i32 to i64
// POINTERS: tt.addptr %{{.*}}, %[[U]] : !tt.ptr<f32>, i64
// POINTERS: tt.addptr %{{.*}}, %w : !tt.ptr<f32>, i64
TEENY_KERNEL(pointers, (f32 *out, const f32 *x, i32 n, u32 u, i64 w), META(), {
    const f32 *p = x + n;
    out[0] = *p;
    p = p - n;
    out[1] = *p;
    p += u;
    out[2] = p[w];
});

// Lanes that are masked off give `other`, or 0.
// LOADS-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
// LOADS-DAG: %[[INFINITY:.*]] = arith.constant dense<0xFF800000> : tensor<64xf32>
// LOADS: tt.load %[[P:[a-z0-9_]*]] : tensor<64x!tt.ptr<f32>>
// LOADS: %[[MASK:.*]] = arith.cmpi slt
// LOADS: tt.load %[[P]], %[[MASK]], %[[ZERO]] : tensor<64x!tt.ptr<f32>>
// LOADS: tt.load %[[P]], %[[MASK]], %[[INFINITY]] : tensor<64x!tt.ptr<f32>>
// LOADS: %[[OTHER:.*]] = tt.splat %other : f32 -> tensor<64xf32>
// LOADS: tt.load %[[P]], %[[MASK]], %[[OTHER]] : tensor<64x!tt.ptr<f32>>
// LOADS: arith.cmpi ne, %{{.*}} : tensor<64xi32>
TEENY_KERNEL(loads, (f32 *out, const f32 *x, const i32 *flags, i32 n, f32 other), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(out, i, tl_load(x, i));
    tl_store(out, i, tl_load(x, i, i < n));
    tl_store(out, i, tl_load(x, i, i < n, -INFINITY));
    tl_store(out, i, tl_load(x, i, i < n, other));
    tl_store(out, i, tl_load(x, i, tl_load(flags, i)));
});

// STORES: tt.store %[[P:[a-z0-9_]*]], %[[V:[a-z0-9_]*]] : tensor<64x!tt.ptr<f32>>
// STORES: %[[MASK:.*]] = arith.cmpi slt
// STORES: tt.store %[[P]], %[[V]], %[[MASK]] : tensor<64x!tt.ptr<f32>>
TEENY_KERNEL(stores, (f32 *out, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 64) v = tl_load(out + 64, i);
    tl_store(out, i, v);
    tl_store(out, i, v, i < n);
});

// tt.addptr sign-extends: unsigned and narrow offsets are widened first.
// OFFSETS: %[[U:.*]] = arith.extui %{{.*}} : tensor<64xi32> to tensor<64xi64>
// OFFSETS: tt.addptr %{{.*}}, %[[U]] : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
// OFFSETS: %[[B:.*]] = arith.extsi %{{.*}} : tensor<64xi8> to tensor<64xi32>
// OFFSETS: tt.addptr %{{.*}}, %[[B]] : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
// OFFSETS: tt.addptr %{{.*}} : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
TEENY_KERNEL(offsets, (f32 *out, const u32 *u, const i8 *b, const i64 *w), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(out, tl_load(u, i), tl_zeros(f32, 64));
    tl_store(out, tl_load(b, i), tl_zeros(f32, 64));
    tl_store(out, tl_load(w, i), tl_zeros(f32, 64));
});

// A scalar offset loads and stores a scalar; its mask is one, too.
// ONE: %[[MASK:.*]] = arith.cmpi sgt, %n, %{{.*}} : i32
// ONE: %[[V:.*]] = tt.load %{{.*}}, %[[MASK]], %{{.*}} : !tt.ptr<f32>
// ONE: tt.store %{{.*}}, %[[V]], %[[MASK]] : !tt.ptr<f32>
TEENY_KERNEL(one, (f32 *out, i32 n), META(), {
    tl_store(out, n + 1, tl_load(out, n, n > 3, 1.5f), n > 3);
});

// f8 and bf16 are moved as they are.
// F8: tt.load %{{.*}} : tensor<64x!tt.ptr<f8E4M3FN>>
// F8: tt.store %{{.*}} : tensor<64x!tt.ptr<f8E4M3FN>>
// F8: tt.load %{{.*}} : tensor<64x!tt.ptr<f8E5M2>>
// F8: tt.store %{{.*}} : tensor<64x!tt.ptr<f8E5M2>>
TEENY_KERNEL(f8, (f8e4m3 *a, f8e5m2 *b), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f8e4m3, 64) x = tl_load(a, i);
    tl_store(a + 64, i, x);
    tl_tile(f8e5m2, 64) y = tl_load(b, i);
    tl_store(b + 64, i, y);
});

// Flags become the operation's attributes.
// FLAGS: tt.load {{.*}} cacheModifier = cg evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
// FLAGS: tt.load {{.*}} {isVolatile = true} : tensor<64x!tt.ptr<f32>>
// FLAGS: tt.store {{.*}} cacheModifier = cs evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
TEENY_KERNEL(flags, (f32 *out, const f32 *x, i32 n), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_tile(f32, BLOCK) a = tl_load(x, i, i < n, 1, TL_CACHE_CG | TL_EVICT_FIRST);
    tl_tile(f32, BLOCK) b = tl_load(x + n, i, i < n, 0, TL_VOLATILE);
    tl_store(out, i, a + b, i < n, TL_CACHE_CS | TL_EVICT_LAST);
});
