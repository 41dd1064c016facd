// Control flow: conditions are scalars, a variable keeps its tile, and every way gives it a value.
#include <teeny/kernel.h>

TEENY_KERNEL(conditions, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    __auto_type m = i < n;
    i32 unset;
    if (n > 3)
        out[0] = unset;
    for (i32 j = 0; j < n; j++)
        m = i;
    if (n)
        m = i;
    f32 a = n ? out[0] : 1;
    switch (n)
    case 1:
        a = 2;
    for (;;)
        out[0]++;
    out[1] += a;
    while (n--) {
        goto out_of_it;
    }
out_of_it:
    return;
});
TEENY_KERNEL(ways, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    if (x)
        out[0] = 1;
    out[1] = x ? 1 : 2;
    __auto_type a = n ? tl_zeros(f32, 64) : tl_zeros(f32, 64);
});
// `case` in the middle of another statement, and choices of tiles.
TEENY_KERNEL(middle, (f32 *out, i32 n), META(), {
    switch (n) {
    case 0:
        if (n)
        case 1:
            out[0] = 1;
        for (;;)
        default:
            out[1] = 1;
    }
});
