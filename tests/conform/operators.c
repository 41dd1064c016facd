/* The family of C's operators; see operators.def. */
#include "elementwise.h"

/* ---- What they mean -------------------------------------------------------------------------- */

static int64_t quotient_signed(int64_t a, int64_t b)
{
    return b == -1 ? -a : a / b; /* wraps: -fwrapv */
}

static uint64_t quotient_unsigned(uint64_t a, uint64_t b)
{
    return a / b;
}

static double quotient_floating(double a, double b)
{
    return a / b;
}

static int64_t rest_signed(int64_t a, int64_t b)
{
    return b == -1 ? 0 : a % b;
}

static uint64_t rest_unsigned(uint64_t a, uint64_t b)
{
    return a % b;
}

#define quotient(a, b)                                                                             \
    _Generic((a),                                                                                  \
        int64_t: quotient_signed,                                                                  \
        uint64_t: quotient_unsigned,                                                               \
        double: quotient_floating)(a, b)
#define rest(a, b) _Generic((a), int64_t: rest_signed, uint64_t: rest_unsigned)(a, b)
#define is_divisor(b) ((b) != 0)

/* A comparison is 0 or 1 here; of tiles it is 0 or -1. */
#define TRUTHS(name, expression)                                                                   \
    REFERENCE(signed_##name, int64_t, i, number_signed, expression, 1)                             \
    REFERENCE(unsigned_##name, uint64_t, u, number_signed, expression, 1)                          \
    REFERENCE(floating_##name, double, f, number_signed, expression, 1)                            \
    PICK(name, signed_##name, unsigned_##name, floating_##name)

#define ARITHMETIC(name, operator, elements_, expression, defined)                                 \
    INTEGER_REFERENCES(name, expression, defined)                                                  \
    FLOAT_REFERENCE(name, expression)                                                              \
    PICK(name, signed_##name, unsigned_##name, floating_##name)
#define INTEGER(name, operator, elements_, expression, defined)                                    \
    INTEGER_REFERENCES(name, expression, defined)                                                  \
    PICK(name, signed_##name, unsigned_##name, NULL)
#define COMPARISON(name, operator) TRUTHS(name, a operator b)
#define LOGICAL(name, operator) TRUTHS(name, a operator b)
#define PREFIX(name, operator, elements_, expression)                                              \
    ARITHMETIC(name, operator, elements_, expression, 1)
#define INTEGER_PREFIX(name, operator, elements_, expression)                                      \
    INTEGER(name, operator, elements_, expression, 1)
#define LOGICAL_PREFIX(name, operator) TRUTHS(name, operator a)
#include "operators.def"
#undef ARITHMETIC
#undef INTEGER
#undef COMPARISON
#undef LOGICAL
#undef PREFIX
#undef INTEGER_PREFIX
#undef LOGICAL_PREFIX

/* ---- How they are tried ---------------------------------------------------------------------- */

/* A tile with one scalar a program, on either side; the third part is a compound assignment. */
static void mixed(struct trial *trial)
{
    enum { STRIDE = 16 }; /* of the scalars that programs take */
    const size_t n = elementwise_size(trial);
    const unsigned parts = trial->row->is_truth ? 2 : 3;
    struct array *out = trial_array(trial, trial->result, parts * n);
    const struct array *x = trial_input(trial, trial->element, n, value_mixed);
    const struct array *y = trial_input(trial, trial->element, n, value_mixed);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < n; i++) {
        const size_t program = i / (size_t)trial->block;
        const struct number tile = array_get(trial, x, i),
                            scalar = array_get(trial, y, program * STRIDE % n);
        const struct number right[3] = {tile, scalar}, left[3] = {scalar, tile};
        elementwise_expect(trial, trial->element, out, i, right);
        elementwise_expect(trial, trial->element, out, n + i, left);
        if (parts == 3)
            elementwise_expect(trial, trial->element, out, 2 * n + i, right);
    }
    trial_run(trial, elementwise_grid(n, trial->block));
}

/* Compound assignment to a variable, and to memory. */
static void assigned(struct trial *trial)
{
    const size_t n = elementwise_size(trial);
    const enum element_id computed = element_promoted(trial->element);
    struct array *out = trial_array(trial, trial->element, 2 * n);
    const struct array *x = trial_input(trial, trial->element, n, value_mixed);
    const struct array *y = trial_input(trial, trial->element, n, value_mixed);
    trial_integer(trial, (int32_t)n);
    for (size_t i = 0; i < 2 * n; i++) {
        const struct number operands[3] = {
            element_convert(trial->element, computed, array_get(trial, x, i % n)),
            element_convert(trial->element, computed, array_get(trial, y, i % n))};
        elementwise_expect(trial, computed, out, i, operands);
    }
    trial_run(trial, elementwise_grid(n, ELEMENTWISE_SCALARS_A_PROGRAM));
}

/* ---- The rows -------------------------------------------------------------------------------- */

enum {
    ALL_SCALARS = COMPUTED & ~ONE(BF16),
    INTEGER_SCALARS = INTEGERS | ONE(BOOL),
    TILES_BESIDE_SCALARS = NUMBERS & ~ONE(BF16),
};

#define TILES(stem, text, elements_, result_, operands_, truth)                                    \
    {.family = "tiles",                                                                            \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##stem##_tiles,                                                    \
        .elements = elements_,                                                                     \
        .result = result_,                                                                         \
        .run = elementwise_tiles,                                                                  \
        .blocks = BLOCKS,                                                                          \
        .operands = operands_,                                                                     \
        .elementwise = reference_##stem,                                                           \
        .is_truth = truth},
#define MIXED(stem, text, elements_, result_, truth)                                               \
    {.family = "tile and scalar",                                                                  \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##stem##_mixed,                                                    \
        .elements = (elements_) & TILES_BESIDE_SCALARS,                                            \
        .result = result_,                                                                         \
        .run = mixed,                                                                              \
        .blocks = BLOCKS,                                                                          \
        .elementwise = reference_##stem,                                                           \
        .is_truth = truth},
#define SCALARS(stem, text, elements_, operands_, truth)                                           \
    {.family = "scalars",                                                                          \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##stem##_scalars,                                                  \
        .elements = elements_,                                                                     \
        .result = truth ? FIXED : SAME,                                                            \
        .fixed = I32,                                                                              \
        .run = elementwise_scalars,                                                                \
        .operands = operands_,                                                                     \
        .elementwise = reference_##stem,                                                           \
        .is_truth = truth},
#define ASSIGNED(stem, text, elements_)                                                            \
    {.family = "assignment",                                                                       \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##stem##_assigned,                                                 \
        .elements = elements_,                                                                     \
        .run = assigned,                                                                           \
        .elementwise = reference_##stem},

#define DECLARE(name) extern const teeny_kernel teeny_kernel_##name;
#define ARITHMETIC(name, operator, elements_, expression, defined)                                 \
    DECLARE(name##_tiles) DECLARE(name##_mixed) DECLARE(name##_scalars) DECLARE(name##_assigned)
#define INTEGER ARITHMETIC
#define COMPARISON(name, operator)                                                                 \
    DECLARE(name##_tiles) DECLARE(name##_mixed) DECLARE(name##_scalars)
#define LOGICAL(name, operator) DECLARE(name##_scalars)
#define PREFIX(name, operator, elements_, expression) DECLARE(name##_tiles) DECLARE(name##_scalars)
#define INTEGER_PREFIX PREFIX
#define LOGICAL_PREFIX LOGICAL
#include "operators.def"
#undef ARITHMETIC
#undef INTEGER
#undef COMPARISON
#undef LOGICAL
#undef PREFIX
#undef INTEGER_PREFIX
#undef LOGICAL_PREFIX

/* The family's part of each line. */
#define ARITHMETIC(name, operator, elements_, expression, defined)                                 \
    BINARY(name, operator, elements_, ALL_SCALARS)
#define INTEGER(name, operator, elements_, expression, defined)                                    \
    BINARY(name, operator, elements_, INTEGER_SCALARS)
#define PREFIX(name, operator, elements_, expression) UNARY(name, operator, elements_, ALL_SCALARS)
#define INTEGER_PREFIX(name, operator, elements_, expression)                                      \
    UNARY(name, operator, elements_, INTEGER_SCALARS)

static const struct row rows[] = {
#define BINARY(name, operator, tiles, scalars)                                                     \
    TILES(name, "a " #operator " b", tiles, SAME, 2, false)
#define COMPARISON(name, operator) TILES(name, "a " #operator " b", COMPUTED, LANES, 2, true)
#define LOGICAL(name, operator)
#define UNARY(name, operator, tiles, scalars) TILES(name, #operator "a", tiles, SAME, 1, false)
#define LOGICAL_PREFIX(name, operator)
#include "operators.def"
#undef BINARY
#undef COMPARISON
#undef UNARY
#define BINARY(name, operator, tiles, scalars) MIXED(name, "a " #operator " s", tiles, SAME, false)
#define COMPARISON(name, operator) MIXED(name, "a " #operator " s", NUMBERS, LANES, true)
#define UNARY(name, operator, tiles, scalars)
#include "operators.def"
#undef BINARY
#undef COMPARISON
#undef UNARY
#undef LOGICAL
#undef LOGICAL_PREFIX
#define BINARY(name, operator, tiles, scalars) SCALARS(name, "s " #operator " t", scalars, 2, false)
#define COMPARISON(name, operator) SCALARS(name, "s " #operator " t", ALL_SCALARS, 2, true)
#define LOGICAL COMPARISON
#define UNARY(name, operator, tiles, scalars) SCALARS(name, #operator "s", scalars, 1, false)
#define LOGICAL_PREFIX(name, operator) SCALARS(name, #operator "s", ALL_SCALARS, 1, true)
#include "operators.def"
#undef BINARY
#undef COMPARISON
#undef UNARY
#undef LOGICAL_PREFIX
#define BINARY(name, operator, tiles, scalars) ASSIGNED(name, "s " #operator "= t", scalars)
#define COMPARISON(name, operator)
#define UNARY(name, operator, tiles, scalars)
#define LOGICAL_PREFIX(name, operator)
#include "operators.def"
};

const struct table operator_table = {rows, sizeof rows / sizeof *rows};
