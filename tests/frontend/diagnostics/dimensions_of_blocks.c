/* Blocks of sizes that are no power of two, and of none: case 30 of tests/conform/cases.md. */
#include <teeny/kernel.h>

TEENY_KERNEL(blocks, (i32 *out), META(BLOCK = 257), {
    tl_tile(i32, BLOCK) a = tl_arange(0, BLOCK);
    tl_tile(i32, 33) b = tl_arange(0, 33);
    tl_tile(i32, 96) c = tl_arange(0, 96);
    tl_tile(i32, BLOCK - 257) d = tl_arange(0, BLOCK - 257);
});
