/* What the operations of kernel.h expand to. Not for users to read or call.
 *
 * An operation is a statement expression: its arguments are bound once, its checks stand in
 * constant expressions, and its value is `*(result *)teeny_op_NAME(arguments)`. No teeny_op_
 * function is ever defined: no kernel is ever emitted by a host compiler, and teenyc gives the
 * names their meaning. Result types are reached through pointers to plainly named vectors, which
 * keeps compilers' messages short.
 *
 * A system header: gcc then reports at the user's own token instead of a trace of macros.
 */
#ifndef TEENY_OPS_H
#define TEENY_OPS_H
#pragma GCC system_header

#include <teeny/foreach.h>
#include <teeny/types.h>

/* The type of one lane of a tile of T. Opaque scalars have lanes of an otherwise unused type of any
 * size: what matters to a host compiler is only that no two element types share one. */
#define TEENY_LANE(T) TEENY_LANE_(T)
#define TEENY_LANE_(T) teeny_lane_##T
#define teeny_lane_bool i32
#define teeny_lane__Bool i32 /* what <stdbool.h> makes of bool */
#define teeny_lane_i8 i8
#define teeny_lane_i16 i16
#define teeny_lane_i32 i32
#define teeny_lane_i64 i64
#define teeny_lane_u8 u8
#define teeny_lane_u16 u16
#define teeny_lane_u32 u32
#define teeny_lane_u64 u64
#define teeny_lane_f16 f16
#define teeny_lane_f32 f32
#define teeny_lane_f64 f64
#ifdef TEENYC
#define teeny_lane_bf16 __bf16
#define teeny_lane_f8e4m3 long double
#else
#define teeny_lane_bf16 long double
#define teeny_lane_f8e4m3 char
#endif
#define teeny_lane_f8e5m2 teeny_int128
__extension__ typedef __int128 teeny_int128;

/* A vector of n lanes. */
#define TEENY_V(lane, n) lane __attribute__((vector_size(sizeof(lane) * (n))))

/* The product of 1 to 5 dimensions, 0 where one of them is no power of two; products that overflow
 * are 0 as well. */
#define TEENY_PRODUCT(...) TEENY_NAMED(TEENY_PRODUCT, TEENY_RANK(__VA_ARGS__))(__VA_ARGS__)
#define TEENY_RANK(...) TEENY_RANK_(__VA_ARGS__, 6, 6, 6, 5, 4, 3, 2, 1, 0)
#define TEENY_RANK_(a, b, c, d, e, f, g, h, rank, ...) rank
#define TEENY_PRODUCT1(a) TEENY_POWER(a)
#define TEENY_PRODUCT2(a, b) (TEENY_POWER(a) * TEENY_POWER(b))
#define TEENY_PRODUCT3(a, b, c) (TEENY_POWER(a) * TEENY_PRODUCT2(b, c))
#define TEENY_PRODUCT4(a, b, c, d) (TEENY_PRODUCT2(a, b) * TEENY_PRODUCT2(c, d))
#define TEENY_PRODUCT5(a, b, c, d, e) (TEENY_POWER(a) * TEENY_PRODUCT4(b, c, d, e))
#define TEENY_PRODUCT6(...) 0ull
#define TEENY_POWER(d) ((d) > 0 && ((d) & ((d) - 1)) == 0 ? (d) + 0ull : 0)

/* 0, or an error of the user's in an unevaluated struct. */
#define TEENY_REQUIRE(condition, message)                                                          \
    (0 * sizeof(struct {                                                                           \
        _Static_assert(condition, message);                                                        \
        char teeny_;                                                                               \
    }))

#ifdef TEENYC
/* teenyc needs the dimensions, not their product alone: they stand in the type's own expression. */
void *teeny_op_tile(int, ...);
#define teeny_tl_tile(T, ...)                                                                      \
    __typeof__(*(TEENY_V(TEENY_LANE(T), TEENY_DIMENSIONS(__VA_ARGS__)) *)teeny_op_tile(            \
        0, (T *)0, __VA_ARGS__))
#else
#define teeny_tl_tile(T, ...) TEENY_V(TEENY_LANE(T), TEENY_DIMENSIONS(__VA_ARGS__))
#endif
#define TEENY_DIMENSIONS(...)                                                                      \
    TEENY_ELEMENTS(TEENY_PRODUCT(__VA_ARGS__), "a tile has 1 to 5 dimensions, each a power of "    \
                                               "two")

/* How many elements a tile has; 1 beside the error, so that there is no second one. teenyc words
 * the error about no elements itself. */
