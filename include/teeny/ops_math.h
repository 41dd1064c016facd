/* What the elementwise functions expand to; see ops.h. Scalars and tiles alike. */
#ifndef TEENY_OPS_MATH_H
#define TEENY_OPS_MATH_H
#pragma GCC system_header

#include <teeny/ops.h>

/* The unary functions of floating values. */
// clang-format off
#define TEENY_UNARY_FUNCTIONS(M)                                                                   \
    M(ceil) M(cos) M(erf) M(exp) M(exp2) M(floor) M(log) M(log2) M(round) M(rsqrt) M(sin) M(sqrt) \
    M(tanh) M(trunc)
// clang-format on
#define TEENY_DECLARE_OP(name) void *teeny_op_##name(int, ...);
TEENY_UNARY_FUNCTIONS(TEENY_DECLARE_OP)
TEENY_DECLARE_OP(abs)
TEENY_DECLARE_OP(maximum)
TEENY_DECLARE_OP(minimum)
TEENY_DECLARE_OP(pow)
TEENY_DECLARE_OP(fdiv)
TEENY_DECLARE_OP(fma)
TEENY_DECLARE_OP(clamp)
TEENY_DECLARE_OP(cdiv)

#define TEENY_IS_FLOATING(x)                                                                       \
    _Generic(TEENY_LANE_VALUE(x), f16: 1, f32: 1, f64: 1, teeny_lane_bf16: 1, default: 0)
#define TEENY_LANE_VALUE(x) __builtin_choose_expr(TEENY_IS_SCALAR(x), x, TEENY_AS_TILE(x)[0])

#define TEENY_UNARY(op, x)                                                                         \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(teeny_x_) *)teeny_op_##op(0, teeny_x_);                                       \
    }))
#define TEENY_FLOAT_UNARY(op, x)                                                                   \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        TEENY_CHECK(teeny_is_floating_, TEENY_IS_FLOATING(teeny_x_),                               \
            "tl_" #op ": the argument is not floating")                                            \
        *(__typeof__(teeny_x_) *)teeny_op_##op(0, teeny_x_);                                       \
    }))
/* C's own `+` says which operands go together and what they become. */
#define TEENY_BINARY(op, x, y)                                                                     \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        __auto_type teeny_y_ = (y);                                                                \
        *(__typeof__(teeny_x_ + teeny_y_) *)teeny_op_##op(0, teeny_x_, teeny_y_);                  \
    }))
#define TEENY_TERNARY(op, x, y, z)                                                                 \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        __auto_type teeny_y_ = (y);                                                                \
        __auto_type teeny_z_ = (z);                                                                \
        *(__typeof__(teeny_x_ + teeny_y_ + teeny_z_) *)teeny_op_##op(                              \
            0, teeny_x_, teeny_y_, teeny_z_);                                                      \
    }))

#endif
