// RUN: %ttir between_integers | FileCheck %s --check-prefix=INTEGERS
// RUN: %ttir to_floats | FileCheck %s --check-prefix=FLOATS
// RUN: %ttir from_f32 | FileCheck %s --check-prefix=SATURATES
// RUN: %ttir from_f64 | FileCheck %s --check-prefix=F64
// RUN: %ttir from_f16 | FileCheck %s --check-prefix=F16
// RUN: %ttir to_bool | FileCheck %s --check-prefix=BOOL
// RUN: %ttir eight_bits | FileCheck %s --check-prefix=F8
#include <teeny/kernel.h>

// INTEGERS: %wide = arith.extsi %a : i32 to i64
// INTEGERS: %unsigned_wide = arith.extui %u : i32 to i64
// INTEGERS: %narrow = arith.trunci %a : i32 to i8
// INTEGERS: tt.store %{{.*}}, %a : !tt.ptr<i32>
// INTEGERS: arith.extui %flag : i1 to i32
TEENY_KERNEL(between_integers, (i64 *w, i8 *b, u32 *q, i32 a, u32 u, bool flag), META(), {
    i64 wide = a;
    u64 unsigned_wide = u;
    i8 narrow = a;
    w[0] = wide;
    w[1] = unsigned_wide;
    b[0] = narrow;
    q[0] = a;
    q[1] = flag;
});

// FLOATS: arith.sitofp %a : i32 to f32
// FLOATS: arith.uitofp %u : i32 to f32
// FLOATS: arith.uitofp %flag : i1 to f32
// FLOATS: arith.truncf %d : f64 to f32
// FLOATS: arith.truncf %x : f32 to f16
TEENY_KERNEL(to_floats, (f32 *out, f16 *half, i32 a, u32 u, bool flag, f64 d, f32 x), META(), {
    out[0] = a;
    out[1] = u;
    out[2] = flag;
    out[3] = d;
    half[0] = x;
});

// Saturates, NaN to 0: the bounds are powers of two, which f32 holds exactly.
// SATURATES-DAG: %[[HIGH:.*]] = arith.constant 2.14748365E+9 : f32
// SATURATES-DAG: %[[LOW:.*]] = arith.constant -2.14748365E+9 : f32
// SATURATES-DAG: %[[LARGEST:.*]] = arith.constant 2147483647 : i32
// SATURATES-DAG: %[[SMALLEST:.*]] = arith.constant -2147483648 : i32
// SATURATES-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// SATURATES: %[[RAW:.*]] = arith.fptosi %x : f32 to i32
// SATURATES: %[[BELOW:.*]] = arith.cmpf olt, %x, %[[LOW]] : f32
// SATURATES: %[[FLOOR:.*]] = arith.select %[[BELOW]], %[[SMALLEST]], %[[RAW]] : i32
// SATURATES: %[[FITS:.*]] = arith.cmpf olt, %x, %[[HIGH]] : f32
// SATURATES: %[[BOTH:.*]] = arith.select %[[FITS]], %[[FLOOR]], %[[LARGEST]] : i32
// SATURATES: %[[NAN:.*]] = arith.cmpf uno, %x, %x : f32
// SATURATES: arith.select %[[NAN]], %[[ZERO]], %[[BOTH]] : i32
TEENY_KERNEL(from_f32, (i32 *out, f32 x), META(), { out[0] = x; });

// F64-DAG: arith.constant 1.8446744073709552E+19 : f64
// F64-DAG: arith.constant 0.000000e+00 : f64
// F64-DAG: arith.constant -1 : i64
// F64: arith.fptoui %x : f64 to i64
TEENY_KERNEL(from_f64, (u64 *out, f64 x), META(), { out[0] = x; });

// f16 goes through f32, in which the bounds of every integer type are finite.
// F16: arith.extf %x : f16 to f32
// F16: arith.fptosi %{{.*}} : f32 to i64
TEENY_KERNEL(from_f16, (i64 *out, f16 x), META(), { out[0] = x; });

// `!= 0`, and a byte in memory. A NaN is not 0.
// BOOL: %[[A:.*]] = arith.cmpi ne, %a, %{{.*}} : i32
// BOOL: %[[BYTE:.*]] = arith.extui %[[A]] : i1 to i8
// BOOL: tt.store %out, %[[BYTE]] : !tt.ptr<i8>
// BOOL: arith.cmpf une, %x, %{{.*}} : f32
// BOOL: %[[LOADED:.*]] = tt.load %{{.*}} : !tt.ptr<i8>
// BOOL: arith.cmpi ne, %[[LOADED]], %{{.*}} : i8
TEENY_KERNEL(to_bool, (bool *out, i32 *count, i32 a, f32 x), META(), {
    out[0] = a;
    out[1] = x;
    count[0] = out[2];
});

// 8-bit floats: a conversion to a narrower type says how it rounds; integers, and one beside the
// other, go through f32.
// F8: tt.fp_to_fp %x, rounding = rtne : f64 -> f8E4M3FN
// F8: %[[WIDE:.*]] = tt.fp_to_fp %{{.*}} : f8E4M3FN -> f32
// F8: tt.fp_to_fp %[[WIDE]], rounding = rtne : f32 -> f8E5M2
// F8: %[[INTEGER:.*]] = arith.sitofp %n : i64 to f32
// F8: tt.fp_to_fp %[[INTEGER]], rounding = rtne : f32 -> f8E5M2
TEENY_KERNEL(eight_bits, (f8e4m3 *a, f8e5m2 *b, f64 x, i64 n), META(), {
    a[0] = tl_cast(f8e4m3, x);
    b[0] = tl_cast(f8e5m2, a[1]);
    b[1] = tl_cast(f8e5m2, n);
});