#ifdef TEENYC
#define TEENY_ELEMENTS(product, message) (product)
#else
enum { TEENY_MOST_ELEMENTS = 1048576 };
#define TEENY_ELEMENTS(product, message)                                                           \
    ((product - 1 < TEENY_MOST_ELEMENTS ? product : 1) + TEENY_REQUIRE(product > 0, message) +     \
        TEENY_REQUIRE(product <= TEENY_MOST_ELEMENTS, "a tile has more than 1048576 elements"))
#endif

/* TEENY_LANES(x): how many lanes a value has, 0 for a scalar. TEENY_AS_TILE(x): the value, or for a
 * scalar any tile. TEENY_SHAPED(scalar, n): a pointer to n lanes of what `scalar` is: to a tile, or
 * to a scalar where n is 0; never the type of a variable: compilers would name this expression
 * instead of the type. */
// clang-format off
#ifdef TEENYC
/* teenyc parses these for every operation of every kernel: as few tokens as will do. */
enum { TEENY_CLASS_OF_VECTORS = 19 };
#define TEENY_IS_SCALAR(x) (__builtin_classify_type(x) != TEENY_CLASS_OF_VECTORS)
#define TEENY_AS_TILE(x) __builtin_choose_expr(TEENY_IS_SCALAR(x), *(TEENY_V(i32, 4) *)0, x)
#define TEENY_LANE_OF(scalar)                                                                      \
    _Generic((scalar), bool: 0, f8e4m3: 0.0l, f8e5m2: (teeny_int128)0, default: (scalar))
#define TEENY_SCALAR_POINTER(scalar) (__typeof_unqual__(scalar) *)0
#define TEENY_TILE_POINTER(scalar, n) (TEENY_V(__typeof_unqual__(TEENY_LANE_OF(scalar)), n) *)0
#else
#define TEENY_EACH_ARITHMETIC(M)                                                                   \
    M(bool), M(i8), M(i16), M(i32), M(i64), M(u8), M(u16), M(u32), M(u64), M(f16), M(f32), M(f64)
#define TEENY_EACH_SCALAR(M) TEENY_EACH_ARITHMETIC(M), M(bf16), M(f8e4m3), M(f8e5m2)
#define TEENY_IS_ONE(T) T: 1
#define TEENY_ANY_TILE(T) T: *(TEENY_V(i32, 4) *)0
#define TEENY_POINTER(T) T: (T *)0
#define TEENY_IS_SCALAR(x) _Generic((x), TEENY_EACH_SCALAR(TEENY_IS_ONE), default: 0)
#define TEENY_AS_TILE(x) _Generic((x), TEENY_EACH_SCALAR(TEENY_ANY_TILE), default: (x))
#define TEENY_SCALAR_POINTER(scalar) _Generic((scalar), TEENY_EACH_SCALAR(TEENY_POINTER))
#define TEENY_TILE_POINTER(scalar, n)                                                              \
    _Generic((scalar),                                                                             \
        bool: (TEENY_V(teeny_lane_bool, n) *)0,                                                    \
        i8: (TEENY_V(i8, n) *)0,                                                                   \
        i16: (TEENY_V(i16, n) *)0,                                                                 \
        i32: (TEENY_V(i32, n) *)0,                                                                 \
        i64: (TEENY_V(i64, n) *)0,                                                                 \
        u8: (TEENY_V(u8, n) *)0,                                                                   \
        u16: (TEENY_V(u16, n) *)0,                                                                 \
        u32: (TEENY_V(u32, n) *)0,                                                                 \
        u64: (TEENY_V(u64, n) *)0,                                                                 \
        f16: (TEENY_V(f16, n) *)0,                                                                 \
        bf16: (TEENY_V(teeny_lane_bf16, n) *)0,                                                    \
        f32: (TEENY_V(f32, n) *)0,                                                                 \
        f64: (TEENY_V(f64, n) *)0,                                                                 \
        f8e4m3: (TEENY_V(teeny_lane_f8e4m3, n) *)0,                                                \
        f8e5m2: (TEENY_V(teeny_lane_f8e5m2, n) *)0)
#endif
/* The scalar that a tile's lanes are, as a value of no matter what. */
#define TEENY_LANE_SCALAR(x)                                                                       \
    _Generic((x)[0], i8: (i8)0, i16: (i16)0, i32: (i32)0, i64: (i64)0, u8: (u8)0, u16: (u16)0,     \
        u32: (u32)0, u64: (u64)0, f16: (f16)0, f32: (f32)0, f64: (f64)0,                           \
        teeny_lane_bf16: *(bf16 *)0, teeny_lane_f8e4m3: *(f8e4m3 *)0,                              \
        teeny_lane_f8e5m2: *(f8e5m2 *)0, default: (i64)0)
