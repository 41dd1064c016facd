/* Values that the math functions must give exactly, in both types. */
#ifndef TEENY_TESTS_MATH_SPECIAL_H
#define TEENY_TESTS_MATH_SPECIAL_H

#include <stddef.h>

struct math_special {
    const char *stem;
    double x, y, expected; /* y: for pow alone; a NaN stands for every NaN */
};

extern const struct math_special math_specials[];
extern const size_t math_special_count;

#endif
