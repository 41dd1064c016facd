/* The kernel language: what a file of kernels includes.
 *
 *   #include <teeny/kernel.h>
 *
 *   TEENY_KERNEL(vector_add, (f32 *out, const f32 *x, const f32 *y, i32 n), META(BLOCK = 1024), {
 *       tl_tile(i32, BLOCK) i = tl_program_id(0) * BLOCK + tl_arange(0, BLOCK);
 *       tl_store(out, i, tl_load(x, i, i < n) + tl_load(y, i, i < n), i < n);
 *   });
 *
 * A kernel is one program of a grid: it computes on tiles, values of rank 1 to 5 whose dimensions
 * are powers of two. `tl_tile(T, d0, ...)` is their type; C's operators work lane by lane, and a
 * scalar beside a tile is spread over it where that is exact. A comparison is a mask: an integer
 * tile as wide as what was compared, -1 or 0 a lane.
 *
 * The same header is what teenyc reads, so the two compilers never disagree. Each operation is one
 * line here, so that a host compiler reports at the user's line; ops.h holds what they expand to.
 * docs/language.md tells the language, docs/reference.md has the table of operations.
 */
#ifndef TEENY_KERNEL_H
#define TEENY_KERNEL_H

#ifdef __cplusplus
#error                                                                                             \
    "kernels are C: give a C++ file the typed launch with TEENY_KERNEL_DECLARE of <teeny/teeny.h>"
#endif

/* Before the first system header: clang takes what such a header includes for one, too, and then
 * says nothing about a launch. */
#ifndef TEENYC
#include <teeny/launch.h>
#endif
#include <teeny/capture.h>
#include <teeny/ops.h>
#include <teeny/ops_block.h>
#include <teeny/ops_convert.h>
#include <teeny/ops_math.h>
#include <teeny/ops_reduce.h>
#include <teeny/ops_shape.h>
#include <teeny/types.h>

/* tl_tile(T, d0[, d1, ...]): the type of a tile. T is an element type or a TEENY_TYPE. */
#define tl_tile(...) teeny_tl_tile(__VA_ARGS__)

/* tl_program_id(axis): i32, which program of the grid this is; axis 0, 1 or 2. */
#define tl_program_id(...) (teeny_tl_program_id(__VA_ARGS__))
/* tl_num_programs(axis): i32, how many programs the grid has along an axis. */
#define tl_num_programs(...) (teeny_tl_num_programs(__VA_ARGS__))

/* tl_arange(begin, end): i32 tile begin, begin + 1, ..., end - 1; the bounds are constants. */
#define tl_arange(...) (teeny_tl_arange(__VA_ARGS__))
/* tl_zeros(T, d0[, d1, ...]): a tile of zeros. */
#define tl_zeros(...) (teeny_tl_zeros(__VA_ARGS__))
/* tl_full(T, value, d0[, d1, ...]): a tile of one value, converted to T as C does. */
#define tl_full(...) (teeny_tl_full(__VA_ARGS__))

/* tl_load(pointer, offsets[, mask[, other[, flags]]]): the elements at pointer + offsets. Lanes
 * masked off touch no memory and give `other`, or 0. A scalar offset loads a scalar.
 *
 * Flags are constants, joined by |; those of caches are PTX's, hints that change no result and that
 * a CPU does not know. Loads: one of TL_CACHE_CA (all levels), TL_CACHE_CG (L2 alone), TL_CACHE_CS
 * (once), TL_CACHE_CV (read again); one of TL_EVICT_FIRST, TL_EVICT_LAST; TL_VOLATILE, a load that
 * is never removed, merged or moved. Stores: TL_CACHE_WB, TL_CACHE_CG, TL_CACHE_CS, TL_CACHE_WT
 * (through L2); one of the evictions. */
#define tl_load(...) (teeny_tl_load(__VA_ARGS__))
/* tl_store(pointer, offsets, value[, mask[, flags]]): lanes masked off touch no memory. */
#define tl_store(...) (teeny_tl_store(__VA_ARGS__))

/* tl_load_block(tensor, (i, j), (BM, BN)[, flags]): the block of a tl_tensor whose first
 * element is at (i, j). Elements outside of the tensor are 0, or NaN; nothing outside is touched.
 */
#define tl_load_block(...) (teeny_tl_load_block(__VA_ARGS__))
/* tl_store_block(tensor, (i, j), tile[, flags]): elements outside of the tensor are not written. */
#define tl_store_block(...) (teeny_tl_store_block(__VA_ARGS__))

/* tl_cast(T, x): x as T: floats round to nearest even, floats to integers saturate, NaN becomes 0.
 * To 8-bit floats, from infinity too, the largest number is the end. */
