/* Elementwise functions as kernels, one of each form a line of functions.def, and tl_where. */
#include <teeny/kernel.h>

TEENY_TYPE(T, f32);
TEENY_TYPE(U, f32);

#define FUNCTION1(name, ...)                                                                       \
    TEENY_KERNEL(name##_of_tiles, (U * out, const T *x, i32 n), META(BLOCK = 16), {                \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_store(out, i, tl_##name(tl_load(x, i, i < n)), i < n);                                  \
    });                                                                                            \
    TEENY_KERNEL(name##_of_scalars, (U * out, const T *x, i32 n), META(), {                        \
        i32 begin = tl_program_id(0) * 32;                                                         \
        for (i32 i = begin; i < begin + 32 && i < n; i++)                                          \
            out[i] = tl_##name(x[i]);                                                              \
    });

#define FUNCTION2(name, ...)                                                                       \
    TEENY_KERNEL(name##_of_tiles, (U * out, const T *x, const T *y, i32 n), META(BLOCK = 16), {    \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        tl_tile(T, BLOCK) b = tl_load(y, i, i < n);                                                \
        tl_store(out, i, tl_##name(a, b), i < n);                                                  \
    });                                                                                            \
    TEENY_KERNEL(name##_of_both, (U * out, const T *x, const T *y, i32 n), META(BLOCK = 16), {     \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        T b = y[tl_program_id(0) * 16 % n];                                                        \
        tl_store(out, i, tl_##name(a, b), i < n);                                                  \
    });                                                                                            \
    TEENY_KERNEL(name##_of_scalars, (U * out, const T *x, const T *y, i32 n), META(), {            \
        i32 begin = tl_program_id(0) * 32;                                                         \
        for (i32 i = begin; i < begin + 32 && i < n; i++)                                          \
            out[i] = tl_##name(x[i], y[i]);                                                        \
    });

#define FUNCTION3(name, ...)                                                                       \
    TEENY_KERNEL(name##_of_tiles, (U * out, const T *x, const T *y, const T *z, i32 n),            \
        META(BLOCK = 16), {                                                                        \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        tl_tile(T, BLOCK) b = tl_load(y, i, i < n);                                                \
        tl_tile(T, BLOCK) c = tl_load(z, i, i < n);                                                \
        tl_store(out, i, tl_##name(a, b, c), i < n);                                               \
    });                                                                                            \
    TEENY_KERNEL(name##_of_both, (U * out, const T *x, const T *y, const T *z, i32 n),             \
        META(BLOCK = 16), {                                                                        \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        T b = y[tl_program_id(0) * 16 % n], c = z[tl_program_id(0) * 16 % n];                      \
        tl_store(out, i, tl_##name(a, b, c), i < n);                                               \
    });                                                                                            \
    TEENY_KERNEL(name##_of_scalars, (U * out, const T *x, const T *y, const T *z, i32 n), META(), {\
        i32 begin = tl_program_id(0) * 32;                                                         \
        for (i32 i = begin; i < begin + 32 && i < n; i++)                                          \
            out[i] = tl_##name(x[i], y[i], z[i]);                                                  \
    });
#include "../functions.def"

/* A choice by a tile of bool, and by a comparison as wide as what was compared. */
TEENY_KERNEL(where_of_tiles, (U *out, const T *x, const T *y, const T *z, i32 n),
    META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) a = tl_load(x, i, i < n);
    tl_tile(T, BLOCK) b = tl_load(y, i, i < n);
    tl_tile(bool, BLOCK) set = tl_cast(bool, tl_load(z, i, i < n));
    tl_store(out, i, tl_where(set, a, b), i < n);
});

TEENY_KERNEL(where_greater, (U *out, const T *x, const T *y, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) a = tl_load(x, i, i < n);
    tl_tile(T, BLOCK) b = tl_load(y, i, i < n);
    tl_store(out, i, tl_where(a > b, a, b), i < n);
});

TEENY_KERNEL(where_of_both, (U *out, const T *x, const T *y, const T *z, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) c = tl_load(z, i, i < n);
    T a = x[tl_program_id(0) * 16 % n];
    tl_tile(T, BLOCK) b = tl_load(y, i, i < n);
    tl_store(out, i, tl_where(c != 0, a, b), i < n);
});

TEENY_KERNEL(where_of_scalars, (U *out, const T *x, const T *y, const T *z, i32 n), META(), {
    i32 begin = tl_program_id(0) * 32;
    for (i32 i = begin; i < begin + 32 && i < n; i++)
        out[i] = tl_where(z[i] != 0, x[i], y[i]);
});
