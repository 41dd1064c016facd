// RUN: cd %S && teenyc locations.c --target sm_80 --emit ttir | FileCheck locations.c
#include <teeny/kernel.h>

// Every operation has the place of the user's token, and the name of the variable it goes into.
// CHECK-DAG: #[[OUT:.*]] = loc("locations.c":19:11)
// CHECK-DAG: #[[N:.*]] = loc("locations.c":21:5)
// CHECK-DAG: #[[OUT_NAME:.*]] = loc("out"(#[[OUT]]))
// CHECK-DAG: #[[N_NAME:.*]] = loc("n"(#[[N]]))
// CHECK: %out: !tt.ptr<i32> loc("out"(#[[OUT]])), %n: i32 loc("n"(#[[N]]))
// CHECK: %[[SUM:.*]] = arith.addi %n, %{{.*}} : i32 loc(#[[SUM_NAME:.*]])
// CHECK: arith.muli %[[SUM]], %[[SUM]] : i32 loc(#[[PRODUCT:.*]])
// CHECK: tt.store %out, %{{.*}} loc(#[[STORE:.*]])
// CHECK-DAG: #[[PLUS:.*]] = loc("locations.c":23:9)
// CHECK-DAG: #[[PRODUCT]] = loc("locations.c":26:18)
// CHECK-DAG: #[[STORE]] = loc("locations.c":25:16)
// CHECK-DAG: #[[SUM_NAME]] = loc("sum"(#[[PLUS]]))
TEENY_KERNEL(
    k,
    (i32 *out,
    i32
    n),
    META(), { i32 sum =
      n +
        1;
        out[0] =
             sum * sum; });