#define tl_cast(...) (teeny_tl_cast(__VA_ARGS__))
/* tl_bitcast(T, x): the bits of x as a T of the same size. */
#define tl_bitcast(...) (teeny_tl_bitcast(__VA_ARGS__))
/* tl_mask(c): a comparison of any width as a tile of bool. */
#define tl_mask(...) (teeny_tl_mask(__VA_ARGS__))
/* tl_where(mask, a, b): a where the mask is set, else b. */
#define tl_where(...) (teeny_tl_where(__VA_ARGS__))

/* tl_expand_dims(x, axis): a new dimension of 1 before `axis`. */
#define tl_expand_dims(...) (teeny_tl_expand_dims(__VA_ARGS__))
/* tl_expand(x, axis, n): a new dimension before `axis`, x repeated n times along it. */
#define tl_expand(...) (teeny_tl_expand(__VA_ARGS__))
/* tl_broadcast_to(x, d0[, ...]): dimensions of 1 repeated; a scalar everywhere. */
#define tl_broadcast_to(...) (teeny_tl_broadcast_to(__VA_ARGS__))
/* tl_reshape(x, d0[, ...]): the same elements, in the same order, under other dimensions. */
#define tl_reshape(...) (teeny_tl_reshape(__VA_ARGS__))
/* tl_trans(x): the last two dimensions exchanged. */
#define tl_trans(...) (teeny_tl_trans(__VA_ARGS__))
/* tl_permute(x, p0, ...): dimension i of the result is dimension p_i of x. */
#define tl_permute(...) (teeny_tl_permute(__VA_ARGS__))

/* Elementwise functions of scalars and tiles. */
#define tl_abs(x) TEENY_UNARY(abs, x)
#define tl_ceil(x) TEENY_FLOAT_UNARY(ceil, x)
#define tl_cos(x) TEENY_FLOAT_UNARY(cos, x)
#define tl_erf(x) TEENY_FLOAT_UNARY(erf, x)
#define tl_exp(x) TEENY_FLOAT_UNARY(exp, x)
#define tl_exp2(x) TEENY_FLOAT_UNARY(exp2, x)
#define tl_floor(x) TEENY_FLOAT_UNARY(floor, x)
#define tl_log(x) TEENY_FLOAT_UNARY(log, x)
#define tl_log2(x) TEENY_FLOAT_UNARY(log2, x)
#define tl_round(x) TEENY_FLOAT_UNARY(round, x)
#define tl_rsqrt(x) TEENY_FLOAT_UNARY(rsqrt, x)
#define tl_sin(x) TEENY_FLOAT_UNARY(sin, x)
#define tl_sqrt(x) TEENY_FLOAT_UNARY(sqrt, x)
#define tl_tanh(x) TEENY_FLOAT_UNARY(tanh, x)
#define tl_trunc(x) TEENY_FLOAT_UNARY(trunc, x)
#define tl_maximum(x, y) TEENY_BINARY(maximum, x, y)
#define tl_minimum(x, y) TEENY_BINARY(minimum, x, y)
#define tl_pow(x, y) TEENY_BINARY(pow, x, y)
/* The fast division of floats; `/` is the IEEE one. */
#define tl_fdiv(x, y) TEENY_BINARY(fdiv, x, y)
/* Integer division towards plus infinity. */
#define tl_cdiv(x, y) TEENY_BINARY(cdiv, x, y)
#define tl_fma(x, y, z) TEENY_TERNARY(fma, x, y, z)
#define tl_clamp(x, low, high) TEENY_TERNARY(clamp, x, low, high)

/* Reductions: op(x) and op(x, axis) of a tile of rank 1 give a scalar, op(x, axis, dimensions
 * left...) a tile. Narrow integers widen in sums and products; max and min ignore NaN; the index is
 * the lowest of equal elements. */
#define tl_sum(...) TEENY_REDUCTION(sum, TEENY_WIDENED, __VA_ARGS__)
#define tl_prod(...) TEENY_REDUCTION(prod, TEENY_WIDENED, __VA_ARGS__)
#define tl_max(...) TEENY_REDUCTION(max, TEENY_SAME, __VA_ARGS__)
#define tl_min(...) TEENY_REDUCTION(min, TEENY_SAME, __VA_ARGS__)
#define tl_argmax(...) TEENY_REDUCTION(argmax, TEENY_INDEX, __VA_ARGS__)
#define tl_argmin(...) TEENY_REDUCTION(argmin, TEENY_INDEX, __VA_ARGS__)
/* How many lanes of a mask are set. */
#define tl_count(...) TEENY_REDUCTION(count, TEENY_INDEX, __VA_ARGS__)
#define tl_reduce(...) teeny_tl_reduce(__VA_ARGS__)

/* tl_dot(a, b, acc): acc + a b for tiles of [M,K], [K,N] and [M,N], or with one batch dimension
 * more. */
#define tl_dot(...) teeny_tl_dot(__VA_ARGS__)

#endif
