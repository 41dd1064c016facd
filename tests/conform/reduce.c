/* The family of reductions: each of a row, of matrices and of a block of rank 3, along each axis
 * and to a scalar. A program has another kind of data: small numbers, extremes, NaN first and last,
 * zeros of both signs, ties, random patterns. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "families.h"
#include "values.h"

enum { MOST_BLOCK = 1024 };

/* What is being reduced: numbers of an element type, to one of another. */
struct group {
    enum element_id element, result;
    const struct number *numbers;
    size_t count;
};

/* The result, and how far from it is right still. */
struct reduced {
    struct number number;
    long double slack;
};

typedef struct reduced reference(const struct group *group);

/* ---- What they mean -------------------------------------------------------------------------- */

/* The digits that f16 and bf16 are summed with are f32's. The error of a sum in any order: Higham,
 * Accuracy and Stability of Numerical Algorithms, 4.2. */
static long double accumulation_error(const struct group *group, long double sizes)
{
    const enum element_id element = group->element == F64 ? F64 : F32;
    return (long double)group->count * ldexpl(sizes, -elements[element].digits);
}

static struct reduced floating_result(
    const struct group *group, long double exact, long double error)
{
    const long double least = LDBL_MIN; /* either zero will do */
    struct reduced reduced = {element_round(group->result, number_float(exact)), error + least};
    if (!isfinite(exact))
        reduced.slack = 0;
    else if (elements[group->result].size < 4)
        reduced.slack += element_unit(group->result, exact) / 2;
    return reduced;
}

static struct reduced sum(const struct group *group)
{
    long double total = 0, sizes = 0;
    uint64_t wrapped = 0;
    for (size_t i = 0; i < group->count; i++) {
        total += group->numbers[i].f;
        sizes += fabsl(group->numbers[i].f);
        wrapped += group->numbers[i].u;
    }
    if (elements[group->element].class == FLOATING)
        return floating_result(group, total, accumulation_error(group, sizes));
    return (struct reduced){element_round(group->result, number_unsigned(wrapped)), 0};
}

static struct reduced prod(const struct group *group)
{
    long double total = 1;
    uint64_t wrapped = 1;
    for (size_t i = 0; i < group->count; i++) {
        total *= group->numbers[i].f;
        wrapped *= group->numbers[i].u;
    }
    if (elements[group->element].class == FLOATING)
        return floating_result(group, total, accumulation_error(group, fabsl(total)));
    return (struct reduced){element_round(group->result, number_unsigned(wrapped)), 0};
}

/* Whether a beats b as the larger (sign 1) or the smaller (sign -1) one. -0 is less than +0, and a
 * NaN loses against every number. */
static bool beats(enum element_id element, struct number a, struct number b, int sign)
{
    switch (elements[element].class) {
    case FLOATING:
        if (isnan(a.f) || isnan(b.f))
            return isnan(b.f) && !isnan(a.f);
        if (a.f == b.f)
            return sign > 0 ? !signbit(a.f) && signbit(b.f) : signbit(a.f) && !signbit(b.f);
        return sign > 0 ? a.f > b.f : a.f < b.f;
    case SIGNED:
        return sign > 0 ? a.i > b.i : a.i < b.i;
    default:
        return sign > 0 ? a.u > b.u : a.u < b.u;
    }
}

/* The first of those that none beats. */
static size_t best(const struct group *group, int sign)
{
    size_t best = 0;
    for (size_t i = 1; i < group->count; i++)
        if (beats(group->element, group->numbers[i], group->numbers[best], sign))
            best = i;
    return best;
}

static struct reduced max(const struct group *group)
{
    return (struct reduced){group->numbers[best(group, 1)], 0};
}

static struct reduced min(const struct group *group)
{
    return (struct reduced){group->numbers[best(group, -1)], 0};
}

static struct reduced argmax(const struct group *group)
{
    return (struct reduced){number_signed((int64_t)best(group, 1)), 0};
}

static struct reduced argmin(const struct group *group)
{
    return (struct reduced){number_signed((int64_t)best(group, -1)), 0};
}

static struct reduced count(const struct group *group)
{
    const bool is_float = elements[group->element].class == FLOATING;
    int64_t set = 0;
    for (size_t i = 0; i < group->count; i++)
        set += is_float ? group->numbers[i].f != 0 : group->numbers[i].u != 0;
    return (struct reduced){number_signed(set), 0};
}

static struct reduced either_bit(const struct group *group)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < group->count; i++)
        bits ^= group->numbers[i].u;
    return (struct reduced){element_round(group->result, number_unsigned(bits)), 0};
}

/* ---- Data ------------------------------------------------------------------------------------ */

enum { PROGRAMS = 12 };

