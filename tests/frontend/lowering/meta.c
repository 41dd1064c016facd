// RUN: %ttir k | FileCheck %s --check-prefix=DEFAULT
// RUN: %ttir k -D BLOCK=256 | FileCheck %s --check-prefix=BLOCK
// RUN: %ttir k -DBLOCK=256 -D HALF=0x10 --define=BIAS=-7 | FileCheck %s --check-prefix=ALL
// RUN: %ttir wide -D BIG=9223372036854775807 | FileCheck %s --check-prefix=WIDE
// RUN: %ttir wide -D BIG=-9223372036854775808 | FileCheck %s --check-prefix=LEAST
// RUN: %ttir beside -D WIDE=3000000000 | FileCheck %s --check-prefix=BESIDE
// RUN: %ttir none | FileCheck %s --check-prefix=NONE
#include <teeny/kernel.h>

// A META uses those before it, which -D changes with it.
// DEFAULT-DAG: arith.constant 3 : i32
// DEFAULT: tt.make_range {end = 128 : i32, start = 0 : i32}
// DEFAULT: tt.make_range {end = 64 : i32, start = 0 : i32}
// BLOCK: tt.make_range {end = 256 : i32, start = 0 : i32}
// BLOCK: tt.make_range {end = 128 : i32, start = 0 : i32}
// ALL-DAG: arith.constant -7 : i32
// ALL: tt.make_range {end = 256 : i32, start = 0 : i32}
// ALL: tt.make_range {end = 16 : i32, start = 0 : i32}
TEENY_KERNEL(k, (i32 *out), META(BLOCK = 128, HALF = BLOCK / 2, BIAS = (1, 3)), {
    tl_store(out, tl_arange(0, BLOCK), tl_zeros(i32, BLOCK));
    tl_store(out, tl_arange(0, HALF), tl_zeros(i32, HALF));
    out[0] = BIAS;
});

// WIDE-DAG: arith.constant 9223372036854775807 : i64
// WIDE-DAG: arith.constant 4611686018427387903 : i64
TEENY_KERNEL(wide, (i64 *out), META(BIG = 1LL << 40, HALF_OF_IT = BIG / 2), {
    out[0] = BIG;
    out[1] = HALF_OF_IT;
});

// LEAST-DAG: arith.constant -9223372036854775808 : i64
// LEAST-DAG: arith.constant -4611686018427387904 : i64

// A wide META leaves the others ints.
// BESIDE-DAG: arith.constant 1 : i32
// BESIDE: tt.store %{{.*}}, %c1_i32 : !tt.ptr<i32>
TEENY_KERNEL(beside, (i32 *out, i64 *wide), META(A = 1, WIDE = 5), {
    out[0] = A - 2 < 0;
    wide[0] = WIDE;
});

// NONE: tt.store
TEENY_KERNEL(none, (i64 *out), META(), { out[0] = 1; });
