/* C's operators as kernels, one of each form a line of operators.def. */
#include <teeny/kernel.h>

TEENY_TYPE(T, i32);
TEENY_TYPE(U, i32);

/* `value` of tiles a and b. */
#define ON_TILES(name, value)                                                                      \
    TEENY_KERNEL(name##_tiles, (U * out, const T *x, const T *y, i32 n), META(BLOCK = 16), {       \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        tl_tile(T, BLOCK) b = tl_load(y, i, i < n);                                                \
        tl_store(out, i, value, i < n);                                                            \
    });

/* A tile with a scalar on either side. No part of a body may be a macro's argument that calls an
 * operation: it would be expanded before it is captured. */
#define WITH_SCALAR(name, operator)                                                                \
    TEENY_KERNEL(name##_mixed, (U * out, const T *x, const T *y, i32 n), META(BLOCK = 16), {       \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        T s = y[tl_program_id(0) * 16 % n];                                                        \
        tl_store(out, i, a operator s, i < n);                                                     \
        tl_store(out + n, i, s operator a, i < n);                                                 \
    });

/* The same, and assigned. */
#define WITH_SCALAR_ASSIGNED(name, operator)                                                       \
    TEENY_KERNEL(name##_mixed, (U * out, const T *x, const T *y, i32 n), META(BLOCK = 16), {       \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        T s = y[tl_program_id(0) * 16 % n];                                                        \
        tl_store(out, i, a operator s, i < n);                                                     \
        tl_store(out + n, i, s operator a, i < n);                                                 \
        a operator##= s;                                                                           \
        tl_store(out + 2 * n, i, a, i < n);                                                        \
    });

/* 32 scalars a program. */
#define ON_SCALARS(name, value)                                                                    \
    TEENY_KERNEL(name##_scalars, (U * out, const T *x, const T *y, i32 n), META(), {               \
        i32 begin = tl_program_id(0) * 32;                                                         \
        for (i32 i = begin; i < begin + 32 && i < n; i++) {                                        \
            T a = x[i], b = y[i];                                                                  \
            out[i] = value;                                                                        \
        }                                                                                          \
    });

/* The same by compound assignment. */
#define ASSIGNED(name, operator)                                                                   \
    TEENY_KERNEL(name##_assigned, (U * out, const T *x, const T *y, i32 n), META(), {              \
        i32 begin = tl_program_id(0) * 32;                                                         \
        for (i32 i = begin; i < begin + 32 && i < n; i++) {                                        \
            U c = x[i];                                                                            \
            c operator##= y[i];                                                                    \
            out[i] = c;                                                                            \
            out[n + i] = x[i];                                                                     \
            out[n + i] operator##= y[i];                                                           \
        }                                                                                          \
    });

#define ARITHMETIC(name, operator, elements, value, defined)                                       \
    ON_TILES(name, a operator b)                                                                   \
    WITH_SCALAR_ASSIGNED(name, operator)                                                           \
    ON_SCALARS(name, a operator b)                                                                 \
    ASSIGNED(name, operator)
#define INTEGER ARITHMETIC
#define COMPARISON(name, operator)                                                                 \
    ON_TILES(name, a operator b)                                                                   \
    WITH_SCALAR(name, operator)                                                                    \
    ON_SCALARS(name, a operator b)
#define LOGICAL(name, operator) ON_SCALARS(name, a operator b)

#define ON_TILE(name, value)                                                                       \
    TEENY_KERNEL(name##_tiles, (U * out, const T *x, i32 n), META(BLOCK = 16), {                   \
        tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);                    \
        tl_tile(T, BLOCK) a = tl_load(x, i, i < n);                                                \
        tl_store(out, i, value, i < n);                                                            \
    });
#define ON_SCALAR(name, value)                                                                     \
    TEENY_KERNEL(name##_scalars, (U * out, const T *x, i32 n), META(), {                           \
        i32 begin = tl_program_id(0) * 32;                                                         \
        for (i32 i = begin; i < begin + 32 && i < n; i++) {                                        \
            T a = x[i];                                                                            \
            out[i] = value;                                                                        \
        }                                                                                          \
    });
#define PREFIX(name, operator, elements, value)                                                    \
    ON_TILE(name, operator a)                                                                      \
    ON_SCALAR(name, operator a)
#define INTEGER_PREFIX PREFIX
#define LOGICAL_PREFIX(name, operator) ON_SCALAR(name, operator a)
#include "../operators.def"

/* A comparison of any width combines with one of 32 bits. */
TEENY_KERNEL(mask_of_tiles, (U *out, const T *x, const T *y, i32 n), META(BLOCK = 16), {
    tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
    tl_tile(T, BLOCK) a = tl_load(x, i, i < n);
    tl_tile(T, BLOCK) b = tl_load(y, i, i < n);
    tl_tile(bool, BLOCK) set = tl_mask(a < b) | ((i >= n) & tl_mask(a == b));
    tl_store(out, i, set, i < n);
});
