/* Conversions between element types, T to U. */
#include <teeny/kernel.h>

TEENY_TYPE(T, f32);
TEENY_TYPE(U, i32);

TEENY_KERNEL(cast_tiles, (U *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(U, BLOCK) converted = tl_cast(U, tl_load(x, i, i < n));
    tl_store(out, i, converted, i < n);
});

TEENY_KERNEL(cast_scalars, (U *out, const T *x, i32 n), META(), {
    i32 begin = tl_program_id(0) * 32;
    for (i32 i = begin; i < begin + 32 && i < n; i++)
        out[i] = tl_cast(U, x[i]);
});

/* C's own conversions mean the same. */
TEENY_KERNEL(convert_scalars, (U *out, const T *x, i32 n), META(), {
    i32 begin = tl_program_id(0) * 32;
    for (i32 i = begin; i < begin + 32 && i < n; i++) {
        U converted = x[i];
        out[i] = i & 1 ? converted : (U)x[i];
    }
});

TEENY_KERNEL(bitcast_tiles, (U *out, const T *x, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_store(out, i, tl_bitcast(U, tl_load(x, i, i < n)), i < n);
});

TEENY_KERNEL(bitcast_scalars, (U *out, const T *x, i32 n), META(), {
    i32 begin = tl_program_id(0) * 32;
    for (i32 i = begin; i < begin + 32 && i < n; i++)
        out[i] = tl_bitcast(U, x[i]);
});
