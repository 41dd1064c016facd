/* How many elements of a tile a thread may load or store at once. */
#ifndef TEENY_ANALYSIS_ACCESS_WIDTH_H
#define TEENY_ANALYSIS_ACCESS_WIDTH_H

#include "analysis/axis_facts.h"
#include "analysis/linear_layout.h"

enum { ACCESS_WIDEST = 4 }; /* log2 of the bytes of the widest access */

/* What kept an access from being wider; in the order of being looked at. */
enum access_limit {
    ACCESS_LIMIT_NONE,       /* it is as wide as accesses are */
    ACCESS_LIMIT_CONTIGUITY, /* the addresses are not known to count up any further */
    ACCESS_LIMIT_ALIGNMENT,  /* they are not known to be multiples of more bytes */
    ACCESS_LIMIT_MASK,       /* the mask is not known to be the same any further */
    ACCESS_LIMIT_LAYOUT,     /* a thread has no more neighbours */
};

struct access_width {
    unsigned run; /* log2 of elements: registers whose numbers agree but for the lowest `run` bits
                     are neighbours in memory, the first at a multiple of their size in bytes, and
                     have one mask */
    enum access_limit limit;
    unsigned dimension; /* along which they lie */
};

/* For tiles of pointers in `layout`; `mask` may be NULL. */
struct access_width access_width_of(const struct axis_facts *pointers,
    const struct axis_facts *mask, const struct linear_layout *layout);

#endif
