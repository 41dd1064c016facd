// RUN: %ttir of_scalars | FileCheck %s --check-prefix=SCALARS
// RUN: %ttir of_tiles | FileCheck %s --check-prefix=TILES
// RUN: %ttir by_scalars | FileCheck %s --check-prefix=BY
#include <teeny/kernel.h>

// A count is taken modulo the width: no value of it is undefined. `>>` follows the sign of what is
// shifted, whatever the count's type is.
// SCALARS: %[[COUNT:.*]] = arith.andi %n, %{{.*}} : i32
// SCALARS: arith.shli %a, %[[COUNT]] : i32
// SCALARS: arith.shrsi %a, %{{.*}} : i32
// SCALARS: arith.shrui %u, %{{.*}} : i32
// SCALARS: %[[WIDE:.*]] = arith.extsi %n : i32 to i64
// SCALARS: %[[WIDE_COUNT:.*]] = arith.andi %[[WIDE]], %{{.*}} : i64
// SCALARS: arith.shrsi %w, %[[WIDE_COUNT]] : i64
TEENY_KERNEL(of_scalars, (i64 *out, i32 a, u32 u, i64 w, i32 n), META(), {
    out[0] = a << n;
    out[1] = a >> n;
    out[2] = u >> n;
    out[3] = w >> n;
});

// TILES: %[[COUNT:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<64xi32>
// TILES: arith.shli %{{.*}}, %[[COUNT]] : tensor<64xi32>
// TILES: arith.shrsi
TEENY_KERNEL(of_tiles, (i32 *out, const i32 *x), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(i32, 64) a = tl_load(x, i);
    tl_store(out, i, a << i);
    tl_store(out, i + 64, a >> i);
});

// A scalar count has no type of its own beside a tile.
// BY: %[[SPLAT:.*]] = tt.splat %{{.*}} : i8 -> tensor<64xi8>
// BY: %[[COUNT:.*]] = arith.andi %[[SPLAT]], %{{.*}} : tensor<64xi8>
// BY: arith.shrui %{{.*}}, %[[COUNT]] : tensor<64xi8>
// BY: arith.shrui %{{.*}} : tensor<64xi64>
// BY: arith.shli %{{.*}} : tensor<64xi64>
TEENY_KERNEL(by_scalars, (u8 *bytes, u64 *words, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_store(bytes, i, tl_load(bytes, i) >> n);
    tl_store(words, i, tl_load(words, i) >> n);
    tl_store(words, i + 64, tl_load(words, i) << 3);
});
