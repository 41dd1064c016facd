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
