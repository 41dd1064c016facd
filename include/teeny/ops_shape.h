/* What the operations on shapes expand to; see ops.h. A host compiler knows a tile by its number of
 * lanes alone: it checks counts, teenyc checks shapes. */
#ifndef TEENY_OPS_SHAPE_H
#define TEENY_OPS_SHAPE_H
#pragma GCC system_header

#include <teeny/ops.h>

void *teeny_op_expand_dims(int, ...);
void *teeny_op_expand(int, ...);
void *teeny_op_broadcast_to(int, ...);
void *teeny_op_reshape(int, ...);
void *teeny_op_trans(int, ...);
void *teeny_op_permute(int, ...);

/* The type of n lanes of what the tile x has, as a pointer. */
#define TEENY_RESIZED(x, n) (TEENY_V(__typeof__((x)[0]), n) *)0

#define teeny_tl_expand_dims(x, axis)                                                              \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(teeny_x_) *)teeny_op_expand_dims(0, teeny_x_, (axis));                        \
    }))

#define teeny_tl_expand(x, axis, n)                                                                \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(TEENY_RESIZED(teeny_x_, TEENY_LANES(teeny_x_) * TEENY_DIMENSIONS(n))))        \
            teeny_op_expand(0, teeny_x_, (axis), (n));                                             \
    }))

#define teeny_tl_broadcast_to(x, ...)                                                              \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(TEENY_REPEATED(teeny_x_,                                                      \
            TEENY_DIMENSIONS(__VA_ARGS__))))teeny_op_broadcast_to(0, teeny_x_, __VA_ARGS__);       \
    }))
/* The same for a tile or a scalar. */
#define TEENY_REPEATED(x, n)                                                                       \
    __builtin_choose_expr(TEENY_IS_SCALAR(x), TEENY_TILE_POINTER(TEENY_AS_SCALAR(x), n),           \
        TEENY_RESIZED(TEENY_AS_TILE(x), n))

#define teeny_tl_reshape(x, ...)                                                                   \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        TEENY_CHECK(teeny_counts_agree_, TEENY_LANES(teeny_x_) == TEENY_DIMENSIONS(__VA_ARGS__),   \
            "tl_reshape: the element counts differ")                                               \
        *(__typeof__(teeny_x_) *)teeny_op_reshape(0, teeny_x_, __VA_ARGS__);                       \
    }))

#define teeny_tl_trans(x)                                                                          \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(teeny_x_) *)teeny_op_trans(0, teeny_x_);                                      \
    }))

#define teeny_tl_permute(x, ...)                                                                   \
    (__extension__({                                                                               \
        __auto_type teeny_x_ = (x);                                                                \
        *(__typeof__(teeny_x_) *)teeny_op_permute(0, teeny_x_, __VA_ARGS__);                       \
    }))

#endif
