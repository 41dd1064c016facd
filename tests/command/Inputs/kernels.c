/* Kernels for `teeny run`, right and wrong ones. */
#include <teeny/kernel.h>

#include "helpers.h"

TEENY_TYPE(T, f16);

TEENY_KERNEL(add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, twice(tl_load(x, i, i < n)) + tl_load(y, i, i < n), i < n);
});

TEENY_KERNEL(past_the_end, (i32 *out, i32 n), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, i * 3 + n * 0);
});

TEENY_KERNEL(before_the_begin, (i16 *out), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK) - 2;
    tl_store(out, i, tl_cast(i16, i));
});

TEENY_KERNEL(increment, (i32 *x), META(BLOCK = 64), {
    tl_tile(i32, BLOCK) i = tl_arange(0, BLOCK);
    tl_store(x, i, tl_load(x, i) + 1);
});

TEENY_KERNEL(transpose, (tl_tensor(T, 2) out, const tl_tensor(T, 2) in), META(M = 32, N = 16), {
    i32 m = tl_program_id(0) * M, n = tl_program_id(1) * N;
    tl_store_block(out, (n, m), tl_trans(tl_load_block(in, (m, n), (M, N))));
});

TEENY_KERNEL(scalars, (f64 *out, bool b, u8 u, i64 l, f16 h, bf16 g, f32 f, f64 d), META(), {
    out[0] = b;
    out[1] = u;
    out[2] = (f64)l;
    out[3] = (f64)(f32)h;
    out[4] = (f64)tl_cast(f32, g);
    out[5] = f;
    out[6] = d;
});

TEENY_KERNEL(grid, (i32 *out), META(), {
    i32 x = tl_program_id(0), y = tl_program_id(1), z = tl_program_id(2);
    out[0] = tl_num_programs(0) * 100 + tl_num_programs(1) * 10 + tl_num_programs(2) + 0 * (x + y + z);
});

/* Adds in another order on each device: where nearly all cancels out, the results are far apart. */
TEENY_KERNEL(sum, (f32 *out, const f32 *x), META(BLOCK = 4096), {
    out[0] = tl_sum(tl_load(x, tl_arange(0, BLOCK)));
});

TEENY_KERNEL(far_away, (f32 *x, i64 far), META(), {
    x[far] = 1;
});

/* Stays inside when it is launched once. */
TEENY_KERNEL(further_away, (i64 *x), META(), {
    i64 at = x[0];
    x[at] = 100000000000000;
});
