/* The family of conversions: a row for each target, a column for each source. */
#include <math.h>
#include <string.h>

#include "elementwise.h"
#include "families.h"

static struct number bits_as(enum element_id from, enum element_id to, struct number number)
{
    unsigned char memory[8];
    element_store(from, memory, number);
    return element_load(to, memory);
}

typedef struct number conversion(enum element_id from, enum element_id to, struct number number);

static void convert_all(struct trial *trial, conversion *convert, value_function *value)
{
    const size_t n = elementwise_size(trial);
    struct array *out = trial_array(trial, trial->result, n);
    const struct array *x = trial_input(trial, trial->element, n, value);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++)
        array_expect(out, i, convert(trial->element, trial->result, array_get(trial, x, i)));
    trial_run(
        trial, elementwise_grid(n, trial->block ? trial->block : ELEMENTWISE_SCALARS_A_PROGRAM));
}

static void casts(struct trial *trial)
{
    convert_all(trial, element_convert, value_turning);
}

/* The lanes of a tile of bool are those of a comparison: -1 and 0. */
static struct number convert_lanes(enum element_id from, enum element_id to, struct number number)
{
    if (from != BOOL)
        return element_convert(from, to, number);
    return element_convert(I32, to, number_signed(-(int64_t)number.u));
}

static void casts_of_tiles(struct trial *trial)
{
    convert_all(trial, convert_lanes, value_turning);
}

static void bitcasts(struct trial *trial)
{
    convert_all(trial, bits_as, value_turning);
}

/* Halfway between neighbours of an 8-bit float, and beside it on both sides, all of them in turn.
 */
static struct number halfway(enum element_id f8, enum element_id element, size_t i)
{
    const unsigned char below = (unsigned char)(i / 3 % 127), above = below + 1;
    long double value = element_load(f8, &below).f, next = element_load(f8, &above).f;
    if (isfinite(value) && isfinite(next))
        value = (value + next) / 2;
    value += (long double)((int)(i % 3) - 1) * element_unit(element, value);
    return element_round(element, number_float(i / 381 % 2 ? -value : value));
}

static struct number halfway_e4m3(enum element_id element, unsigned operand, size_t i)
{
    (void)operand;
    return halfway(F8E4M3, element, i);
}

static struct number halfway_e5m2(enum element_id element, unsigned operand, size_t i)
{
    (void)operand;
    return halfway(F8E5M2, element, i);
}

static void casts_halfway(struct trial *trial)
{
    convert_all(trial, element_convert, trial->result == F8E4M3 ? halfway_e4m3 : halfway_e5m2);
}

/* ---- The rows -------------------------------------------------------------------------------- */

extern const teeny_kernel teeny_kernel_cast_tiles, teeny_kernel_cast_scalars,
    teeny_kernel_convert_scalars, teeny_kernel_bitcast_tiles, teeny_kernel_bitcast_scalars;

enum {
    BYTES = ONE(I8) | ONE(U8) | F8,
    HALVES = ONE(I16) | ONE(U16) | ONE(F16) | ONE(BF16),
    SINGLES = ONE(I32) | ONE(U32) | ONE(F32),
    DOUBLES = ONE(I64) | ONE(U64) | ONE(F64),
};

#define ROW(family_, text, kernel_, elements_, to, run_)                                           \
    .family = family_, .name = text, .kernel = &teeny_kernel_##kernel_, .elements = elements_,     \
    .result = FIXED, .fixed = to, .run = run_
#define CAST_TILES(to, name)                                                                       \
    {ROW("casts of tiles", "tl_cast(" name ", a)", cast_tiles, EVERY, to, casts_of_tiles),         \
        .blocks = BLOCKS},
#define CAST_SCALARS(to, name)                                                                     \
    {ROW("casts of scalars", "tl_cast(" name ", s)", cast_scalars, EVERY, to, casts)},
#define CONVERT_SCALARS(to, name)                                                                  \
    {ROW("C's conversions", "(" name ")s", convert_scalars, COMPUTED & ~ONE(BF16), to, casts)},
#define CAST_HALFWAY(to, name)                                                                     \
    {ROW("casts of tiles", "tl_cast(" name ", a), ties", cast_tiles, FLOATS, to, casts_halfway),   \
        .blocks = BLOCKS},
#define BITCAST(to, name, from)                                                                    \
    {ROW("bitcasts", "tl_bitcast(" name ", a)", bitcast_tiles, from, to, bitcasts),                \
        .blocks = BLOCKS},                                                                         \
        {ROW("bitcasts", "tl_bitcast(" name ", s)", bitcast_scalars, from, to, bitcasts)},

// clang-format off
#define EACH_BUT_BF16(M)                                                                           \
    M(BOOL, "bool") M(I8, "i8") M(I16, "i16") M(I32, "i32") M(I64, "i64")                          \
    M(U8, "u8") M(U16, "u16") M(U32, "u32") M(U64, "u64") M(F16, "f16") M(F32, "f32") M(F64, "f64")
// clang-format on
#define EACH(M) EACH_BUT_BF16(M) M(BF16, "bf16") M(F8E4M3, "f8e4m3") M(F8E5M2, "f8e5m2")

// clang-format off
static const struct row rows[] = {
    EACH(CAST_TILES)
    CAST_HALFWAY(F8E4M3, "f8e4m3")
    CAST_HALFWAY(F8E5M2, "f8e5m2")
    EACH(CAST_SCALARS)
    EACH_BUT_BF16(CONVERT_SCALARS)
    BITCAST(I8, "i8", BYTES)
    BITCAST(U8, "u8", BYTES)
    BITCAST(F8E4M3, "f8e4m3", BYTES)
    BITCAST(F8E5M2, "f8e5m2", BYTES)
    BITCAST(I16, "i16", HALVES)
    BITCAST(U16, "u16", HALVES)
    BITCAST(F16, "f16", HALVES)
    BITCAST(BF16, "bf16", HALVES)
    BITCAST(I32, "i32", SINGLES)
    BITCAST(U32, "u32", SINGLES)
    BITCAST(F32, "f32", SINGLES)
    BITCAST(I64, "i64", DOUBLES)
    BITCAST(U64, "u64", DOUBLES)
    BITCAST(F64, "f64", DOUBLES)
};
// clang-format on

const struct table cast_table = {rows, sizeof rows / sizeof *rows};
