/* Random blocked layouts, for tests that compare with brute force. */
#ifndef TEENY_TESTS_RANDOM_LAYOUT_H
#define TEENY_TESTS_RANDOM_LAYOUT_H

#include "analysis/linear_layout.h"

struct blocking {
    unsigned rank;
    unsigned size[5], threads[5], warps[5], order[5];
    int64_t shape[5];
};

/* The generator's state: what a test prints as its seed. */
extern uint64_t random_state;

unsigned random_below(unsigned limit);

/* Spreads 2^bits over the dimensions. */
void random_powers(unsigned rank, unsigned bits, unsigned *out);

/* Over a tile of 2^element_bits elements; its shape is random too. */
struct blocking random_blocking(unsigned rank, unsigned element_bits);

struct linear_layout make_layout(const struct blocking *b);

#endif
