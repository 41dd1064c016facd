/* What the kernels that Triton printed compute, in f64, for the tests of each device. */
#ifndef TEENY_TESTS_TRITON_REFERENCE_H
#define TEENY_TESTS_TRITON_REFERENCE_H

#include "small_floats.h"

enum { REFERENCE_MOST_KEYS = 256 };

/* -2 to 2, in steps of 0.001; the same sequence in each program. */
static inline double reference_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state % 4001) / 1000.0 - 2.0;
}

/* One row of attention in powers of two over the first `count` keys, all of f16: out[width]. */
static inline void reference_attention(const uint16_t *query, const uint16_t *keys,
    const uint16_t *values, int width, int count, double scale, double *out)
{
    double scores[REFERENCE_MOST_KEYS], greatest = -INFINITY, sum = 0;
    for (int j = 0; j < count; j++) {
        scores[j] = 0;
        for (int x = 0; x < width; x++)
            scores[j] += from_half(query[x]) * from_half(keys[j * width + x]) * scale;
        greatest = fmax(greatest, scores[j]);
    }
    for (int x = 0; x < width; x++)
        out[x] = 0;
    for (int j = 0; j < count; j++) {
        double weight = exp2(scores[j] - greatest);
        sum += weight;
        for (int x = 0; x < width; x++)
            out[x] += weight * from_half(values[j * width + x]);
    }
    for (int x = 0; x < width; x++)
        out[x] /= sum;
}

/* Mean and variance of a row of n. */
static inline void reference_moments(
    const float *row, int n, double *out_mean, double *out_variance)
{
    *out_mean = *out_variance = 0;
    for (int i = 0; i < n; i++)
        *out_mean += (double)row[i] / n;
    for (int i = 0; i < n; i++)
        *out_variance += ((double)row[i] - *out_mean) * ((double)row[i] - *out_mean) / n;
}

#endif
