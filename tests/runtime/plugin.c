/* A kernel in a library that is opened and closed at run time. */
#include <teeny/kernel.h>

TEENY_KERNEL(plugin_add, (f32 * out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
});