/* What a row may be given beside small numbers. */
enum data {
    ADDED = 1,      /* sums: numbers whose sums are exact, and random ones below 1 */
    MULTIPLIED = 2, /* products: powers of two, but few that are not 1 or -1 */
    COMPARED = 3,   /* extremes: anything */
    ORDERED = 4,    /* the same without NaN, and zeros of one sign */
};

static struct number power_of_two(enum element_id element, size_t i)
{
    const unsigned draw = value_bits(1, i) >> 32 & 15;
    const long double sizes[] = {2, 0.5L, 1, -1};
    if (elements[element].class == FLOATING)
        return number_float(draw < 2 ? sizes[draw] : sizes[2 + draw % 2]);
    return element_round(element, number_signed(draw % 2 ? (int64_t)draw : 1));
}

static struct number ordinary(enum element_id element, enum data data, size_t i)
{
    return data == MULTIPLIED ? power_of_two(element, i) : value_small(element, 1, i);
}

/* Kinds 1 to 6: small numbers with special ones among them, at the ends and inside. */
static struct number with_specials(
    enum element_id element, enum data data, unsigned kind, size_t i, size_t n)
{
    enum { PLUS_INFINITY = 4, MINUS_INFINITY = 5, NOT_A_NUMBER = 6 };
    const bool first = i == 0, last = i == n - 1, inside = i == n / 2;
    if ((kind == 1 && inside) || (kind == 4 && first))
        return value_special(element, PLUS_INFINITY);
    if ((kind == 4 && last) || (kind == 3 && inside))
        return value_special(element, MINUS_INFINITY);
    if (data == ORDERED)
        return ordinary(element, data, i);
    if ((kind == 2 && first) || (kind == 3 && last) || kind == 5)
        return value_special(element, NOT_A_NUMBER);
    return kind == 6 ? value_special(element, 1) : ordinary(element, data, i);
}

static struct number datum(
    enum element_id element, enum data data, unsigned kind, size_t i, size_t n)
{
    const bool is_float = elements[element].class == FLOATING;
    const uint64_t bits = value_bits(kind, i);
    if (elements[element].class == TRUTH)
        return number_unsigned(kind == 0 ? 0 : kind == 1 ? 1 : bits >> 30 & 1);
    if (kind >= 1 && kind <= 6)
        return with_specials(element, data, kind, i, n);
    if (kind == 7 && data == COMPARED)
        return value_special(element, (unsigned)i);
    if (kind == 8 && data == COMPARED && is_float)
        return number_float(bits >> 30 & 1 ? 0.0L : -0.0L);
    if (kind == 9 && data == COMPARED) /* ties between few values */
        return element_round(
            element, is_float ? number_float(bits >> 30 & 1) : number_unsigned(bits >> 30 & 1));
    if (kind >= 10 && is_float && data != MULTIPLIED)
        return element_round(element, number_float((long double)(int64_t)bits / 0x1p63L));
    if (kind >= 10 && !is_float)
        return element_round(element, number_unsigned(bits));
    return ordinary(element, data, i + 1000 * kind);
}

/* ---- How they are tried ---------------------------------------------------------------------- */

/* Strides and dimensions of the tile, in the order of its elements. */
struct shape {
    unsigned rank;
    size_t dimensions[3];
};

enum { OF_ROW, OF_WIDE, OF_HIGH, OF_CUBE };

static struct shape shape_of(const struct trial *trial)
{
    const size_t block = (size_t)trial->block;
    const struct shape shapes[] = {
        {1, {block, 1, 1}}, {2, {4, block / 4, 1}}, {2, {block / 4, 4, 1}}, {3, {2, block / 8, 4}}};
    return shapes[trial->row->choice];
}

static void expect_group(struct trial *trial, size_t at, const struct number *numbers, size_t count)
{
    const struct group group = {trial->element, trial->result, numbers, count};
    const struct reduced reduced = ((reference *)trial->row->reference)(&group);
    array_expect_near(&trial->arrays[0], at, reduced.number, reduced.slack);
}

/* All groups along one axis; returns how many. */
static size_t expect_axis(struct trial *trial, const struct shape *shape, unsigned axis, size_t at,
    const struct number *block)
{
    struct number numbers[MOST_BLOCK];
    size_t inner = 1, groups = 0;
    for (unsigned i = axis + 1; i < shape->rank; i++)
        inner *= shape->dimensions[i];
    const size_t length = shape->dimensions[axis], total = (size_t)trial->block;
    for (size_t outer = 0; outer < total; outer += length * inner)
        for (size_t k = 0; k < inner; k++, groups++) {
            for (size_t i = 0; i < length; i++)
                numbers[i] = block[outer + i * inner + k];
            expect_group(trial, at + groups, numbers, length);
        }
    return groups;
}

