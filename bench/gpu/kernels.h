/* The kernels that bench.py may name. */
#ifndef TEENY_BENCH_GPU_KERNELS_H
#define TEENY_BENCH_GPU_KERNELS_H

#include <teeny/teeny.h>

extern const struct bench_kernel {
    const char *name; /* NULL: the end */
    const teeny_kernel *kernel;
} bench_kernels[];

#endif
