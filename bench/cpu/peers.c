/* The loops of cases.h: what one writes in C, made by gcc -O3 -march=native -ffast-math -fopenmp.
 */
#include "cases.h"

#include <math.h>
#ifdef TEENY_BENCH_OPENBLAS
#include <cblas.h>
#endif

void loop_add(struct size size, struct memory m)
{
    int n = size.rows * size.columns;
    float *restrict out = m.out;
    const float *restrict x = m.x, *restrict y = m.y;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = x[i] + y[i];
}

void loop_softmax(struct size size, struct memory m)
{
    int n = size.columns;
#pragma omp parallel for
    for (int row = 0; row < size.rows; row++) {
        float *restrict out = m.out + row * n;
        const float *restrict x = m.x + row * n;
        float greatest = x[0], sum = 0;
        for (int i = 1; i < n; i++)
            greatest = x[i] > greatest ? x[i] : greatest;
        for (int i = 0; i < n; i++)
            sum += out[i] = expf(x[i] - greatest);
        for (int i = 0; i < n; i++)
            out[i] /= sum;
    }
}

void loop_layernorm(struct size size, struct memory m)
{
    int n = size.columns;
#pragma omp parallel for
    for (int row = 0; row < size.rows; row++) {
        float *restrict out = m.out + row * n;
        const float *restrict x = m.x + row * n, *restrict w = m.y, *restrict b = m.z;
        float sum = 0, squares = 0;
        for (int i = 0; i < n; i++)
            sum += x[i];
        float mean = sum / (float)n;
        for (int i = 0; i < n; i++)
            squares += (x[i] - mean) * (x[i] - mean);
        float scale = 1 / sqrtf(squares / (float)n + 1e-5f);
        for (int i = 0; i < n; i++)
            out[i] = (x[i] - mean) * scale * w[i] + b[i];
    }
}

#ifdef TEENY_BENCH_OPENBLAS
void loop_matmul(struct size size, struct memory m)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size.rows, size.columns, size.inner, 1,
        m.x, size.inner, m.y, size.columns, 0, m.out, size.columns);
}
#else
void loop_matmul(struct size size, struct memory m)
{
    float *restrict out = m.out;
#pragma omp parallel for
    for (int i = 0; i < size.rows; i++) {
        for (int j = 0; j < size.columns; j++)
            out[i * size.columns + j] = 0;
        for (int k = 0; k < size.inner; k++)
            for (int j = 0; j < size.columns; j++)
                out[i * size.columns + j] += m.x[i * size.inner + k] * m.y[k * size.columns + j];
    }
}
#endif
