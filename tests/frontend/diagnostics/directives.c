// Inside a macro's arguments only conditional directives mean the same to every compiler;
// and the names that the operations expand to are no names for a user.
#include <teeny/kernel.h>

TEENY_DECL(
#define TILE 64
    enum { HALF = 32 };
);
TEENY_DEVICE(f32, helper, (f32 x), {
#undef TILE
    return x;
});
TEENY_KERNEL(k, (f32 *out), META(), {
#define WIDTH 3
    #pragma unroll
    _Pragma("unroll")
#include "more.h"
#line 7 "other.c"
#if 1
    out[0] = helper(1);
    tl_store(out, 0, teeny_value_ + teeny_op_load(0, out, 0));
#else
    out[0] = 2;
#endif
});
