/* What tl_cast, tl_bitcast, tl_mask and tl_where expand to; see ops.h. */
#ifndef TEENY_OPS_CONVERT_H
#define TEENY_OPS_CONVERT_H
#pragma GCC system_header

#include <teeny/ops.h>

void *teeny_op_cast(int, ...);
void *teeny_op_bitcast(int, ...);
void *teeny_op_mask(int, ...);
void *teeny_op_where(int, ...);

#define teeny_tl_cast(T, x)                                                                        \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(TEENY_SHAPED(*(T *)0, TEENY_LANES(teeny_x_))))teeny_op_cast(                  \
            0, (T *)0, teeny_x_);                                                                  \
    }))

/* The size of an element in memory: lanes of the opaque types only stand for them. */
#define TEENY_ELEMENT_SIZE(x)                                                                      \
    __builtin_choose_expr(                                                                         \
        TEENY_IS_SCALAR(x), sizeof(x), sizeof(TEENY_LANE_SCALAR(TEENY_AS_TILE(x))))

#define teeny_tl_bitcast(T, x)                                                                     \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        TEENY_CHECK(teeny_sizes_agree_, sizeof(T) == TEENY_ELEMENT_SIZE(teeny_x_),                 \
            "tl_bitcast: the element sizes differ")                                                \
        *(__typeof__(TEENY_SHAPED(*(T *)0, TEENY_LANES(teeny_x_))))teeny_op_bitcast(               \
            0, (T *)0, teeny_x_);                                                                  \
    }))

#define teeny_tl_mask(comparison)                                                                  \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (comparison);                                                       \
        TEENY_CHECK(teeny_is_integer_, TEENY_IS_MASK(TEENY_AS_TILE(teeny_x_)),                     \
            "tl_mask: the argument is not a comparison or an integer tile")                        \
        *(__typeof__(TEENY_SHAPED(*(bool *)0, TEENY_LANES(teeny_x_))))teeny_op_mask(0, teeny_x_);  \
    }))

/* The type of a choice between a and b over n lanes, as a pointer: a tile's own, or n lanes of what
 * C makes of two scalars. */
#define TEENY_CHOICE(a, b, n)                                                                      \
    __builtin_choose_expr(!TEENY_IS_SCALAR(a), (__typeof__(a) *)0,                                 \
        __builtin_choose_expr(!TEENY_IS_SCALAR(b), (__typeof__(b) *)0,                             \
            TEENY_SHAPED(1 ? TEENY_AS_SCALAR(a) : TEENY_AS_SCALAR(b), n)))
#define TEENY_AS_SCALAR(x) __builtin_choose_expr(TEENY_IS_SCALAR(x), x, 0)

#define teeny_tl_where(mask, a, b)                                                                 \
    (__extension__({                                                                               \
        __auto_type teeny_mask_ = (mask);                                                          \
        __auto_type teeny_a_ = (a);                                                                \
        __auto_type teeny_b_ = (b);                                                                \
        enum { teeny_lanes_ = TEENY_LANES(teeny_mask_) };                                          \
        TEENY_CHECK(teeny_a_fits_,                                                                 \
            TEENY_IS_SCALAR(teeny_a_) || TEENY_LANES(teeny_a_) == teeny_lanes_ || !teeny_lanes_,   \
            "tl_where: the mask's element count differs from the values'")                         \
        TEENY_CHECK(teeny_b_fits_,                                                                 \
            TEENY_IS_SCALAR(teeny_b_) || TEENY_LANES(teeny_b_) == teeny_lanes_ || !teeny_lanes_,   \
            "tl_where: the mask's element count differs from the values'")                         \
        TEENY_CHECK(teeny_values_agree_,                                                           \
            TEENY_IS_SCALAR(teeny_a_) || TEENY_IS_SCALAR(teeny_b_) ||                              \
                __builtin_types_compatible_p(__typeof__(teeny_a_), __typeof__(teeny_b_)),          \
            "tl_where: the two values are different tiles")                                        \
        *(__typeof__(TEENY_CHOICE(teeny_a_, teeny_b_, teeny_lanes_)))teeny_op_where(               \
            0, teeny_mask_, teeny_a_, teeny_b_);                                                   \
    }))

#endif
