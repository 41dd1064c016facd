// RUN: %ttir scale | FileCheck %s --check-prefix=F32
// RUN: %ttir scale --type T=f16 | FileCheck %s --check-prefix=F16
// RUN: %ttir scale --type T=bf16 | FileCheck %s --check-prefix=BF16
// RUN: %ttir scale --type T=i8 --type U=u8 | FileCheck %s --check-prefix=I8
// RUN: %ttir flags --type F=bool | FileCheck %s --check-prefix=BOOL
#include <teeny/kernel.h>

// A TEENY_TYPE stands for its default, or what --type says.
TEENY_TYPE(T, f32);
TEENY_TYPE(U, i32);
TEENY_TYPE(F, i32);

// F32: tt.func public @scale(%out: !tt.ptr<f32> {{.*}}%codes: !tt.ptr<i32>
// F32: arith.addf %{{.*}} : tensor<64xf32>
// F16: tt.func public @scale(%out: !tt.ptr<f16>
// F16: arith.addf %{{.*}} : tensor<64xf16>
// BF16: tt.func public @scale(%out: !tt.ptr<bf16>
// BF16: arith.addf %{{.*}} : tensor<64xbf16>
// I8: tt.func public @scale(%out: !tt.ptr<i8> {{.*}}%codes: !tt.ptr<i8>
// I8: arith.addi %{{.*}} : tensor<64xi8>
// I8: arith.shrui %{{.*}} : tensor<64xi8>
TEENY_KERNEL(scale, (T *out, const T *x, U *codes), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(T, 64) v = tl_load(x, i);
    tl_store(out, i, v + v);
    tl_tile(U, 64) c = tl_load(codes, i);
    tl_store(codes, i, c >> 1);
});

// BOOL: tt.func public @flags(%out: !tt.ptr<i8>
// BOOL: arith.andi %{{.*}} : tensor<64xi1>
TEENY_KERNEL(flags, (F *out), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(F, 64) v = tl_load(out, i);
    tl_tile(F, 64) w = tl_load(out, i + 64);
    tl_store(out, i, v & w);
});
