// What a kernel's variables may be.
#include <teeny/kernel.h>

TEENY_DECL(typedef struct { f32 a, b; } pair; static i32 of_the_file;);
TEENY_DEVICE(f32, helper, (f32 x), { return x; });

TEENY_KERNEL(k, (f32 *out, i32 n), META(), {
    i32 array[4];
    tl_tile(f32, 8) tiles[2];
    f32 variable_length[n];
    pair record;
    pair initialised = {1, 2};
    long double wide = 1;
    __int128 wider = 2;
    _BitInt(7) odd = 3;
    volatile i32 v = 4;
    f32 **pp = 0;
    static i32 kept = 5;
    extern i32 elsewhere;
    f32 (*pointer)(f32) = helper;
    const char *text = "text";
    out[0] = 1.0L;
    out[1] = of_the_file;
    out[2] = pointer(1);
    out[3] = record.a;
    i32 unset;
    out[4] = unset;
    auto f32 fine = 1;
});
