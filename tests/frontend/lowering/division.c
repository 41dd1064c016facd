// RUN: %ttir of_signed | FileCheck %s --check-prefix=SIGNED
// RUN: %ttir of_unsigned | FileCheck %s --check-prefix=UNSIGNED
// RUN: %ttir by_constant | FileCheck %s --check-prefix=CONSTANT
// RUN: %ttir of_tiles | FileCheck %s --check-prefix=TILES
// RUN: %ttir of_bytes | FileCheck %s --check-prefix=BYTES
#include <teeny/kernel.h>

// Division truncates and never traps: the divisor is 1 in place of 0, and of -1 under the smallest
// number.
// SIGNED: %[[ZERO:.*]] = arith.cmpi eq, %b, %{{.*}} : i32
// SIGNED: %[[SAFE:.*]] = arith.select %[[ZERO]], %{{.*}}, %b : i32
// SIGNED: %[[SMALLEST:.*]] = arith.cmpi eq, %a, %{{.*}} : i32
// SIGNED: %[[MINUS:.*]] = arith.cmpi eq, %b, %{{.*}} : i32
// SIGNED: %[[WRAPS:.*]] = arith.andi %[[SMALLEST]], %[[MINUS]] : i1
// SIGNED: %[[DIVISOR:.*]] = arith.select %[[WRAPS]], %{{.*}}, %[[SAFE]] : i32
// SIGNED: arith.divsi %a, %[[DIVISOR]] : i32
// SIGNED: arith.remsi %a, %{{.*}} : i32
TEENY_KERNEL(of_signed, (i32 *out, i32 a, i32 b), META(), {
    out[0] = a / b;
    out[1] = a % b;
});

// UNSIGNED: %[[ZERO:.*]] = arith.cmpi eq, %b, %{{.*}} : i64
// UNSIGNED: %[[DIVISOR:.*]] = arith.select %[[ZERO]], %{{.*}}, %b : i64
// UNSIGNED-NOT: arith.andi
// UNSIGNED: arith.divui %a, %[[DIVISOR]] : i64
// UNSIGNED: arith.remui %a, %{{.*}} : i64
TEENY_KERNEL(of_unsigned, (u64 *out, u64 a, u64 b), META(), {
    out[0] = a / b;
    out[1] = a % b;
});

// A constant divisor leaves nothing to guard.
// CONSTANT-NOT: arith.select
// CONSTANT: arith.divsi %a, %{{.*}} : i32
// CONSTANT-NOT: arith.select
TEENY_KERNEL(by_constant, (i32 *out, i32 a), META(), { out[0] = a / 12; });

// TILES: arith.select %{{.*}} : tensor<64xi1>, tensor<64xi32>
// TILES: arith.divsi %{{.*}}, %{{.*}} : tensor<64xi32>
// TILES: arith.remsi %{{.*}}, %{{.*}} : tensor<64xi32>
TEENY_KERNEL(of_tiles, (i32 *out, const i32 *x), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(i32, 64) a = tl_load(x, i);
    tl_store(out, i, a / i);
    tl_store(out, i + 64, a % i);
});

// The lanes of a tile are not widened as C's scalars are.
// BYTES: arith.constant dense<-128> : tensor<64xi8>
// BYTES: arith.divsi %{{.*}}, %{{.*}} : tensor<64xi8>
TEENY_KERNEL(of_bytes, (i8 *out, const i8 *x), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(i8, 64) a = tl_load(x, i);
    tl_store(out, i, a / tl_load(x, i + 64));
});
