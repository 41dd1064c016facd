/* See random_layout.h. */
#include "random_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

uint64_t random_state;

unsigned random_below(unsigned limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % limit;
}

/* Spreads 2^bits over the dimensions. */
void random_powers(unsigned rank, unsigned bits, unsigned *out)
{
    for (unsigned i = 0; i < rank; i++)
        out[i] = 1;
    for (unsigned i = 0; i < bits; i++)
        out[random_below(rank)] *= 2;
}

struct blocking random_blocking(unsigned rank, unsigned element_bits)
{
    struct blocking b = {.rank = rank};
    unsigned dimensions[5];
    random_powers(b.rank, random_below(4), b.size);
    random_powers(b.rank, 5, b.threads);
    random_powers(b.rank, random_below(4), b.warps);
    random_powers(b.rank, element_bits, dimensions);
    for (unsigned i = 0; i < b.rank; i++) {
        b.shape[i] = dimensions[i];
        b.order[i] = i;
    }
    for (unsigned i = b.rank; i-- > 1;) {
        unsigned j = random_below(i + 1), swap = b.order[i];
        b.order[i] = b.order[j];
        b.order[j] = swap;
    }
    return b;
}

struct linear_layout make_layout(const struct blocking *b)
{
    struct layout_blocking blocking = {b->rank, b->size, b->threads, b->warps, b->order};
    struct layout_shape shape;
    struct linear_layout layout;
    assert_true(layout_shape_make(b->rank, b->shape, &shape));
    assert_true(layout_from_blocking(&blocking, &shape, &layout));
    return layout;
}
