/* What is measured: each case as a kernel and as plain loops, on the same memory. */
#ifndef TEENY_BENCH_CASES_H
#define TEENY_BENCH_CASES_H

#include <teeny/teeny.h>

struct size {
    int rows, columns, inner;
};

enum { BENCH_ELEMENTS = 1 << 24, BENCH_SCRATCH = 1 << 22 };

/* Where the output goes, and three inputs: numbers in [-1, 1), the same in single and in half
 * precision. */
struct memory {
    void *out;
    float *x, *y, *z;
    f16 *half_x, *half_y, *half_z;
    int *values;   /* in [0, 100) */
    void *scratch; /* for what lies between, BENCH_SCRATCH elements */
};

enum element { ELEMENT_F32, ELEMENT_F16, ELEMENT_I32 };

struct bench_case {
    const char *name;
    struct size size;
    /* A launch, which is not waited for. */
    teeny_status (*launch)(teeny_stream *stream, struct size size, struct memory memory);
    void (*loop)(struct size size, struct memory memory);
    double work;      /* what has to be done: bytes to move, or operations */
    const char *unit; /* a billion of them a second */
    enum element out;
    int out_count;
};

extern const struct bench_case bench_cases[];
extern const int bench_case_count;

/* Loads what the launches need; before the first one. */
void kernels_load(teeny_device *device);
void kernels_unload(void);

/* Ends the program where a call failed. */
void bench_check(teeny_status status);

teeny_status launch_add(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_softmax(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_layernorm(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_matmul(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_matmul_pointers(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_matmul_tensors(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_attention(teeny_stream *stream, struct size size, struct memory memory);
teeny_status launch_histogram(teeny_stream *stream, struct size size, struct memory memory);

void loop_add(struct size size, struct memory memory);
void loop_softmax(struct size size, struct memory memory);
void loop_layernorm(struct size size, struct memory memory);
void loop_matmul(struct size size, struct memory memory);      /* OpenBLAS where it is installed */
void loop_matmul_half(struct size size, struct memory memory); /* the same between conversions */
void loop_attention(struct size size, struct memory memory);
void loop_histogram(struct size size, struct memory memory);

#endif
