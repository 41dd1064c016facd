/* The element types of teeny, the same for kernels and for host programs, in C and in C++.
 *
 * bf16 and the 8-bit floats have no arithmetic that every supported host compiler knows, so their
 * scalars are opaque: they are loaded, stored, passed and cast. Tiles of bf16 are computed with,
 * tiles of 8-bit floats are not. f16 is _Float16 where the compiler has it, and __fp16 on clang 14
 * for x86, which passes none by value.
 */
#ifndef TEENY_TYPES_H
#define TEENY_TYPES_H

#ifdef TEENYC /* teenyc parses kernels with no system header at hand */
typedef __INT8_TYPE__ i8;
typedef __INT16_TYPE__ i16;
typedef __INT32_TYPE__ i32;
typedef __INT64_TYPE__ i64;
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
#define bool _Bool
#define true 1
#define false 0
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#else
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

typedef float f32;
typedef double f64;

#if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 f16;
#elif defined(__clang__)
typedef __fp16 f16;
#else /* a host compiler with no half type, such as g++ 12: storage only */
typedef struct {
    u16 bits;
} f16;
#endif

#ifdef TEENYC
typedef __bf16 bf16;
#else
typedef struct {
    u16 bits;
} bf16;
#endif

/* 4 bits of exponent, 3 of fraction: to 448, with NaN and without infinity (E4M3FN). */
typedef struct {
    u8 bits;
} f8e4m3;

/* 5 bits of exponent, 2 of fraction, as the upper half of an f16: to 57344. */
typedef struct {
    u8 bits;
} f8e5m2;

#endif
