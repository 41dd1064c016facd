// What clang sees in the dimensions of a tile, and what it leaves to teenyc.
#include <teeny/kernel.h>

TEENY_KERNEL(dimensions, (f32 *out), META(), {
    tl_tile(f32, 3) a;
    tl_tile(f32, 0) b;
    tl_tile(f32, -2) c;
    tl_tile(f32, 2, 2, 2, 2, 2, 2) d;
    tl_tile(f32, 1024, 2048) e;
    tl_tile(f32, 65536, 65536, 65536) f;
    tl_zeros(i8, 2097152);
    tl_full(i8, 1, 2097152);
    tl_arange(0, 2097152);
});
TEENY_KERNEL(elements, (f32 *out), META(), {
    tl_tile(f32, 1024, 2048) e;
    tl_zeros(i8, 2097152);
    tl_full(i8, 1, 2097152);
    tl_arange(0, 2097152);
});
