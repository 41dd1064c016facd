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
 * docs/language.md is the reference.
 */
#ifndef TEENY_KERNEL_H
#define TEENY_KERNEL_H

#ifdef __cplusplus
#error                                                                                             \
    "kernels are C: give a C++ file the typed launch with TEENY_KERNEL_DECLARE of <teeny/teeny.h>"
#endif

#include <teeny/capture.h>
#include <teeny/ops.h>
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

/* tl_load(pointer, offsets[, mask[, other]]): the elements at pointer + offsets. Lanes masked off
 * touch no memory and give `other`, or 0. A scalar offset loads a scalar. */
#define tl_load(...) (teeny_tl_load(__VA_ARGS__))
/* tl_store(pointer, offsets, value[, mask]): lanes masked off touch no memory. */
#define tl_store(...) (teeny_tl_store(__VA_ARGS__))

#endif
