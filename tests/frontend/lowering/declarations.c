// RUN: %ttir k | FileCheck %s
#include <teeny/kernel.h>

// Captured constants and types; the host sees them, too.
TEENY_DECL(enum { TILE = 64, HALF = TILE / 2 }; enum mode { UP = 3, DOWN = 7 };);
TEENY_DECL(typedef f32 weight; static inline i32 twice_of(i32 x) { return x + x; });

// CHECK: tt.func public @k(%out: !tt.ptr<f32> {{.*}}%m: i32
// CHECK: tt.make_range {end = 32 : i32, start = 0 : i32}
// CHECK: arith.cmpi eq, %m, %{{.*}} : i32
// CHECK: arith.addi %n, %n : i32
TEENY_KERNEL(k, (weight *out, enum mode m, i32 n), META(), {
    tl_store(out, tl_arange(0, HALF), tl_zeros(f32, HALF));
    out[0] = m == DOWN;
    out[1] = twice_of(n);
});
