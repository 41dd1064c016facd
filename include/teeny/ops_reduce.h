/* What reductions and tl_dot expand to; see ops.h. */
#ifndef TEENY_OPS_REDUCE_H
#define TEENY_OPS_REDUCE_H
#pragma GCC system_header

#include <teeny/ops_shape.h>

void *teeny_op_sum(int, ...);
void *teeny_op_prod(int, ...);
void *teeny_op_max(int, ...);
void *teeny_op_min(int, ...);
void *teeny_op_argmax(int, ...);
void *teeny_op_argmin(int, ...);
void *teeny_op_count(int, ...);
void *teeny_op_reduce(int, ...);
void *teeny_op_dot(int, ...);

// clang-format off
/* Sums and products widen narrow integers. */
#define TEENY_WIDENED(x)                                                                           \
    _Generic((x)[0], i8: (i32)0, i16: (i32)0, u8: (u32)0, u16: (u32)0,                             \
        default: TEENY_LANE_SCALAR(x))
// clang-format on
#define TEENY_SAME(x) TEENY_LANE_SCALAR(x)
#define TEENY_INDEX(x) (i32)0

/* op(x), op(x, axis): a scalar; op(x, axis, dimensions left...): a tile. */
#define TEENY_REDUCTION(op, kind, ...)                                                             \
    TEENY_NAMED(TEENY_REDUCTION_, TEENY_UP_TO_3(__VA_ARGS__, 3, 3, 3, 3, 3, 3, 2, 1, 1))           \
    (op, kind, __VA_ARGS__)
#define TEENY_UP_TO_3(a, b, c, d, e, f, g, h, count, ...) count
#define TEENY_REDUCTION_1(op, kind, x)                                                             \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(TEENY_SCALAR_POINTER(kind(teeny_x_))))teeny_op_##op(0, teeny_x_);             \
    }))
#define TEENY_REDUCTION_2(op, kind, x, axis)                                                       \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(TEENY_SCALAR_POINTER(kind(teeny_x_))))teeny_op_##op(0, teeny_x_, (axis));     \
    }))
#define TEENY_REDUCTION_3(op, kind, x, axis, ...)                                                  \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(TEENY_TILE_POINTER(kind(teeny_x_),                                            \
            TEENY_DIMENSIONS(__VA_ARGS__))))teeny_op_##op(0, teeny_x_, (axis), __VA_ARGS__);       \
    }))

/* tl_reduce(x, fn[, axis[, dimensions left...]]): fn is a TEENY_DEVICE of two scalars, checked by a
 * call that is never made. */
#define teeny_tl_reduce(...)                                                                       \
    TEENY_NAMED(TEENY_REDUCE_, TEENY_UP_TO_4(__VA_ARGS__, 4, 4, 4, 4, 4, 4, 3, 2, 1, 1))(          \
        __VA_ARGS__)
#define TEENY_UP_TO_4(a, b, c, d, e, f, g, h, i, count, ...) count
#define TEENY_REDUCE_1(...) TEENY_USAGE("usage: tl_reduce(x, fn[, axis[, dimensions left...]])")
#define TEENY_REDUCE_2(x, fn)                                                                      \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        (void)sizeof(fn(TEENY_LANE_SCALAR(teeny_x_), TEENY_LANE_SCALAR(teeny_x_)));                \
        *(__typeof__(TEENY_SCALAR_POINTER(TEENY_LANE_SCALAR(teeny_x_))))teeny_op_reduce(           \
            0, teeny_x_, fn);                                                                      \
    }))
#define TEENY_REDUCE_3(x, fn, axis)                                                                \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        (void)sizeof(fn(TEENY_LANE_SCALAR(teeny_x_), TEENY_LANE_SCALAR(teeny_x_)));                \
        *(__typeof__(TEENY_SCALAR_POINTER(TEENY_LANE_SCALAR(teeny_x_))))teeny_op_reduce(           \
            0, teeny_x_, fn, (axis));                                                              \
    }))
#define TEENY_REDUCE_4(x, fn, axis, ...)                                                           \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        (void)sizeof(fn(TEENY_LANE_SCALAR(teeny_x_), TEENY_LANE_SCALAR(teeny_x_)));                \
        *(__typeof__(TEENY_RESIZED(teeny_x_, TEENY_DIMENSIONS(__VA_ARGS__))))teeny_op_reduce(      \
            0, teeny_x_, fn, (axis), __VA_ARGS__);                                                 \
    }))

#define teeny_tl_dot(a, b, acc)                                                                    \
    (__extension__({                                                                               \
        __auto_type teeny_a_ = (a);                                                                \
        __auto_type teeny_b_ = (b);                                                                \
        __auto_type teeny_acc_ = (acc);                                                            \
        TEENY_CHECK(teeny_elements_agree_,                                                         \
            __builtin_types_compatible_p(__typeof__(teeny_a_[0]), __typeof__(teeny_b_[0])),        \
            "tl_dot: the two factors differ in their element type")                                \
        *(__typeof__(teeny_acc_) *)teeny_op_dot(0, teeny_a_, teeny_b_, teeny_acc_);                \
    }))

#endif
