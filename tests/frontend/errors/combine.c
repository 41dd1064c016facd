#include <teeny/kernel.h>

TEENY_DECL(static f32 add(f32 a, f32 b););

TEENY_KERNEL(sum, (f32 *out), META(BLOCK = 64), {
    out[0] = tl_reduce(tl_load(out, tl_arange(0, BLOCK)), add);
});
