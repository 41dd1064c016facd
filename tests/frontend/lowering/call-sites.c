// RUN: cd %S && teenyc call-sites.c --target sm_80 --emit ttir | FileCheck call-sites.c
#include <teeny/kernel.h>

// What comes out of a helper says its name, its place there, and where it was called, through helpers
// of helpers; the name of a variable stands around that.
// CHECK: arith.muli %n, %n : i32 loc(#[[PRODUCT:.*]])
// CHECK-DAG: #[[CALL_NEXT:.*]] = loc("call-sites.c":22:55)
// CHECK-DAG: #[[CALL_SQUARE:.*]] = loc("call-sites.c":20:43)
// CHECK-DAG: #[[TIMES:.*]] = loc("call-sites.c":17:21)
// CHECK-DAG: #[[IN_SQUARE:.*]] = loc(fused<"square">[#[[TIMES]]])
// CHECK-DAG: #[[IN_NEXT:.*]] = loc(fused<"next">[#[[CALL_SQUARE]]])
// CHECK-DAG: #[[OUTER:.*]] = loc(callsite(#[[IN_NEXT]] at #[[CALL_NEXT]]))
// CHECK-DAG: #[[INNER:.*]] = loc(callsite(#[[IN_SQUARE]] at #[[OUTER]]))
// CHECK-DAG: #[[PRODUCT]] = loc("product"(#[[INNER]]))

TEENY_DEVICE(i32, square, (i32 x), {
    i32 product = x * x;
    return product;
});
TEENY_DEVICE(i32, next, (i32 x), { return square(x) + 1; });

TEENY_KERNEL(k, (i32 *out, i32 n), META(), { out[0] = next(n); });
