/* The loops of cases.h: what one writes in C, made by gcc -O3 -march=native -ffast-math -fopenmp.
 */
#include "cases.h"

#include <math.h>
#include <string.h>
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
        float *restrict out = (float *)m.out + row * n;
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
        float *restrict out = (float *)m.out + row * n;
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

static void widen(float *restrict out, const f16 *restrict in, int count)
{
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        out[i] = (float)in[i];
}

/* One row of attention: all scores, their softmax, the sum of values. */
static void attention_row(f16 *restrict out, const f16 *restrict q, const float *restrict k,
    const float *restrict v, int length)
{
    enum { HEAD = 64, LONGEST = 1024 };
    float query[HEAD], score[LONGEST], row[HEAD] = {0}, greatest, sum = 0;
    for (int d = 0; d < HEAD; d++)
        query[d] = 0.5f * (float)q[d];
    for (int j = 0; j < length; j++) {
        float product = 0;
        for (int d = 0; d < HEAD; d++)
            product += query[d] * k[j * HEAD + d];
        score[j] = product;
    }
    greatest = score[0];
    for (int j = 1; j < length; j++)
        greatest = score[j] > greatest ? score[j] : greatest;
    for (int j = 0; j < length; j++)
        sum += score[j] = expf(score[j] - greatest);
    for (int j = 0; j < length; j++)
        for (int d = 0; d < HEAD; d++)
            row[d] += score[j] * v[j * HEAD + d];
    for (int d = 0; d < HEAD; d++)
        out[d] = (f16)(row[d] / sum);
}

void loop_attention(struct size size, struct memory m)
{
    int heads = size.rows, length = size.columns, head = length * size.inner;
    float *k = m.scratch, *v = k + heads * head;
    f16 *out = m.out;
    widen(k, m.half_y, heads * head);
    widen(v, m.half_z, heads * head);
#pragma omp parallel for
    for (int i = 0; i < heads * length; i++) {
        int at = i / length * head;
        attention_row(out + i * size.inner, m.half_x + i * size.inner, k + at, v + at, length);
    }
}

void loop_histogram(struct size size, struct memory m)
{
    enum { MOST_BINS = 128 };
    int *restrict out = m.out, bins = size.inner;
    const int *restrict values = m.values;
    memset(out, 0, (size_t)bins * sizeof *out);
#pragma omp parallel
    {
        int own[MOST_BINS] = {0};
#pragma omp for nowait
        for (int i = 0; i < size.columns; i++)
            own[values[i]]++;
#pragma omp critical
        for (int i = 0; i < bins; i++)
            out[i] += own[i];
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

/* A library for single precision is what there is: convert, multiply, convert back. */
void loop_matmul_half(struct size size, struct memory m)
{
    int a = size.rows * size.inner, b = size.inner * size.columns, c = size.rows * size.columns;
    float *scratch = m.scratch;
    struct memory single = {.out = scratch + a + b, .x = scratch, .y = scratch + a};
    widen(single.x, m.half_x, a);
    widen(single.y, m.half_y, b);
    loop_matmul(size, single);
    f16 *restrict out = m.out;
    const float *restrict product = single.out;
#pragma omp parallel for
    for (int i = 0; i < c; i++)
        out[i] = (f16)product[i];
}
