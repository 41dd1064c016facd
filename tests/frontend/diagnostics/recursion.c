#include <teeny/kernel.h>

TEENY_DECL(static f32 second(f32 x););
TEENY_DEVICE(f32, recursive, (f32 x), { return recursive(x) + 1; });
TEENY_DEVICE(f32, first, (f32 x), { return second(x); });
TEENY_DEVICE(f32, second, (f32 x), { return first(x); });
TEENY_DEVICE(f32, variadic, (i32 n, ...), { return n; });

TEENY_KERNEL(k, (f32 *out, i32 n), META(), {
    out[0] = recursive(1);
    out[1] = first(2);
    out[2] = variadic(3, 4);
    k(out, n);
});
