// RUN: %ttir in_f32 | FileCheck %s --check-prefix=F32
// RUN: %ttir in_f64 | FileCheck %s --check-prefix=F64
// RUN: %ttir in_f16 | FileCheck %s --check-prefix=F16
// RUN: %ttir in_bf16 | FileCheck %s --check-prefix=BF16
#include <teeny/kernel.h>

// `/` is the IEEE quotient: arith.divf means a fast one in the tt dialect.
// F32-NOT: arith.divf
// F32: %sum = arith.addf %a, %b : f32
// F32: %difference = arith.subf %a, %b : f32
// F32: %product = arith.mulf %a, %b : f32
// F32: %quotient = tt.precise_divf %a, %b : f32
// F32: %negative = arith.negf %a : f32
// F32: arith.cmpf olt, %a, %b : f32
// F32: arith.cmpf ole, %a, %b : f32
// F32: arith.cmpf ogt, %a, %b : f32
// F32: arith.cmpf oge, %a, %b : f32
// F32: arith.cmpf oeq, %a, %b : f32
// F32: arith.cmpf une, %a, %b : f32
// F32-NOT: arith.divf
TEENY_KERNEL(in_f32, (f32 *out, f32 a, f32 b), META(), {
    f32 sum = a + b;
    f32 difference = a - b;
    f32 product = a * b;
    f32 quotient = a / b;
    f32 negative = -a;
    out[0] = sum;
    out[1] = difference;
    out[2] = product;
    out[3] = quotient;
    out[4] = negative;
    out[5] = a < b;
    out[6] = a <= b;
    out[7] = a > b;
    out[8] = a >= b;
    out[9] = a == b;
    out[10] = a != b;
});

// A double beside a float widens it, as in C.
// F64: arith.divf %a, %b : f64
// F64: %[[WIDE:.*]] = arith.extf %c : f32 to f64
// F64: %[[SUM:.*]] = arith.addf %[[WIDE]], %{{.*}} : f64
// F64: arith.truncf %[[SUM]] : f64 to f32
TEENY_KERNEL(in_f64, (f64 *out, f32 *narrow, f64 a, f64 b, f32 c), META(), {
    out[0] = a / b;
    narrow[0] = c + 0.5;
});

// F16: arith.addf %a, %b : f16
// F16: %[[A:.*]] = arith.extf %a : f16 to f32
// F16: %[[B:.*]] = arith.extf %b : f16 to f32
// F16: %[[QUOTIENT:.*]] = tt.precise_divf %[[A]], %[[B]] : f32
// F16: arith.truncf %[[QUOTIENT]] : f32 to f16
TEENY_KERNEL(in_f16, (f16 *out, f16 a, f16 b), META(), {
    out[0] = a + b;
    out[1] = a / b;
});

// bf16 scalars are passed, loaded and stored.
// BF16: tt.store %out, %a : !tt.ptr<bf16>
// BF16: %[[LOADED:.*]] = tt.load
// BF16: tt.store %{{.*}}, %[[LOADED]] : !tt.ptr<bf16>
TEENY_KERNEL(in_bf16, (bf16 *out, bf16 a), META(), {
    out[0] = a;
    out[1] = out[2];
});
