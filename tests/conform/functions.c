/* The family of elementwise functions; see functions.def. */
#include <math.h>

#include "elementwise.h"
#include "families.h"

/* ---- What they mean -------------------------------------------------------------------------- */

/* Of a NaN and a number, the number; -0 is less than +0. */
static long double greater_floating(long double a, long double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return signbit(a) ? b : a;
    return a > b ? a : b;
}

static long double lesser_floating(long double a, long double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (a == b)
        return signbit(a) ? a : b;
    return a < b ? a : b;
}

#define INTEGER_HELPERS(kind, type)                                                                \
    static type greater_##kind(type a, type b)                                                     \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    static type lesser_##kind(type a, type b)                                                      \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }
INTEGER_HELPERS(signed, int64_t)
INTEGER_HELPERS(unsigned, uint64_t)

#define OF_TYPE(name, a)                                                                           \
    _Generic((a), int64_t: name##_signed, uint64_t: name##_unsigned, default: name##_floating)
#define greater(a, b) OF_TYPE(greater, a)(a, b)
#define lesser(a, b) OF_TYPE(lesser, a)(a, b)

static int64_t size_of_signed(int64_t a)
{
    return a < 0 ? -a : a; /* wraps: -fwrapv */
}

static uint64_t size_of_unsigned(uint64_t a)
{
    return a;
}
#define size_of(a) _Generic((a), int64_t: size_of_signed, uint64_t: size_of_unsigned)(a)

/* Towards plus infinity. */
static int64_t ceiling_signed(int64_t a, int64_t b)
{
    const int64_t quotient = b == -1 ? -a : a / b, rest = b == -1 ? 0 : a % b;
    return quotient + (rest != 0 && (a < 0) == (b < 0));
}

static uint64_t ceiling_unsigned(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}
#define ceiling(a, b) _Generic((a), int64_t: ceiling_signed, uint64_t: ceiling_unsigned)(a, b)

static long double fused(enum element_id element, long double a, long double b, long double c)
{
    return element == F64 ? fma((double)a, (double)b, (double)c)
                          : (double)fmaf((float)a, (float)b, (float)c);
}

/* An integer that is divided by 0 is open; nothing else of theirs is. */
#define FUNCTION(name, integer, floating, defined)                                                 \
    INTEGER_REFERENCES(name, integer, defined)                                                     \
    REFERENCE(floating_##name, long double, f, number_float, floating, 1)                          \
    PICK(name, signed_##name, unsigned_##name, floating_##name)
#define FUNCTION1(name, elements_, integer, floating, ...) FUNCTION(name, integer, floating, 1)
#define FUNCTION2(name, elements_, integer, floating, ...) FUNCTION(name, integer, floating, b != 0)
#define FUNCTION3(name, elements_, integer, floating, ...) FUNCTION(name, integer, floating, 1)
#include "functions.def"
#undef FUNCTION1
#undef FUNCTION2
#undef FUNCTION3
FUNCTION(where, c ? a : b, c != 0 ? a : b, 1)
FUNCTION(mask, a < b, a < b, 1)
FUNCTION(where_greater, a > b ? a : b, a > b ? a : b, 1)

/* ---- With scalars behind the first operand --------------------------------------------------- */

enum { STRIDE = 16 }; /* of the scalars that programs take */

static void both(struct trial *trial)
{
    const unsigned tile = (unsigned)trial->row->choice; /* the scalars that are operands: bits */
    const size_t n = elementwise_size(trial);
    const struct array *inputs[3] = {0};
    struct array *out = trial_array(trial, trial->result, n);
    for (unsigned k = 0; k < trial->row->operands; k++)
        inputs[k] = trial_input(trial, trial->element, n, value_mixed);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        const size_t scalar = i / (size_t)trial->block * STRIDE % n;
        struct number operands[3] = {0};
        for (unsigned k = 0; k < trial->row->operands; k++)
            operands[k] = array_get(trial, inputs[k], tile & ONE(k) ? scalar : i);
        elementwise_expect(trial, trial->element, out, i, operands);
    }
    trial_run(trial, elementwise_grid(n, trial->block));
}

/* ---- The rows -------------------------------------------------------------------------------- */

#define ROW(family_, text, kernel_, stem, elements_, operands_, f32, f64)                          \
    .family = family_, .name = text, .kernel = &teeny_kernel_##kernel_, .elements = elements_,     \
    .operands = operands_, .elementwise = reference_##stem, .f32_bound = f32, .f64_bound = f64
#define TILES(text, kernel, ...)                                                                   \
    {ROW("functions of tiles", text, kernel, __VA_ARGS__), .run = elementwise_tiles,               \
        .blocks = BLOCKS},
#define MASK(text, kernel, ...)                                                                    \
    {ROW("functions of tiles", text, kernel, __VA_ARGS__), .run = elementwise_tiles,               \
        .result = FIXED, .fixed = BOOL, .blocks = BLOCKS},
#define BOTH(text, kernel, choice_, ...)                                                           \
    {ROW("functions of tile and scalar", text, kernel, __VA_ARGS__), .run = both,                  \
        .choice = choice_, .blocks = BLOCKS},
#define SCALARS(text, kernel, ...)                                                                 \
    {ROW("functions of scalars", text, kernel, __VA_ARGS__), .run = elementwise_scalars},

#define WITHOUT_BF16 ~ONE(BF16)

#define DECLARE(name) extern const teeny_kernel teeny_kernel_##name;
#define FUNCTION1(name, ...) DECLARE(name##_of_tiles) DECLARE(name##_of_scalars)
#define FUNCTION2(name, ...)                                                                       \
    DECLARE(name##_of_tiles) DECLARE(name##_of_scalars) DECLARE(name##_of_both)
#define FUNCTION3 FUNCTION2
#include "functions.def"
FUNCTION3(where)
DECLARE(where_greater)
DECLARE(mask_of_tiles)
#undef FUNCTION1
#undef FUNCTION2
#undef FUNCTION3

// clang-format off
static const struct row rows[] = {
#define FUNCTION1(name, elements_, i, f, f32, f64)                                                 \
    TILES("tl_" #name "(a)", name##_of_tiles, name, elements_, 1, f32, f64)
#define FUNCTION2(name, elements_, i, f, f32, f64)                                                 \
    TILES("tl_" #name "(a, b)", name##_of_tiles, name, elements_, 2, f32, f64)
#define FUNCTION3(name, elements_, i, f, f32, f64)                                                 \
    TILES("tl_" #name "(a, b, c)", name##_of_tiles, name, elements_, 3, f32, f64)
#include "functions.def"
#undef FUNCTION1
#undef FUNCTION2
#undef FUNCTION3
    TILES("tl_where(c, a, b)", where_of_tiles, where, EVERY, 3, 0, 0)
    TILES("tl_where(a > b, a, b)", where_greater, where_greater, NUMBERS, 2, 0, 0)
    MASK("tl_mask(a < b)", mask_of_tiles, mask, NUMBERS, 2, 0, 0)
#define FUNCTION1(...)
#define FUNCTION2(name, elements_, i, f, f32, f64)                                                 \
    BOTH("tl_" #name "(a, s)", name##_of_both, 2, name, (elements_) & WITHOUT_BF16, 2, f32, f64)
#define FUNCTION3(name, elements_, i, f, f32, f64)                                                 \
    BOTH("tl_" #name "(a, s, t)", name##_of_both, 6, name, (elements_) & WITHOUT_BF16, 3, f32, f64)
#include "functions.def"
#undef FUNCTION1
#undef FUNCTION2
#undef FUNCTION3
    BOTH("tl_where(c, s, b)", where_of_both, 1, where, NUMBERS & WITHOUT_BF16, 3, 0, 0)
#define FUNCTION1(name, elements_, i, f, f32, f64)                                                 \
    SCALARS("tl_" #name "(s)", name##_of_scalars, name, (elements_) & WITHOUT_BF16, 1, f32, f64)
#define FUNCTION2(name, elements_, i, f, f32, f64)                                                 \
    SCALARS("tl_" #name "(s, t)", name##_of_scalars, name, (elements_) & WITHOUT_BF16, 2, f32, f64)
#define FUNCTION3(name, elements_, i, f, f32, f64)                                                 \
    SCALARS(                                                                                       \
        "tl_" #name "(s, t, u)", name##_of_scalars, name, (elements_) & WITHOUT_BF16, 3, f32, f64)
#include "functions.def"
    SCALARS("tl_where(u, s, t)", where_of_scalars, where, COMPUTED & WITHOUT_BF16, 3, 0, 0)
};
// clang-format on

const struct table function_table = {rows, sizeof rows / sizeof *rows};