// clang-format on
#define TEENY_LANES(x) (TEENY_IS_SCALAR(x) ? 0 : (int)(sizeof(x) / sizeof(TEENY_AS_TILE(x)[0])))
#define TEENY_SHAPED(scalar, n)                                                                    \
    __builtin_choose_expr(                                                                         \
        (n) == 0, TEENY_SCALAR_POINTER(scalar), TEENY_TILE_POINTER(scalar, (n) + ((n) == 0)))

/* program_id, num_programs, arange, zeros, full */
i32 teeny_op_program_id(i32 axis);
i32 teeny_op_num_programs(i32 axis);
void *teeny_op_arange(i32 begin, i32 end);
void *teeny_op_zeros(int, ...);
void *teeny_op_full(int, ...);

#define teeny_tl_program_id(axis)                                                                  \
    teeny_op_program_id((axis) + (i32)TEENY_REQUIRE((axis) >= 0 && (axis) < 3,                     \
                                     "tl_program_id: the axis is not 0, 1 or 2"))
#define teeny_tl_num_programs(axis)                                                                \
    teeny_op_num_programs((axis) + (i32)TEENY_REQUIRE((axis) >= 0 && (axis) < 3,                   \
                                       "tl_num_programs: the axis is not 0, 1 or 2"))
#define teeny_tl_arange(begin, end)                                                                \
    (*(TEENY_V(i32, TEENY_ELEMENTS(TEENY_POWER((end) - (begin)),                                   \
                        "tl_arange: end - begin is not a power of two")) *)                        \
            teeny_op_arange((begin) + (i32)TEENY_REQUIRE(                                          \
                                          (end) <= 2147483647 && (begin) >= -(i64)2147483647 - 1,  \
                                          "tl_arange: a bound is beyond i32"),                     \
                (end)))
#define teeny_tl_zeros(T, ...)                                                                     \
    (*(TEENY_V(TEENY_LANE(T), TEENY_DIMENSIONS(__VA_ARGS__)) *)teeny_op_zeros(                     \
        0, (T *)0, __VA_ARGS__))
#define teeny_tl_full(T, value, ...)                                                               \
    (__extension__({                                                                               \
        TEENY_NUMBER(teeny_value_, *(T *)0, value)                                                 \
        (*(TEENY_V(TEENY_LANE(T), TEENY_DIMENSIONS(__VA_ARGS__)) *)teeny_op_full(                  \
            0, (T *)0, teeny_value_, __VA_ARGS__));                                                \
    }))

/* Binds a number for lanes of what `scalar` is: one of its own type, or for the opaque types one of
 * the host's. */
#ifdef TEENYC
#define TEENY_NUMBER(name, scalar, number) __auto_type name = (number);
#else
#define TEENY_NUMBER(name, scalar, number)                                                         \
    __auto_type teeny_number_ = (number);                                                          \
    __typeof__(*_Generic((scalar),                                                                 \
            TEENY_EACH_ARITHMETIC(TEENY_POINTER),                                                  \
            bf16: _Generic(teeny_number_, bf16: (bf16 *)0, default: (f32 *)0),                     \
            f8e4m3: _Generic(teeny_number_, f8e4m3: (f8e4m3 *)0, default: (f32 *)0),               \
            f8e5m2: _Generic(teeny_number_, f8e5m2: (f8e5m2 *)0, default: (f32 *)0))) name;        \
    name = teeny_number_;
#endif

/* load, store */
void *teeny_op_load(int, ...);
void teeny_op_store(int, ...);

/* Integer lanes. clang gives comparisons of 64-bit lanes `long long` ones, which are not i64's. */
#define TEENY_IS_INDEX(x)                                                                          \
    _Generic((x)[0],                                                                               \
        i8: 1,                                                                                     \
        i16: 1,                                                                                    \
        i32: 1,                                                                                    \
        i64: 1,                                                                                    \
        u8: 1,                                                                                     \
        u16: 1,                                                                                    \
        u32: 1,                                                                                    \
        u64: 1,                                                                                    \
        default: _Generic((x)[0], long long: 1, default: 0))
#define TEENY_IS_CONST(pointer)                                                                    \
    __builtin_types_compatible_p(__typeof__(pointer), const __typeof__(*(pointer)) *)