/* Elements that programs do not fill are what changes the result least. */
static struct number padding(const struct trial *trial)
{
    const enum element_id element = trial->element;
    const bool is_float = elements[element].class == FLOATING;
    reference *const meaning = (reference *)trial->row->reference;
    const bool is_largest = meaning == max || meaning == argmax;
    if (meaning == prod)
        return is_float ? number_float(1) : number_unsigned(1);
    if (is_float && (is_largest || meaning == min || meaning == argmin))
        return number_float(is_largest ? -INFINITY : INFINITY);
    if (meaning == min || meaning == argmin) /* the largest integer */
        return element_convert(F64, element, number_float(INFINITY));
    if (is_largest)
        return element_convert(F64, element, number_float(-INFINITY));
    return is_float ? number_float(0) : number_unsigned(0);
}

static void reduce(struct trial *trial)
{
    const size_t block = (size_t)trial->block, n = trial->size == 0 ? block - 3 : block;
    const struct shape shape = shape_of(trial);
    const enum data data = (enum data)trial->row->operands;
    struct number numbers[MOST_BLOCK];
    size_t results = 1;
    for (unsigned axis = 0; axis < shape.rank; axis++)
        results += block / shape.dimensions[axis];
    struct array *out = trial_array(trial, trial->result, PROGRAMS * results);
    const struct array *x = trial_array(trial, trial->element, PROGRAMS * n);
    const struct array *z = trial_array(trial, trial->element, 1);
    array_set(trial, z, 0, padding(trial));
    trial_integer(trial, (int32_t)n);
    for (unsigned program = 0; program < PROGRAMS; program++) {
        for (size_t i = 0; i < block; i++) {
            if (i < n)
                array_set(trial, x, program * n + i, datum(trial->element, data, program, i, n));
            numbers[i] = i < n ? array_get(trial, x, program * n + i) : array_get(trial, z, 0);
        }
        size_t at = program * results;
        for (unsigned axis = 0; axis < shape.rank; axis++)
            at += expect_axis(trial, &shape, axis, at, numbers);
        expect_group(trial, at, numbers, block);
    }
    (void)out;
    trial_run(trial, teeny_grid1(PROGRAMS));
}

/* ---- The rows -------------------------------------------------------------------------------- */

#define RANK(family_, text, kernel_, meaning, elements_, result_, data, choice_)                   \
    {.family = family_,                                                                            \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##kernel_,                                                         \
        .elements = elements_,                                                                     \
        .result = result_,                                                                         \
        .fixed = I32,                                                                              \
        .run = reduce,                                                                             \
        .blocks = BLOCKS,                                                                          \
        .operands = data,                                                                          \
        .reference = (void (*)(void))(meaning),                                                    \
        .choice = choice_},
#define EACH_RANK(text, stem, meaning, elements_, result_, data)                                   \
    RANK("reductions", text " of [n]", stem##_of_row, meaning, elements_, result_, data, OF_ROW)   \
    RANK("reductions", text " of [4,n]", stem##_of_wide, meaning, elements_, result_, data,        \
        OF_WIDE)                                                                                   \
    RANK("reductions", text " of [n,4]", stem##_of_high, meaning, elements_, result_, data,        \
        OF_HIGH)                                                                                   \
    RANK("reductions", text " of [2,n,4]", stem##_of_cube, meaning, elements_, result_, data,      \
        OF_CUBE)

#define DECLARE(name)                                                                              \
    extern const teeny_kernel teeny_kernel_##name##_of_row, teeny_kernel_##name##_of_wide,         \
        teeny_kernel_##name##_of_high, teeny_kernel_##name##_of_cube;
#define REDUCTION(name, ...) DECLARE(name)
#include "reductions.def"
DECLARE(count)
DECLARE(larger)
DECLARE(either_bit)
#undef REDUCTION

enum {
    DATA_sum = ADDED,
    DATA_prod = MULTIPLIED,
    DATA_max = COMPARED,
    DATA_min = COMPARED,
    DATA_argmax = COMPARED,
    DATA_argmin = COMPARED
};

static const struct row rows[] = {
#define REDUCTION(name, elements_, result_)                                                        \
    EACH_RANK("tl_" #name, name, name, elements_, result_, DATA_##name)
#include "reductions.def"
    EACH_RANK("tl_count", count, count, COMPUTED, FIXED, COMPARED)
        EACH_RANK("tl_reduce larger", larger, max, NUMBERS & ~ONE(BF16), SAME, ORDERED)
            EACH_RANK("tl_reduce xor", either_bit, either_bit, INTEGERS, SAME, COMPARED)};

const struct table reduce_table = {rows, sizeof rows / sizeof *rows};
