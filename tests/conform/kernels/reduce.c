/* Reductions as kernels: of a row, of a matrix and of a block of rank 3, along each axis and to a
 * scalar. A program reduces the n elements from x + n * program on; the rest of its tile is z[0].
 */
#include <teeny/kernel.h>

TEENY_TYPE(T, i32);
TEENY_TYPE(U, i32);

TEENY_DEVICE(T, larger, (T a, T b), { return a < b ? b : a; });
TEENY_DEVICE(T, either_bit, (T a, T b), { return a ^ b; });

/* `...` is what is reduced, and by what where `reduce` is tl_reduce. */

/* A row: to a scalar without an axis, and along axis 0. */
#define ROW(name, reduce, ...)                                                                     \
    TEENY_KERNEL(name##_of_row, (U * out, const T *x, const T *z, i32 n), META(BLOCK = 16), {      \
        tl_tile(i32, BLOCK) at = tl_arange(0, BLOCK);                                              \
        i32 program = tl_program_id(0);                                                            \
        tl_tile(T, BLOCK) v = tl_load(x + program * n, at, at < n, z[0]);                          \
        out[2 * program] = reduce(__VA_ARGS__);                                                    \
        out[2 * program + 1] = reduce(__VA_ARGS__, 0);                                             \
    });

/* [4, BLOCK / 4] along both axes and to a scalar, and [BLOCK / 4, 4] along both axes. */
#define MATRIX(name, reduce, ...)                                                                  \
    TEENY_KERNEL(name##_of_wide, (U * out, const T *x, const T *z, i32 n),                         \
        META(BLOCK = 16, LONG = BLOCK / 4), {                                                      \
        i32 program = tl_program_id(0);                                                            \
        out += program * (LONG + 5);                                                               \
        tl_tile(i32, 4, LONG) at =                                                                 \
            tl_expand(tl_arange(0, 4) * LONG, 1, LONG) + tl_expand(tl_arange(0, LONG), 0, 4);      \
        tl_tile(T, 4, LONG) v = tl_load(x + program * n, at, at < n, z[0]);                        \
        tl_store(out, tl_arange(0, LONG), reduce(__VA_ARGS__, 0, LONG));                           \
        tl_store(out + LONG, tl_arange(0, 4), reduce(__VA_ARGS__, 1, 4));                          \
        out[LONG + 4] = reduce(__VA_ARGS__);                                                       \
    });                                                                                            \
    TEENY_KERNEL(name##_of_high, (U * out, const T *x, const T *z, i32 n),                         \
        META(BLOCK = 16, LONG = BLOCK / 4), {                                                      \
        i32 program = tl_program_id(0);                                                            \
        out += program * (LONG + 5);                                                               \
        tl_tile(i32, LONG, 4) at =                                                                 \
            tl_expand(tl_arange(0, LONG) * 4, 1, 4) + tl_expand(tl_arange(0, 4), 0, LONG);         \
        tl_tile(T, LONG, 4) v = tl_load(x + program * n, at, at < n, z[0]);                        \
        tl_store(out, tl_arange(0, 4), reduce(__VA_ARGS__, 0, 4));                                 \
        tl_store(out + 4, tl_arange(0, LONG), reduce(__VA_ARGS__, 1, LONG));                       \
        out[LONG + 4] = reduce(__VA_ARGS__);                                                       \
    });

/* [2, BLOCK / 8, 4]: along each axis, and to a scalar. */
#define CUBE(name, reduce, ...)                                                                    \
    TEENY_KERNEL(name##_of_cube, (U * out, const T *x, const T *z, i32 n),                         \
        META(BLOCK = 16, MIDDLE = BLOCK / 8), {                                                    \
        i32 program = tl_program_id(0);                                                            \
        out += program * (6 * MIDDLE + 9);                                                         \
        tl_tile(i32, 2, MIDDLE, 4) at = tl_reshape(tl_arange(0, BLOCK), 2, MIDDLE, 4);             \
        tl_tile(T, 2, MIDDLE, 4) v = tl_load(x + program * n, at, at < n, z[0]);                   \
        tl_store(out, tl_reshape(tl_arange(0, 4 * MIDDLE), MIDDLE, 4),                             \
            reduce(__VA_ARGS__, 0, MIDDLE, 4));                                                    \
        tl_store(out + 4 * MIDDLE, tl_reshape(tl_arange(0, 8), 2, 4),                              \
            reduce(__VA_ARGS__, 1, 2, 4));                                                         \
        tl_store(out + 4 * MIDDLE + 8, tl_reshape(tl_arange(0, 2 * MIDDLE), 2, MIDDLE),            \
            reduce(__VA_ARGS__, 2, 2, MIDDLE));                                                    \
        out[6 * MIDDLE + 8] = reduce(__VA_ARGS__);                                                 \
    });

#define EACH_RANK(name, ...)                                                                       \
    ROW(name, __VA_ARGS__)                                                                         \
    MATRIX(name, __VA_ARGS__)                                                                      \
    CUBE(name, __VA_ARGS__)

#define REDUCTION(name, elements, result) EACH_RANK(name, tl_##name, v)
#include "../reductions.def"
EACH_RANK(count, tl_count, v != v - v) /* not 0, with no scalar, which bf16 could not take */
EACH_RANK(larger, tl_reduce, v, larger)
EACH_RANK(either_bit, tl_reduce, v, either_bit)
