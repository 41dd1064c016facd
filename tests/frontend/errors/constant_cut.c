#include <teeny/kernel.h>

TEENY_KERNEL(add, (i8 *out), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(out, i) + 200);
});
