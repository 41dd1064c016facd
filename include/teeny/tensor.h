/* tl_tensor(T, rank): a view of memory that a kernel loads blocks from and stores blocks to.
 *
 * One named struct a type and rank, the same at every expansion, in C and in C++: in prototypes, in
 * kernels and in host programs, so that launches are checked. Strides count elements.
 */
#ifndef TEENY_TENSOR_H
#define TEENY_TENSOR_H

#include <teeny/foreach.h>
#include <teeny/types.h>

#define tl_tensor(T, rank) TEENY_TENSOR(T, rank)
#define TEENY_TENSOR(T, rank) struct teeny_tensor_##T##_##rank

#define TEENY_DEFINE_TENSOR(T, name, rank)                                                         \
    struct teeny_tensor_##name##_##rank {                                                          \
        T *base;                                                                                   \
        i64 shape[rank];                                                                           \
        i64 stride[rank];                                                                          \
    };
#define TEENY_DEFINE_TENSORS(T, name)                                                              \
    TEENY_DEFINE_TENSOR(T, name, 1)                                                                \
    TEENY_DEFINE_TENSOR(T, name, 2)                                                                \
    TEENY_DEFINE_TENSOR(T, name, 3)                                                                \
    TEENY_DEFINE_TENSOR(T, name, 4)                                                                \
    TEENY_DEFINE_TENSOR(T, name, 5)

/* teenyc leaves them out where a kernel mentions no tensor. */
#if !defined(TEENYC) || defined(TEENYC_TENSORS)
#ifdef __cplusplus
TEENY_DEFINE_TENSORS(bool, bool)
#else
TEENY_DEFINE_TENSORS(_Bool, _Bool) /* what bool is by the time that it is pasted */
#endif
TEENY_DEFINE_TENSORS(i8, i8)
TEENY_DEFINE_TENSORS(i16, i16)
TEENY_DEFINE_TENSORS(i32, i32)
TEENY_DEFINE_TENSORS(i64, i64)
TEENY_DEFINE_TENSORS(u8, u8)
TEENY_DEFINE_TENSORS(u16, u16)
TEENY_DEFINE_TENSORS(u32, u32)
TEENY_DEFINE_TENSORS(u64, u64)
TEENY_DEFINE_TENSORS(f16, f16)
TEENY_DEFINE_TENSORS(bf16, bf16)
TEENY_DEFINE_TENSORS(f32, f32)
TEENY_DEFINE_TENSORS(f64, f64)
TEENY_DEFINE_TENSORS(f8e4m3, f8e4m3)
TEENY_DEFINE_TENSORS(f8e5m2, f8e5m2)
#endif

/* teeny_tensor(T, base, (d0, d1, ...), (s0, s1, ...)): a view for a launch, row-major where the
 * last stride is 1. */
#ifdef __cplusplus
#define teeny_tensor(T, base, shape, stride)                                                       \
    (TEENY_TENSOR_OF(T, TEENY_COUNT shape){base, {TEENY_UNWRAP shape}, {TEENY_UNWRAP stride}})
#else
#define teeny_tensor(T, base, shape, stride)                                                       \
    ((struct TEENY_TENSOR_OF(T, TEENY_COUNT shape)){                                               \
        base, {TEENY_UNWRAP shape}, {TEENY_UNWRAP stride}})
#endif
#define TEENY_TENSOR_OF(T, rank) TEENY_TENSOR_OF_(T, rank)
#define TEENY_TENSOR_OF_(T, rank) teeny_tensor_##T##_##rank

#endif
