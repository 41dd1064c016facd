/* What the plain C of random programs is made of, where the kernel language says more than C does:
 * tiles as arrays, division that wraps, conversions that saturate, elementwise functions.
 *
 * To be compiled with -fwrapv -ffp-contract=off: integers wrap, and products stay products.
 */
#ifndef TEENY_RANDOM_REFERENCE_H
#define TEENY_RANDOM_REFERENCE_H

#include <math.h>
#include <string.h>

#include <teeny/types.h>

/* Which program of the grid is running. */
static struct {
    i32 id[3], count[3];
} reference_grid;

#define INLINE static inline __attribute__((unused))

/* The middle of this program's slice of each buffer: runner.c says how large they are. */
INLINE i32 reference_slice(void)
{
    const i32 *id = reference_grid.id, *count = reference_grid.count;
    return ((id[2] * count[1] + id[1]) * count[0] + id[0]) * 4096 + 2048;
}

/* ---- Tiles: tile_i32_8 has eight lanes in `v`. A tile of bool has 0 or 1. ---------------------
 */

#define TILE(T, name, n)                                                                           \
    typedef struct {                                                                               \
        T v[n];                                                                                    \
    } tile_##name##_##n;
#define TILES(T, name)                                                                             \
    TILE(T, name, 1)                                                                               \
    TILE(T, name, 2)                                                                               \
    TILE(T, name, 4)                                                                               \
    TILE(T, name, 8)                                                                               \
    TILE(T, name, 16)                                                                              \
    TILE(T, name, 32)                                                                              \
    TILE(T, name, 64)                                                                              \
    TILE(T, name, 128)                                                                             \
    TILE(T, name, 256)
#define TILES_OF(T) TILES(T, T)
#define FOR_INTEGERS(M) M(i8) M(i16) M(i32) M(i64) M(u8) M(u16) M(u32) M(u64)
FOR_INTEGERS(TILES_OF)
TILES_OF(f32)
TILES_OF(f64)
#pragma push_macro("bool")
#undef bool
TILES(_Bool, bool)
#pragma pop_macro("bool")

/* ---- Integers: / and % truncate, the smallest number by -1 wraps ------------------------------
 */

#define SIGNED_DIVISION(T)                                                                         \
    INLINE T div_##T(T a, T b)                                                                     \
    {                                                                                              \
        return b == -1 ? (T) - a : (T)(a / b);                                                     \
    }                                                                                              \
    INLINE T rem_##T(T a, T b)                                                                     \
    {                                                                                              \
        return b == -1 ? 0 : (T)(a % b);                                                           \
    }                                                                                              \
    INLINE T cdiv_##T(T a, T b)                                                                    \
    {                                                                                              \
        return (T)(div_##T(a, b) + (rem_##T(a, b) != 0 && (a < 0) == (b < 0)));                    \
    }                                                                                              \
    INLINE T abs_##T(T a)                                                                          \
    {                                                                                              \
        return a < 0 ? (T) - a : a;                                                                \
    }
#define UNSIGNED_DIVISION(T)                                                                       \
    INLINE T div_##T(T a, T b)                                                                     \
    {                                                                                              \
        return (T)(a / b);                                                                         \
    }                                                                                              \
    INLINE T rem_##T(T a, T b)                                                                     \
    {                                                                                              \
        return (T)(a % b);                                                                         \
    }                                                                                              \
    INLINE T cdiv_##T(T a, T b)                                                                    \
    {                                                                                              \
        return (T)(a / b + (a % b != 0));                                                          \
    }                                                                                              \
    INLINE T abs_##T(T a)                                                                          \
    {                                                                                              \
        return a;                                                                                  \
    }
SIGNED_DIVISION(i8)
SIGNED_DIVISION(i16)
SIGNED_DIVISION(i32)
SIGNED_DIVISION(i64)
UNSIGNED_DIVISION(u8)
UNSIGNED_DIVISION(u16)
UNSIGNED_DIVISION(u32)
UNSIGNED_DIVISION(u64)

#define INTEGER_EXTREMES(T)                                                                        \
    INLINE T maximum_##T(T a, T b)                                                                 \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    INLINE T minimum_##T(T a, T b)                                                                 \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }
FOR_INTEGERS(INTEGER_EXTREMES)

/* ---- Floats: a NaN loses against a number, and -0 is less than +0 -----------------------------
 */

#define FLOAT_FUNCTIONS(T, f)                                                                      \
    INLINE T maximum_##T(T a, T b)                                                                 \
    {                                                                                              \
        if (a != a || b != b)                                                                      \
            return a != a ? b : a;                                                                 \
        return a > b || (a == b && !signbit(a)) ? a : b;                                           \
    }                                                                                              \
    INLINE T minimum_##T(T a, T b)                                                                 \
    {                                                                                              \
        if (a != a || b != b)                                                                      \
            return a != a ? b : a;                                                                 \
        return a < b || (a == b && signbit(a)) ? a : b;                                            \
    }                                                                                              \
    INLINE T abs_##T(T a)                                                                          \
    {                                                                                              \
        return fabs##f(a);                                                                         \
    }                                                                                              \
    INLINE T floor_##T(T a)                                                                        \
    {                                                                                              \
        return floor##f(a);                                                                        \
    }                                                                                              \
    INLINE T ceil_##T(T a)                                                                         \
    {                                                                                              \
        return ceil##f(a);                                                                         \
    }                                                                                              \
    INLINE T trunc_##T(T a)                                                                        \
    {                                                                                              \
        return trunc##f(a);                                                                        \
    }                                                                                              \
    INLINE T round_##T(T a)                                                                        \
    {                                                                                              \
        return round##f(a);                                                                        \
    }                                                                                              \
    INLINE T fma_##T(T a, T b, T c)                                                                \
    {                                                                                              \
        return fma##f(a, b, c);                                                                    \
    }
FLOAT_FUNCTIONS(f32, f)
FLOAT_FUNCTIONS(f64, )

INLINE f32 bits_f32(u32 bits)
{
    f32 number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

INLINE f64 bits_f64(u64 bits)
{
    f64 number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* ---- Conversions: f32 goes through f64, which holds it ----------------------------------------
 */

/* The bounds are powers of two, exact; between them C's own conversion is defined. */
#define TO_INTEGER(T, below, above, least, most)                                                   \
    INLINE T to_##T(f64 number)                                                                    \
    {                                                                                              \
        if (number != number)                                                                      \
            return 0;                                                                              \
        if (number >= above)                                                                       \
            return most;                                                                           \
        return number <= below ? least : (T)number;                                                \
    }
TO_INTEGER(i8, -129.0, 128.0, INT8_MIN, INT8_MAX)
TO_INTEGER(i16, -32769.0, 32768.0, INT16_MIN, INT16_MAX)
TO_INTEGER(i32, -2147483649.0, 2147483648.0, INT32_MIN, INT32_MAX)
TO_INTEGER(i64, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX)
TO_INTEGER(u8, -1.0, 256.0, 0, UINT8_MAX)
TO_INTEGER(u16, -1.0, 65536.0, 0, UINT16_MAX)
TO_INTEGER(u32, -1.0, 4294967296.0, 0, UINT32_MAX)
TO_INTEGER(u64, -1.0, 0x1p64, 0, UINT64_MAX)

/* ---- Choice: both values are computed ---------------------------------------------------------
 */

#define WHERE(T)                                                                                   \
    INLINE T where_##T(_Bool condition, T yes, T no)                                               \
    {                                                                                              \
        return condition ? yes : no;                                                               \
    }
FOR_INTEGERS(WHERE)
WHERE(f32)
WHERE(f64)

#endif
