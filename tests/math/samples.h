/* The arguments that the math functions are measured at, by number: any thread can make any. */
#ifndef TEENY_TESTS_MATH_SAMPLES_H
#define TEENY_TESTS_MATH_SAMPLES_H

#include <stdint.h>

struct math_reference;

/* The f32 whose bits are `index` * `step`. */
float sample_f32_bits(uint64_t index, uint64_t step);

/* Of every exponent and sign; evenly over the function's own range; or around 1. */
double sample_f64(const struct math_reference *reference, uint64_t index);

/* Arguments of pow: anything; bases anywhere and near 1, with exponents that keep the result
 * finite; small integral exponents. */
void sample_pow_f32(uint64_t index, float *out_x, float *out_y);
void sample_pow_f64(uint64_t index, double *out_x, double *out_y);

#endif
