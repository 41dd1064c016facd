// What the reductions take.
#include <teeny/kernel.h>

TEENY_DEVICE(f32, one_of_one, (f32 a), { return a; });
TEENY_DEVICE(f32, plus, (f32 a, f32 b), { return a + b; });
TEENY_DEVICE(i32, plus_integers, (i32 a, i32 b), { return a + b; });

TEENY_KERNEL(k, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(i32, 64) i = tl_arange(0, 64);
    tl_tile(f32, 8, 8) a = tl_zeros(f32, 8, 8);
    tl_max(x);
    tl_sum(a, 2, 8);
    tl_sum(a, -1, 8);
    tl_sum(a, 0, 4, 2);
    tl_sum(a, 0, 16);
    tl_sum(i < n);
    tl_prod(i < n);
    tl_count(a);
    tl_argmax(i < n);
});

TEENY_KERNEL(combined, (f32 *out, const f32 *x, i32 n), META(), {
    tl_tile(f32, 8, 8) a = tl_zeros(f32, 8, 8);
    tl_reduce(a, one_of_one);
    tl_reduce(a, n);
    tl_reduce(a, missing);
});

TEENY_KERNEL(combined_wrongly, (f32 *out), META(), {
    tl_tile(f32, 8, 8) a = tl_zeros(f32, 8, 8);
    tl_reduce(a, plus);
    tl_reduce(a, plus_integers);
    tl_reduce(a, plus, 2, 8);
});

TEENY_KERNEL(no_tile, (f32 *out, const f32 *x), META(), {
    tl_sum(x[0]);
});

TEENY_KERNEL(products, (f32 *out, const f32 *x), META(), {
    tl_dot(tl_zeros(u8, 16, 16), tl_zeros(u8, 16, 16), tl_zeros(i32, 16, 16));
    tl_dot(tl_zeros(f16, 16, 16), tl_zeros(f16, 16, 16), tl_zeros(i32, 16, 16));
});
