// Element types are bare.
#include <teeny/kernel.h>

TEENY_KERNEL(k, (f32 *out, const f32 *x, i32 n), META(), {
    tl_full(f32 volatile, 1, 64);
    tl_zeros(f32 volatile, 64);
    n = tl_cast(i32 volatile, x[0]);
    n = tl_bitcast(i32 volatile, x[0]);
    tl_tile(f32 volatile, 64) v = tl_zeros(f32, 64);
    tl_zeros(f32 const, 64);
});

TEENY_KERNEL(unknown, (f32 *out), META(), {
    tl_tile(float, 64) v;
    tl_zeros(unsigned int, 64);
    tl_zeros(const f32, 64);
    tl_zeros(f32 *, 64);
    tl_cast(double, out[0]);
});
