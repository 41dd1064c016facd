// RUN: %ttir in_i32 | FileCheck %s --check-prefix=I32
// RUN: %ttir in_u32 | FileCheck %s --check-prefix=U32
// RUN: %ttir in_i64 | FileCheck %s --check-prefix=I64
// RUN: %ttir narrow | FileCheck %s --check-prefix=NARROW
// RUN: %ttir mixed | FileCheck %s --check-prefix=MIXED
#include <teeny/kernel.h>

// I32-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// I32-DAG: %complement = arith.constant -1 : i32
// I32: %sum = arith.addi %a, %b : i32
// I32: %difference = arith.subi %a, %b : i32
// I32: %product = arith.muli %a, %b : i32
// I32: %both = arith.andi %a, %b : i32
// I32: %any = arith.ori %a, %b : i32
// I32: %one = arith.xori %a, %b : i32
// I32: %[[COMPLEMENT:.*]] = arith.xori %a, %complement : i32
// I32: %negative = arith.subi %[[ZERO]], %a : i32
// I32: tt.store %{{.*}}, %[[COMPLEMENT]] : !tt.ptr<i32>
// I32: tt.store %{{.*}}, %a : !tt.ptr<i32>
TEENY_KERNEL(in_i32, (i32 *out, i32 a, i32 b), META(), {
    i32 sum = a + b;
    i32 difference = a - b;
    i32 product = a * b;
    i32 both = a & b;
    i32 any = a | b;
    i32 one = a ^ b;
    i32 complement = ~a;
    i32 negative = -a;
    out[0] = sum;
    out[1] = difference;
    out[2] = product;
    out[3] = both;
    out[4] = any;
    out[5] = one;
    out[6] = complement;
    out[7] = negative;
    out[8] = +a;
});

// Comparisons of scalars are ints, 0 or 1; signedness chooses the predicate.
// U32: arith.cmpi ult, %a, %b : i32
// U32: arith.extui %{{.*}} : i1 to i32
// U32: arith.cmpi ule, %a, %b : i32
// U32: arith.cmpi ugt, %a, %b : i32
// U32: arith.cmpi uge, %a, %b : i32
// U32: arith.cmpi eq, %a, %b : i32
// U32: arith.cmpi ne, %a, %b : i32
TEENY_KERNEL(in_u32, (i32 *out, u32 a, u32 b), META(), {
    out[0] = a < b;
    out[1] = a <= b;
    out[2] = a > b;
    out[3] = a >= b;
    out[4] = a == b;
    out[5] = a != b;
});

// I64: arith.cmpi slt, %a, %b : i64
// I64: arith.cmpi sle, %a, %b : i64
// I64: arith.cmpi sgt, %a, %b : i64
// I64: arith.cmpi sge, %a, %b : i64
// I64: %{{.*}} = arith.addi %a, %b : i64
TEENY_KERNEL(in_i64, (i64 *out, i64 a, i64 b), META(), {
    out[0] = a < b;
    out[1] = a <= b;
    out[2] = a > b;
    out[3] = a >= b;
    out[4] = a + b;
});

// C computes with narrow integers in int, and cuts what is stored.
// NARROW: arith.extsi %a : i8 to i32
// NARROW: arith.extsi %b : i8 to i32
// NARROW: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// NARROW: arith.trunci %[[SUM]] : i32 to i8
// NARROW: arith.extui %u : i16 to i32
// NARROW: arith.shrsi
TEENY_KERNEL(narrow, (i8 *out, u16 *wide, i8 a, i8 b, u16 u), META(), {
    out[0] = a + b;
    wide[0] = u >> 3;
});

// The usual arithmetic conversions: i32 with u32 is unsigned, with i64 is widened by its sign.
// MIXED: arith.divui
// MIXED: arith.extsi %a : i32 to i64
// MIXED: arith.addi %{{.*}} : i64
TEENY_KERNEL(mixed, (u32 *out, i64 *wide, i32 a, u32 u, i64 w), META(), {
    out[0] = a / u;
    wide[0] = a + w;
});
