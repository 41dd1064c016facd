/* f16 and bf16 in plain C, for host compilers that have neither. */
#ifndef TEENY_TESTS_CONFORM_HALF_H
#define TEENY_TESTS_CONFORM_HALF_H

#include <stdint.h>

long double half_from_f16(uint16_t bits);

/* One rounding, to nearest even; subnormals are kept, a NaN is quiet. */
uint16_t half_to_f16(long double value);
uint16_t half_to_bf16(long double value);

#endif