/* The checks of arguments are the host's: teenyc has its own, in its own words. */
#ifdef TEENYC
#define TEENY_CHECK(name, condition, message)
#define TEENY_CHECK_STORED(target, value)
#define TEENY_BIND_STORED(target, value) __auto_type teeny_value_ = (value);
#else
#define TEENY_CHECK(name, condition, message)                                                      \
    enum { name = (condition) };                                                                   \
    _Static_assert(name, message);
#define TEENY_CHECK_STORED(target, value) (void)sizeof(*(target) = (value));
/* gcc forgets a variable of __auto_type whose value has an error, and complains at each use; clang
 * would name this expression in place of the type of a variable. */
#ifdef __clang__
#define TEENY_BIND_STORED(target, value)                                                           \
    __auto_type teeny_value_ = (value);                                                            \
    TEENY_CHECK_STORED(target, teeny_value_)
#else
#define TEENY_BIND_STORED(target, value)                                                           \
    __typeof__(*(target)) teeny_value_;                                                            \
    teeny_value_ = (value);
#endif
#endif

/* Binds pointer and offsets. */
#define TEENY_ADDRESS(op, pointer, offsets)                                                        \
    __auto_type teeny_pointer_ = (pointer);                                                        \
    __auto_type teeny_offsets_ = (offsets);                                                        \
    enum { teeny_lanes_ = TEENY_LANES(teeny_offsets_) };                                           \
    TEENY_CHECK(teeny_offsets_are_integers_, TEENY_IS_INDEX(TEENY_AS_TILE(teeny_offsets_)),        \
        op ": the offsets are not integers")

/* clang's comparisons of 8-bit integers have lanes of `char`. */
#define TEENY_IS_MASK(x) (_Generic((x)[0], char: 1, default: 0) || TEENY_IS_INDEX(x))

/* Binds a mask: any integer tile of as many elements as the offsets. */
#define TEENY_MASK(op, mask)                                                                       \
    __auto_type teeny_mask_ = (mask);                                                              \
    TEENY_CHECK(teeny_mask_fits_, TEENY_LANES(teeny_mask_) == teeny_lanes_,                        \
        op ": the mask's element count differs from the offsets'")                                 \
    TEENY_CHECK(teeny_mask_is_integer_,                                                            \
        TEENY_IS_SCALAR(teeny_mask_) || TEENY_IS_MASK(TEENY_AS_TILE(teeny_mask_)),                 \
        op ": the mask is not a comparison or an integer tile")

/* Flags of accesses, joined by |: at most one cache modifier and one eviction hint. Hints change no
 * result. What they mean is said beside tl_load in kernel.h. TL_PAD_ is for blocks (ops_block.h).
 */
enum {
    TL_PAD_ZERO = 0,
    TL_PAD_NAN = 1 << 0,
    TL_CACHE_CA = 1 << 1,
    TL_CACHE_CG = 1 << 2,
    TL_CACHE_WB = 1 << 3,
    TL_CACHE_CS = 1 << 4,
    TL_CACHE_WT = 1 << 5,
    TL_CACHE_CV = 1 << 6,
    TL_EVICT_FIRST = 1 << 7,
    TL_EVICT_LAST = 1 << 8,
    TL_VOLATILE = 1 << 9,
    TEENY_EVICTIONS = TL_EVICT_FIRST | TL_EVICT_LAST,
    TEENY_LOAD_CACHES = TL_CACHE_CA | TL_CACHE_CG | TL_CACHE_CS | TL_CACHE_CV,
    TEENY_STORE_CACHES = TL_CACHE_WB | TL_CACHE_CG | TL_CACHE_CS | TL_CACHE_WT,
    TEENY_LOAD_FLAGS = TEENY_LOAD_CACHES | TEENY_EVICTIONS | TL_VOLATILE,
    TEENY_STORE_FLAGS = TEENY_STORE_CACHES | TEENY_EVICTIONS,
};
#define TEENY_AT_MOST_ONE(flags) (((flags) & ((flags) - 1)) == 0)
/* Binds flags, which are a constant for both compilers. */
#define TEENY_FLAGS(op, flags, allowed)                                                            \
    enum { teeny_flags_ = (flags) };                                                               \
    TEENY_CHECK(teeny_flags_fit_,                                                                  \
        (teeny_flags_ & ~(allowed)) == 0 &&                                                        \
            TEENY_AT_MOST_ONE(teeny_flags_ & (TEENY_LOAD_CACHES | TEENY_STORE_CACHES)) &&          \
            TEENY_AT_MOST_ONE(teeny_flags_ & TEENY_EVICTIONS),                                     \
        op ": the flags do not go with it or with each other")

