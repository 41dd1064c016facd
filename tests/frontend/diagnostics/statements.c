#include <teeny/kernel.h>

TEENY_DEVICE(f32, nothing, (f32 x), { x + 1; });
TEENY_DEVICE(void, something, (f32 x), { return x; });

TEENY_KERNEL(syntax, (f32 *out, i32 n), META(), {
    out[0] = 1
    out[1] = "abc;
    out[2] = 'a;
    out[3] = 1 +;
    out[4] = 08;
    out[5] = 1.2.3;
    i32 n = 2;
    return 1;
    out[6] = something(1);
});
TEENY_KERNEL(braces, (f32 *out), META(), {
    out[0] = 1; {
});
TEENY_KERNEL(more_braces, (f32 *out), META(), {
    out[0] = 1; }
});
