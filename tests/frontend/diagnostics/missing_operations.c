/* Operations of other tile languages that teeny lacks are refused by name; the numbers are those of
 * tests/conform/cases.md. */
#include <teeny/kernel.h>

TEENY_KERNEL(missing, (i32 *out, const i32 *x), META(BLOCK = 32), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(out, i, tl_cumsum(tl_load(x, i)));        /* 21 */
    tl_store(out, i, tl_associative_scan(i, i));     /* 22 */
    tl_store(out, i, tl_scan(i, i));                 /* 23 */
    tl_store(out, i, tl_histogram(tl_load(x, i), 16)); /* 27 */
    tl_atomic_add(out, i, 1);                          /* 39 */
    tl_atomic_max(out, i, 1);
    tl_atomic_cas(out, i, 0, 1);
    tl_store(out, i, tl_sort(i));
    tl_store(out, i, tl_gather(i, i));
    tl_autotune(BLOCK, 32, 64); /* 42 */
});
