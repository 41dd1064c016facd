// What tl_dot takes.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out), META(), {
    tl_tile(f32, 8, 8) f = tl_zeros(f32, 8, 8);
    tl_tile(f32, 4, 8) half = tl_zeros(f32, 4, 8);
    tl_tile(i32, 8, 8) i = tl_zeros(i32, 8, 8);
    tl_tile(i8, 8, 8) narrow = tl_zeros(i8, 8, 8);
    tl_tile(u8, 8, 8) no_sign = tl_zeros(u8, 8, 8);
    tl_dot(f, f, f);
    tl_dot(half, f, f);
    tl_dot(narrow, narrow, i);
    tl_dot(no_sign, no_sign, i);
    tl_dot(i, i, i);
    tl_dot(narrow, narrow, f);
});
