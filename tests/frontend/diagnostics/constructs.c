// Constructs of C that have no place in a kernel, and uses of variables.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, i32 n, f16 h), META(), {
    tl_tile(f32, 64) v = tl_zeros(f32, 64);
    i32 local(i32);
    const void *label = &&end;
    out[0] = L"wide"[0];
    out[1] = __func__[0];
    out[2] = v[3];
    v[3] = 1;
    out[3] = ((struct { f32 a; }){1}).a;
    i32 unset;
    n = unset + 1;
    n += (i32)sizeof(i32) + _Alignof(i32);
    out[4] = (h, n);
    out[5] = n ?: 3;
    out[6] = __real__ n;
    *(n ? out : out + 1) = 2;
    (&out[7])[0] = 1;
    out[8] = *&n;
    tl_tile(i32, 64) listed = {1, 2};
end:
    n = 1;
});
TEENY_KERNEL(clang_sees, (f32 *out, i32 n), META(), {
    f32 _Complex z = 1;
    n = n %% 2;
});
