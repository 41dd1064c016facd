/* See integer_range.h. */
#include "analysis/integer_range.h"

struct integer_range range_all(unsigned width)
{
    int64_t least = (int64_t)(UINT64_C(1) << 63) >> (64 - width);
    return (struct integer_range){least, ~least};
}

struct integer_range range_single(int64_t value)
{
    return (struct integer_range){value, value};
}

bool range_is_single(struct integer_range range)
{
    return range.least == range.most;
}

bool range_contains(struct integer_range range, int64_t value)
{
    return range.least <= value && value <= range.most;
}

bool range_equal(struct integer_range a, struct integer_range b)
{
    return a.least == b.least && a.most == b.most;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

struct integer_range range_join(struct integer_range a, struct integer_range b)
{
    return (struct integer_range){smaller(a.least, b.least), larger(a.most, b.most)};
}

/* The range itself where the type holds all of it. */
static struct integer_range within(struct integer_range range, unsigned width)
{
    struct integer_range all = range_all(width);
    return range_contains(all, range.least) && range_contains(all, range.most) ? range : all;
}

struct integer_range range_add(struct integer_range a, struct integer_range b, unsigned width)
{
    struct integer_range sum;
    if (__builtin_add_overflow(a.least, b.least, &sum.least) ||
        __builtin_add_overflow(a.most, b.most, &sum.most))
        return range_all(width);
    return within(sum, width);
}

struct integer_range range_subtract(struct integer_range a, struct integer_range b, unsigned width)
{
    struct integer_range difference;
    if (__builtin_sub_overflow(a.least, b.most, &difference.least) ||
        __builtin_sub_overflow(a.most, b.least, &difference.most))
        return range_all(width);
    return within(difference, width);
}

struct integer_range range_multiply(struct integer_range a, struct integer_range b, unsigned width)
{
    const int64_t as[] = {a.least, a.least, a.most, a.most};
    const int64_t bs[] = {b.least, b.most, b.least, b.most};
    struct integer_range product = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t corner;
        if (__builtin_mul_overflow(as[i], bs[i], &corner))
            return range_all(width);
        product = range_join(product, range_single(corner));
    }
    return within(product, width);
}

struct integer_range range_divide(struct integer_range a, struct integer_range b, unsigned width)
{
    if (b.least < 1)
        return range_all(width);
    return (struct integer_range){
        a.least / (a.least < 0 ? b.least : b.most), a.most / (a.most < 0 ? b.most : b.least)};
}

/* The most that a remainder can be, of either sign: it is nearer to 0 than the divisor. */
static int64_t remainder_limit(struct integer_range divisor)
{
    int64_t most = divisor.most > 0 ? divisor.most - 1 : 0;
    int64_t least = divisor.least < 0 ? -(divisor.least + 1) : 0;
    bool is_zero = divisor.least == 0 && divisor.most == 0;
    return is_zero ? INT64_MAX : larger(most, least);
}

/* The remainder has the dividend's sign and is no larger than it. */
struct integer_range range_remainder(struct integer_range a, struct integer_range b)
{
    int64_t limit = remainder_limit(b);
    int64_t most = a.most < 0 ? 0 : smaller(a.most, limit);
    return (struct integer_range){a.least < 0 ? larger(a.least, -limit) : 0, most};
}

struct integer_range range_and(struct integer_range a, struct integer_range b, unsigned width)
{
    if (a.least < 0 && b.least < 0)
        return range_all(width);
    int64_t most_a = a.least < 0 ? INT64_MAX : a.most, most_b = b.least < 0 ? INT64_MAX : b.most;
    return (struct integer_range){0, smaller(most_a, most_b)};
}

struct integer_range range_shift_right(struct integer_range a, unsigned amount)
{
    return (struct integer_range){a.least >> amount, a.most >> amount};
}

struct integer_range range_minimum(struct integer_range a, struct integer_range b)
{
    return (struct integer_range){smaller(a.least, b.least), smaller(a.most, b.most)};
}

struct integer_range range_maximum(struct integer_range a, struct integer_range b)
{
    return (struct integer_range){larger(a.least, b.least), larger(a.most, b.most)};
}

struct integer_range range_extend_unsigned(struct integer_range a, unsigned from_width)
{
    if (a.least >= 0)
        return a;
    if (from_width == 64)
        return range_all(64);
    int64_t size = INT64_C(1) << from_width;
    if (a.most < 0)
        return (struct integer_range){a.least + size, a.most + size};
    return (struct integer_range){0, size - 1};
}

struct integer_range range_truncate(struct integer_range a, unsigned width)
{
    return within(a, width);
}
