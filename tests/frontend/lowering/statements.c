// RUN: %ttir k | FileCheck %s --check-prefix=K
// RUN: %ttir conditional_text | FileCheck %s --check-prefix=IF
#include <teeny/kernel.h>

// Blocks have scopes, statement expressions a value, a comma its right side; several declarations
// may share one statement.
// K: %[[Y:.*]] = arith.addf %x, %{{.*}} : f32
// K: %[[INNER:.*]] = arith.mulf %x, %x : f32
// K: tt.store %out, %[[INNER]]
// K: tt.store %{{.*}}, %x
// K: tt.store %{{.*}}, %x
// K: tt.store %{{.*}}, %[[Y]]
TEENY_KERNEL(k, (f32 *out, f32 x), META(), {
    f32 y = ({
        f32 z = x + 1;
        z;
    });
    f32 a = x, b = a;
    {
        f32 a = x * x;
        out[0] = a;
    }
    out[1] = b;
    ;
    out[2] = (out[3] = x, y);
});

// `#if` in a body is the preprocessor's as everywhere; what it drops is not looked at.
// IF: tt.store %out, %x
// IF-NOT: tt.store
TEENY_KERNEL(conditional_text, (f32 *out, f32 x), META(), {
#if 0
    out[0] = 1 ' " ;
#elif 1 /* taken */
    out[0] = x;
#else
    out[0] = unknown;
#endif
});

// A switch of one statement, labels without a block around them.
// RUN: %ttir bare_switch | FileCheck %s --check-prefix=BARE
// BARE: arith.cmpi eq, %n
// BARE: arith.cmpi eq, %n
// BARE: scf.if
TEENY_KERNEL(bare_switch, (f32 *out, i32 n), META(), {
    switch (n)
    case 1:
    case 2:
        out[0] = 1;
});

// Neither side of a `?:` without a value is lost.
// RUN: %ttir no_value | FileCheck %s --check-prefix=NOVALUE
// NOVALUE: scf.if
// NOVALUE-NEXT: tt.store %out
// NOVALUE-NEXT: } else {
// NOVALUE: tt.addptr %out
// NOVALUE-NEXT: tt.store
TEENY_KERNEL(no_value, (f32 *out, i32 n), META(), {
    n ? tl_store(out, 0, 1) : tl_store(out, 1, 2);
});

// What is assigned inside of a `?:` comes out of it, also from one side alone.
// RUN: %ttir in_a_choice | FileCheck %s --check-prefix=INCHOICE
// INCHOICE: %[[A:.*]]:2 = scf.if
// INCHOICE: tt.store %{{.*}}, %{{.*}} : !tt.ptr<i32>
TEENY_KERNEL(in_a_choice, (i32 *out, const i32 *x, i32 n), META(), {
    i32 a;
    n = n > 3 ? (a = x[0]) : 2;
    out[0] = n + a;
});

// A typedef of a tile, and the typeof of a variable, have its shape.
// RUN: %ttir named_tiles | FileCheck %s --check-prefix=NAMED
// NAMED: scf.for {{.*}} -> (tensor<64xf32>)
TEENY_DECL(typedef tl_tile(f32, 64) tile64;);
TEENY_DEVICE(tile64, chosen, (i32 n), {
    if (n > 0)
        return tl_zeros(f32, 64);
    return tl_full(f32, 1, 64);
});
TEENY_KERNEL(named_tiles, (f32 *out, i32 n), META(), {
    tile64 x = chosen(n);
    __typeof__(x) y;
    for (i32 i = 0; i < n; i++)
        y = x + 1;
    tl_store(out, tl_arange(0, 64), y);
});

// __auto_type takes the shape of its value, whatever tile that was made of.
// RUN: %ttir deduced | FileCheck %s --check-prefix=DEDUCED
// DEDUCED: tt.reshape %{{.*}} : tensor<64xf32> -> tensor<8x8xf32>
TEENY_KERNEL(deduced, (f32 *out), META(), {
    tl_tile(f32, 64) x = tl_load(out, tl_arange(0, 64));
    __auto_type square = tl_reshape(x, 8, 8);
    out[0] = tl_sum(tl_sum(square, 0, 8));
});