#define teeny_tl_load(...) TEENY_BY_COUNT(TEENY_LOAD, __VA_ARGS__)(__VA_ARGS__)
#define TEENY_LOAD1(...) TEENY_USAGE("usage: tl_load(pointer, offsets[, mask[, other[, flags]]])")
#define TEENY_LOAD2(pointer, offsets)                                                              \
    (__extension__({                                                                               \
        TEENY_ADDRESS("tl_load", pointer, offsets)                                                 \
        *(__typeof__(TEENY_SHAPED(*teeny_pointer_, teeny_lanes_)))teeny_op_load(                   \
            0, teeny_pointer_, teeny_offsets_);                                                    \
    }))
#define TEENY_LOAD3(pointer, offsets, mask)                                                        \
    (__extension__({                                                                               \
        TEENY_ADDRESS("tl_load", pointer, offsets)                                                 \
        TEENY_MASK("tl_load", mask)                                                                \
        *(__typeof__(TEENY_SHAPED(*teeny_pointer_, teeny_lanes_)))teeny_op_load(                   \
            0, teeny_pointer_, teeny_offsets_, teeny_mask_);                                       \
    }))
#define TEENY_LOAD4(pointer, offsets, mask, other) TEENY_LOAD5(pointer, offsets, mask, other, 0)
#define TEENY_LOAD5(pointer, offsets, mask, other, flags)                                          \
    (__extension__({                                                                               \
        TEENY_ADDRESS("tl_load", pointer, offsets)                                                 \
        TEENY_MASK("tl_load", mask)                                                                \
        TEENY_NUMBER(teeny_other_, *teeny_pointer_, other)                                         \
        TEENY_FLAGS("tl_load", flags, TEENY_LOAD_FLAGS)                                            \
        *(__typeof__(TEENY_SHAPED(*teeny_pointer_, teeny_lanes_)))teeny_op_load(                   \
            teeny_flags_, teeny_pointer_, teeny_offsets_, teeny_mask_, teeny_other_);              \
    }))

#define teeny_tl_store(...) TEENY_BY_COUNT(TEENY_STORE, __VA_ARGS__)(__VA_ARGS__)
#define TEENY_STORE1(...) TEENY_USAGE("usage: tl_store(pointer, offsets, value[, mask[, flags]])")
#define TEENY_STORE2(...) TEENY_STORE1()
#define TEENY_STORED(pointer, offsets, value)                                                      \
    TEENY_ADDRESS("tl_store", pointer, offsets)                                                    \
    TEENY_BIND_STORED(TEENY_SHAPED(*teeny_pointer_, teeny_lanes_), value)                          \
    TEENY_CHECK(                                                                                   \
        teeny_is_writable_, !TEENY_IS_CONST(teeny_pointer_), "tl_store: the pointer is to const")
#define TEENY_STORE3(pointer, offsets, value)                                                      \
    (__extension__({                                                                               \
        TEENY_STORED(pointer, offsets, value)                                                      \
        teeny_op_store(0, teeny_pointer_, teeny_offsets_, teeny_value_);                           \
    }))
#define TEENY_STORE4(pointer, offsets, value, mask) TEENY_STORE5(pointer, offsets, value, mask, 0)
#define TEENY_STORE5(pointer, offsets, value, mask, flags)                                         \
    (__extension__({                                                                               \
        TEENY_STORED(pointer, offsets, value)                                                      \
        TEENY_MASK("tl_store", mask)                                                               \
        TEENY_FLAGS("tl_store", flags, TEENY_STORE_FLAGS)                                          \
        teeny_op_store(teeny_flags_, teeny_pointer_, teeny_offsets_, teeny_value_, teeny_mask_);   \
    }))

/* NAME1 to NAME5 by the number of arguments; 5 stands for more. */
#define TEENY_BY_COUNT(name, ...)                                                                  \
    TEENY_NAMED(name, TEENY_UP_TO_5(__VA_ARGS__, 5, 5, 5, 5, 4, 3, 2, 1, 1))
#define TEENY_UP_TO_5(a, b, c, d, e, f, g, h, count, ...) count
#define TEENY_NAMED(name, count) TEENY_NAMED_(name, count)
#define TEENY_NAMED_(name, count) name##count

#define TEENY_USAGE(text) (__extension__({ _Static_assert(0, text); }))

#endif
