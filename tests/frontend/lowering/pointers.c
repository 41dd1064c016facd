// RUN: %ttir tested | FileCheck %s --check-prefix=TESTED
// RUN: %ttir compared | FileCheck %s --check-prefix=COMPARED
// RUN: %ttir distance | FileCheck %s --check-prefix=DISTANCE
// RUN: %ttir null | FileCheck %s --check-prefix=NULL
#include <teeny/kernel.h>

// A pointer is a condition: it is not null.
// TESTED: %[[BITS:.*]] = tt.ptr_to_int %x : !tt.ptr<f32> -> i64
// TESTED: %[[IS:.*]] = arith.cmpi ne, %[[BITS]], %{{.*}} : i64
// TESTED: scf.if %[[IS]]
// TESTED: arith.select %[[IS]], %false, %{{.*}} : i1
// TESTED: scf.if
TEENY_KERNEL(tested, (f32 *out, const f32 *x, i32 n), META(), {
    if (x)
        out[0] = x[0];
    if (!x && n)
        out[1] = 1;
});

// Addresses compare as unsigned integers, also with a pointer to const.
// COMPARED-DAG: %[[OUT:.*]] = tt.ptr_to_int %out
// COMPARED-DAG: %[[X:.*]] = tt.ptr_to_int %x
// COMPARED: arith.cmpi eq, %[[OUT]], %[[X]] : i64
// COMPARED: arith.cmpi ult, %[[OUT]], %[[X]] : i64
TEENY_KERNEL(compared, (i32 *out, const i32 *x), META(), {
    out[0] = out == x;
    out[1] = out < x;
});

// A difference counts elements.
// DISTANCE: %[[SIZE:.*]] = arith.constant 8 : i64
// DISTANCE: %[[BYTES:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// DISTANCE: arith.divsi %[[BYTES]], %[[SIZE]] : i64
TEENY_KERNEL(distance, (i64 *out, const i64 *x), META(), { out[0] = x - out; });

// 0 is a null pointer where a pointer is wanted.
// NULL: %[[NULL:.*]] = tt.int_to_ptr
// NULL: arith.select %{{.*}}, %x, %[[NULL]] : !tt.ptr<i32>
TEENY_KERNEL(null, (i32 *out, const i32 *x, i32 n), META(), {
    const i32 *p = n ? x : 0;
    if (p != 0)
        out[0] = *p;
});
