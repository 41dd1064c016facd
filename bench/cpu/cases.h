/* What is measured: each case as a kernel and as a plain loop, on the same memory. */
#ifndef TEENY_BENCH_CASES_H
#define TEENY_BENCH_CASES_H

#include <teeny/teeny.h>

struct size {
    int rows, columns, inner;
};

/* out, and up to three inputs, of at least rows * columns and so on elements. */
struct memory {
    float *out, *x, *y, *z;
};

/* Kernels: a launch, which is not waited for. */
teeny_status launch_add(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_softmax(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_layernorm(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_matmul(teeny_stream *stream, struct size size, struct memory memory);

/* Loops. */
void loop_add(struct size size, struct memory memory);
void loop_softmax(struct size size, struct memory memory);
void loop_layernorm(struct size size, struct memory memory);
void loop_matmul(struct size size, struct memory memory); /* OpenBLAS; NULL where it is missing */

#endif
