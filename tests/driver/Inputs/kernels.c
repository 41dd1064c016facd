#include <teeny/kernel.h>

TEENY_TYPE(T, f32);

TEENY_KERNEL(add, (T *out, const T *x, i32 n), META(BLOCK = 128, HALF = BLOCK / 2), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_load(x, i, i < n) + tl_load(out, i, i < n), i < n);
});

TEENY_KERNEL(
    set,
    (u8 *flags,
        bool on,
        f16 h, u32 u,
        i64 w),
    META(),
    { flags[u] = on; });
