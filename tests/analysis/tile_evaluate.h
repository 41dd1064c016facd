/* One element of an operation on integers or pointers, computed in plain C. */
#ifndef TEENY_TESTS_ANALYSIS_TILE_EVALUATE_H
#define TEENY_TESTS_ANALYSIS_TILE_EVALUATE_H

#include "dialect/dialect.h"

#include <stdbool.h>
#include <stdint.h>

struct element_operation {
    MlirOperation op;
    enum op_id id;
    unsigned width, from_width; /* of the result and of the first operand */
    unsigned pointee_size;      /* of an addptr */
};

/* Of elements of 64 bits with their sign extended; the result is for the caller to cut to its
 * width. False: it is unspecified, or, named in `out_unknown`, the operation is not known. */
bool tile_evaluate(const struct element_operation *operation, const int64_t *x, int64_t *out,
    const char **out_unknown);

static inline int64_t sign_extended(int64_t value, unsigned width)
{
    return (int64_t)((uint64_t)value << (64 - width)) >> (64 - width);
}

static inline uint64_t zero_extended(int64_t value, unsigned width)
{
    return (uint64_t)value << (64 - width) >> (64 - width);
}

#endif
