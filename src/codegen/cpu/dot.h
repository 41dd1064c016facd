/* Matrix products: between dot.c, which sees to operands and buffers, and dot_nest.c, which
 * multiplies. Private to the CPU path. */
#ifndef TEENY_CODEGEN_CPU_DOT_H
#define TEENY_CODEGEN_CPU_DOT_H

#include "codegen/cpu/cpu.h"

/* What the innermost loop works on: `rows` times `vectors` vectors of `lanes` sums, all in
 * registers. A panel is the columns of these vectors. */
struct cpu_dot_block {
    unsigned row_bits, vector_bits, lane_bits;
};

/* d = a b, or d = d + a b where it accumulates, for `batch` matrices one after the other:
 *
 *     a   rows x inner, row-major
 *     b   panel by panel, each inner x (columns of a panel), row-major
 *     d   rows x columns, row-major
 *
 * All hold elements of one type, f32, f64 or i32. Sizes are powers of two. */
struct cpu_dot {
    unsigned batch_bits, row_bits, column_bits, inner_bits;
    MlirType element;
    struct cpu_dot_block block;
    struct cpu_buffer *a, *b, *d;
    bool accumulates;
};

/* The block for the sizes and the element type, from the target's registers. */
struct cpu_dot_block cpu_dot_choose_block(
    const struct cpu_kernel *kernel, const struct cpu_dot *dot);

void cpu_dot_multiply(struct cpu_kernel *kernel, const struct cpu_dot *dot);

#endif
