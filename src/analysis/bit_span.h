/* Spans of bit vectors over GF(2), kept in echelon form: a vector for each leading bit, so that
 * membership is one pass over the bits. Each vector remembers which of the added columns it is the
 * exclusive or of, so that what the span can make is also told how. */
#ifndef TEENY_ANALYSIS_BIT_SPAN_H
#define TEENY_ANALYSIS_BIT_SPAN_H

#include <stdbool.h>
#include <stdint.h>

enum { BIT_SPAN_MAX_BITS = 24 };

/* All zero: the span of nothing. */
struct bit_span {
    uint32_t vector[BIT_SPAN_MAX_BITS];
    uint64_t columns[BIT_SPAN_MAX_BITS];
};

/* Takes out of *vector all that the span can make; *columns changes by the columns that were used.
 * 0 is left where the span makes the whole vector. */
void bit_span_reduce(const struct bit_span *span, uint32_t *vector, uint64_t *columns);

/* Adds a vector, named by the set `columns` (usually one bit). False, and nothing changes, where
 * the span makes it already. */
bool bit_span_add(struct bit_span *span, uint32_t vector, uint64_t columns);

bool bit_span_has(const struct bit_span *span, uint32_t vector);

/* The exclusive or of columns[i] over the bits i of `bits`: a product of a matrix and a vector. */
uint32_t bit_combine(const uint32_t *columns, uint32_t bits);

#endif
