/* See samples.h. */
#include "samples.h"
#include "reference.h"

#include <math.h>
#include <string.h>

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014: a number's hash.
 */
static uint64_t random_bits(uint64_t index, unsigned which)
{
    uint64_t state = (4 * index + which) * 0x9e3779b97f4a7c15u;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

static double between(double low, double high, uint64_t bits)
{
    return low + (high - low) * ldexp((double)(bits >> 11), -53);
}

static float f32_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double f64_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

float sample_f32_bits(uint64_t index, uint64_t step)
{
    return f32_of((uint32_t)(index * step));
}

double sample_f64(const struct math_reference *reference, uint64_t index)
{
    uint64_t bits = random_bits(index, 0), more = random_bits(index, 1);
    switch (index % 3) {
    case 0:
        return f64_of(bits);
    case 1:
        return between(reference->low, reference->high, bits);
    default: /* 2^-20 to 2^6 */
        return f64_of((bits & 0x800fffffffffffff) | (1003 + more % 26) << 52);
    }
}

/* An exponent for which base^exponent lies about within 2^+-`limit`. The logarithm is that of a
 * polygon through the powers of two: not the C library's, so that all machines take the same
 * sample.
 */
static double fitting_exponent(double base, double limit, uint64_t bits)
{
    int exponent;
    double fraction = frexp(base, &exponent);
    return between(-limit, limit, bits) / (exponent - 1 + (2.0 * fraction - 1.0));
}

void sample_pow_f32(uint64_t index, float *out_x, float *out_y)
{
    uint64_t bits = random_bits(index, 0), more = random_bits(index, 1);
    *out_x = f32_of((uint32_t)bits);
    *out_y = f32_of((uint32_t)more);
    if (index % 4 == 1)
        *out_y = (float)fitting_exponent(fabsf(*out_x), 150, more);
    if (index % 4 == 2) {
        *out_x = 1.0f + ldexpf((float)(int32_t)(bits % 200000) - 100000.0f, -23);
        *out_y = (float)fitting_exponent(*out_x, 150, more);
    }
    if (index % 4 == 3)
        *out_y = (float)(more % 60) - 30.0f;
}

void sample_pow_f64(uint64_t index, double *out_x, double *out_y)
{
    uint64_t bits = random_bits(index, 0), more = random_bits(index, 1);
    *out_x = f64_of(bits);
    *out_y = f64_of(more);
    if (index % 4 == 1)
        *out_y = fitting_exponent(fabs(*out_x), 1075, more);
    if (index % 4 == 2) {
        *out_x = 1.0 + ldexp((double)(int64_t)(bits >> 12), -52 - (int)(more % 40));
        *out_y = fitting_exponent(*out_x, 1075, random_bits(index, 2));
    }
    if (index % 4 == 3)
        *out_y = (double)(more % 60) - 30.0;
}
