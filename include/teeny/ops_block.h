/* What tl_load_block and tl_store_block expand to; see ops.h. */
#ifndef TEENY_OPS_BLOCK_H
#define TEENY_OPS_BLOCK_H
#pragma GCC system_header

#include <teeny/ops.h>
#include <teeny/tensor.h>

void *teeny_op_load_block(int, ...);
void teeny_op_store_block(int, ...);

#define TEENY_TENSOR_RANK(tensor) (sizeof((tensor).shape) / sizeof((tensor).shape[0]))

#define teeny_tl_load_block(...)                                                                   \
    TEENY_NAMED(TEENY_LOAD_BLOCK, TEENY_UP_TO_5(__VA_ARGS__, 5, 5, 5, 5, 4, 3, 2, 1, 1))           \
    (__VA_ARGS__)
#define TEENY_LOAD_BLOCK1(...)                                                                     \
    TEENY_USAGE("usage: tl_load_block(tensor, (i, ...), (d0, ...)[, flags])")
#define TEENY_LOAD_BLOCK2(...) TEENY_LOAD_BLOCK1()
#define TEENY_LOAD_BLOCK3(tensor, at, dimensions)                                                  \
    TEENY_LOAD_BLOCK4(tensor, at, dimensions, TL_PAD_ZERO)
#define TEENY_LOAD_BLOCK4(tensor, at, dimensions, flags)                                           \
    (__extension__({                                                                               \
        __auto_type teeny_tensor_ = (tensor);                                                      \
        TEENY_CHECK(teeny_coordinates_fit_, TEENY_COUNT at == TEENY_TENSOR_RANK(teeny_tensor_),    \
            "tl_load_block: the number of coordinates differs from the tensor's rank")             \
        TEENY_CHECK(teeny_dimensions_fit_,                                                         \
            TEENY_COUNT dimensions == TEENY_TENSOR_RANK(teeny_tensor_),                            \
            "tl_load_block: the number of dimensions differs from the tensor's rank")              \
        TEENY_FLAGS("tl_load_block", flags, TEENY_LOAD_FLAGS | TL_PAD_NAN)                         \
        *(__typeof__(TEENY_TILE_POINTER(                                                           \
            *teeny_tensor_.base, TEENY_DIMENSIONS dimensions)))teeny_op_load_block(teeny_flags_,   \
            teeny_tensor_, TEENY_COUNT at, TEENY_UNWRAP at, TEENY_UNWRAP dimensions);              \
    }))
#define TEENY_LOAD_BLOCK5(...) TEENY_LOAD_BLOCK1()

#define teeny_tl_store_block(...)                                                                  \
    TEENY_NAMED(TEENY_STORE_BLOCK, TEENY_UP_TO_5(__VA_ARGS__, 5, 5, 5, 5, 4, 3, 2, 1, 1))          \
    (__VA_ARGS__)
#define TEENY_STORE_BLOCK1(...)                                                                    \
    TEENY_USAGE("usage: tl_store_block(tensor, (i, ...), tile[, flags])")
#define TEENY_STORE_BLOCK2(...) TEENY_STORE_BLOCK1()
#define TEENY_STORE_BLOCK3(tensor, at, value) TEENY_STORE_BLOCK4(tensor, at, value, 0)
#define TEENY_STORE_BLOCK4(tensor, at, value, flags)                                               \
    (__extension__({                                                                               \
        TEENY_CHECK(                                                                               \
            teeny_is_writable_, !TEENY_IS_CONST(&(tensor)), "tl_store_block: the tensor is const") \
        __auto_type teeny_tensor_ = (tensor);                                                      \
        __auto_type teeny_value_ = (value);                                                        \
        TEENY_CHECK(teeny_coordinates_fit_, TEENY_COUNT at == TEENY_TENSOR_RANK(teeny_tensor_),    \
            "tl_store_block: the number of coordinates differs from the tensor's rank")            \
        TEENY_FLAGS("tl_store_block", flags, TEENY_STORE_FLAGS)                                    \
        TEENY_CHECK_STORED(                                                                        \
            TEENY_SHAPED(*teeny_tensor_.base, TEENY_LANES(teeny_value_)), teeny_value_)            \
        teeny_op_store_block(                                                                      \
            (flags), teeny_tensor_, TEENY_COUNT at, TEENY_UNWRAP at, teeny_value_);                \
    }))
#define TEENY_STORE_BLOCK5(...) TEENY_STORE_BLOCK1()

#endif
