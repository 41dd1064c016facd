/* See bit_span.h. */
#include "analysis/bit_span.h"

void bit_span_reduce(const struct bit_span *span, uint32_t *vector, uint64_t *columns)
{
    for (unsigned bit = BIT_SPAN_MAX_BITS; bit-- > 0;) {
        if ((*vector >> bit & 1) && span->vector[bit]) {
            *vector ^= span->vector[bit];
            *columns ^= span->columns[bit];
        }
    }
}

bool bit_span_add(struct bit_span *span, uint32_t vector, uint64_t columns)
{
    bit_span_reduce(span, &vector, &columns);
    if (vector == 0)
        return false;
    unsigned leading = 31 - (unsigned)__builtin_clz(vector);
    span->vector[leading] = vector;
    span->columns[leading] = columns;
    return true;
}

bool bit_span_has(const struct bit_span *span, uint32_t vector)
{
    uint64_t columns = 0;
    bit_span_reduce(span, &vector, &columns);
    return vector == 0;
}

uint32_t bit_combine(const uint32_t *columns, uint32_t bits)
{
    uint32_t sum = 0;
    for (; bits; bits &= bits - 1)
        sum ^= columns[__builtin_ctz(bits)];
    return sum;
}
