/* The family of statements and helpers: C's control flow over numbers of 0 to 3, whose sums every
 * type holds exactly, so that plain int says what comes out. */
#include "families.h"
#include "values.h"

enum { NUMBERS_A_PROGRAM = 16, CONTROLS = 4, PROGRAMS = 16, NOTHING = -1 };

/* What a program gets: its numbers and its control values. */
struct given {
    int x[NUMBERS_A_PROGRAM];
    int a, b, c, d;
};

/* What it stores; NOTHING: it does not. */
typedef int meaning(const struct given *g);

/* ---- What they mean -------------------------------------------------------------------------- */

static int if_else(const struct given *g)
{
    int r = g->x[0];
    if (g->a < g->b)
        r = g->c > 1 ? r + g->x[1] + g->x[2] : g->x[3];
    else if (g->d > 1)
        r = g->x[4];
    else if (g->a == g->b)
        r += g->x[5];
    return r + g->x[g->b & 1];
}

static int for_steps(const struct given *g)
{
    int r = g->x[0];
    for (int i = g->a; i < g->b; i += g->c)
        r += g->x[i & 15];
    for (int i = g->b; i > g->a; i -= g->c)
        r += g->x[i & 7];
    for (int i = 6; i >= 0; i -= g->c)
        r += g->x[i];
    return r + g->d;
}

static int for_64_bits(const struct given *g)
{
    int r = g->x[0];
    for (int i = g->a; i < g->b; i += g->c) /* 2^40 has no low digits */
        r += g->x[i & 15];
    for (int64_t i = INT64_C(4294967290) + (g->a & 3); i >= INT64_C(4294967280); i -= 5)
        r += g->x[i & 15];
    return r + g->d;
}

static int while_break(const struct given *g)
{
    int r = g->x[0], i = g->a;
    for (; i < 20;) {
        i += g->c;
        if (i != g->b && i > 9 + g->d)
            break;
        if (i != g->b)
            r += g->x[i & 15];
    }
    return r + (i & 3);
}

static int do_while(const struct given *g)
{
    int r = g->x[0], i = g->a & 15;
    for (bool again = true; again;) {
        r += g->x[i];
        i += g->c;
        again = i <= 12 && i < g->b;
    }
    return r + (i & 3) + g->d;
}

static int switch_cases(const struct given *g)
{
    int r = g->x[0];
    for (int i = 0; i < 3; i++) {
        const int which = (g->a + g->b + i) & 3;
        if (which == 0)
            r += g->x[1] + g->x[2];
        else if (which == 1)
            r += g->x[2];
        else if (which == 2)
            r += g->c == 1 ? 0 : g->x[3];
        else
            r = g->x[4];
        r += i == g->d ? 0 : g->x[i];
    }
    return r;
}

static int early_return(const struct given *g)
{
    int r = g->x[0], out = g->x[1];
    if (g->a > g->b)
        return NOTHING;
    for (int i = 0; i < g->b; i++) {
        if (i == g->c + 2)
            return out;
        out = r += g->x[i & 15];
    }
    return g->d == 1 ? out : out + g->x[2];
}

static int short_circuit(const struct given *g)
{
    const bool both = g->a ? g->b / g->a > 0 : false;
    const bool either = g->c == 1 ? true : g->d ? g->a % g->d == 0 : false;
    int r = g->x[0] + g->x[both ? 1 : either ? 2 : 3];
    if (!both && !either && g->a < g->b)
        r += g->x[4];
    return r + g->x[both ? 5 : 6] + (g->a ? g->x[7] : g->b > g->a);
}

static int carried_pointers(const struct given *g)
{
    int r = g->x[0], p = 0, q = 15;
    for (int i = 0; i < g->b && i < 4; i++) {
        r += g->x[p];
        *(i & 1 ? &p : &q) += i & 1 ? g->c : -g->d;
        if (i == 2) {
            const int other = p;
            p = q - 3;
            q = other + 3;
        }
    }
    return r + g->x[q] + (g->a & 1);
}

static int nested_loops(const struct given *g)
{
    int r = g->x[0], count = 0, quarters = 2;
    for (int i = 0; i < 4; i++) {
        for (int j = g->a; j < g->b && (j == i || count <= 7); j += g->c)
            count += j != i;
        if (i != g->d) {
            quarters++;
            r += g->x[i];
        }
    }
    return r + count + ((250 + 3 * count) & 255 & 3) + (quarters > 4);
}

static int first_of(const struct given *g, int from, int to)
{
    int at = from >= to ? 15 : 14;
    for (int i = to - 1; i >= from; i--)
        if (g->x[i & 15] > 1)
            at = i & 15;
    return g->x[at];
}

static int helpers(const struct given *g)
{
    int r = first_of(g, g->a, g->b) + g->x[(g->c + 3) & 15] + g->x[(g->c + 6) & 15];
    for (int j = 0; j < g->d; j++)
        r += first_of(g, j, g->c + j);
    return r + g->c;
}

static int helper_returns(const struct given *g)
{
    const int one = g->b < 5 ? g->b + 1 : 9, two = g->c + g->d < 5 ? g->c + g->d + 1 : 9;
    return g->x[0] + (one & 3) + g->x[two];
}

/* ---- How they are tried ---------------------------------------------------------------------- */

/* Bounds in order, equal and reversed, steps of 1 to 3. */
static const int controls[PROGRAMS][CONTROLS] = {{0, 5, 1, 0}, {0, 5, 2, 1}, {2, 2, 1, 2},
    {5, 0, 1, 0}, {5, 0, 2, 3}, {0, 1, 3, 1}, {0, 4, 3, 2}, {1, 7, 2, 0}, {-3, 3, 1, 1},
    {-3, -3, 2, 0}, {3, -3, 3, 2}, {0, 0, 1, 1}, {6, 8, 1, 3}, {0, 8, 1, 2}, {1, 2, 1, 0},
    {-1, 6, 2, 1}};

static int small_number(size_t i)
{
    return (int)(value_bits(3, i) >> 40 & 3);
}

static struct number as_element(const struct trial *trial, int number)
{
    return element_convert(I32, trial->element, number_signed(number));
}

/* x and k, which all of these kernels have. */
static void add_inputs(struct trial *trial, size_t count)
{
    const struct array *x = trial_array(trial, trial->element, count);
    const struct array *k = trial_array(trial, I32, (size_t)PROGRAMS * CONTROLS);
    for (size_t i = 0; i < count; i++)
        array_set(trial, x, i, as_element(trial, small_number(i)));
    for (size_t i = 0; i < k->count; i++)
        array_set(trial, k, i, number_signed(controls[i / CONTROLS][i % CONTROLS]));
}

static void scalars(struct trial *trial)
{
    struct array *out = trial_array(trial, trial->element, PROGRAMS);
    add_inputs(trial, (size_t)PROGRAMS * NUMBERS_A_PROGRAM);
    for (size_t program = 0; program < PROGRAMS; program++) {
        const int *k = controls[program];
        struct given given = {.a = k[0], .b = k[1], .c = k[2], .d = k[3]};
        for (size_t i = 0; i < NUMBERS_A_PROGRAM; i++)
            given.x[i] = small_number(program * NUMBERS_A_PROGRAM + i);
        const int result = ((meaning *)trial->row->reference)(&given);
        if (result != NOTHING)
            array_expect(out, program, as_element(trial, result));
    }
    trial_run(trial, teeny_grid1(PROGRAMS));
}

/* ---- Tiles: element `i` of what a program stores ----------------------------------------------
 */

/* A load at x + shift, of the elements before n - 8; r is one of those before n. */
static int shifted(size_t i, int shift, size_t n)
{
    return i < n - 8 ? small_number(i + (size_t)shift) : 0;
}

typedef int tile_meaning(const int *k, size_t i, size_t n);

static int first(size_t i, size_t n)
{
    return i < n ? small_number(i) : 0;
}

static int tile_loops(const int *k, size_t i, size_t n)
{
    int r = first(i, n);
    for (int j = k[0]; j < k[1]; j += k[2])
        r += shifted(i, j & 7, n);
    return r + shifted(i, k[3], n);
}

static int tile_branches(const int *k, size_t i, size_t n)
{
    int r = first(i, n), s = 0;
    if (k[0] < k[1])
        s = r + (k[2] == 1 ? shifted(i, 1, n) : 0);
    else
        r = shifted(i, 2, n);
    return k[3] > 1 ? r + 2 * s : r + s;
}

static int tile_shapes(const int *k, size_t i, size_t n)
{
    int r = first(i, n), square = 0, p = 0;
    for (int j = 0; j < k[1];) {
        j += k[2];
        if (j != k[0] && j > 5)
            break;
        if (j == k[0])
            continue;
        square += shifted(i, p, n);
        r += square;
        p = j == k[3] ? 0 : p + 1;
    }
    return r;
}

static int tile_returns(const int *k, size_t i, size_t n)
{
    int r = first(i, n);
    if (k[0] > k[1])
        return NOTHING;
    for (int j = 0; j < k[1]; j++) {
        if (j > k[2])
            return r;
        r += shifted(i, j, n);
    }
    return k[3] == 0 ? r : 0;
}

static void tiles(struct trial *trial)
{
    const size_t block = (size_t)trial->block, n = trial->size == 0 ? block + 8 : block - 3;
    struct array *out = trial_array(trial, trial->element, PROGRAMS * block);
    add_inputs(trial, block + 8);
    trial_integer(trial, (int32_t)n);
    for (size_t at = 0; at < PROGRAMS * block; at++) {
        const int result =
            ((tile_meaning *)trial->row->reference)(controls[at / block], at % block, n);
        if (result != NOTHING)
            array_expect(out, at, as_element(trial, result));
    }
    trial_run(trial, teeny_grid1(PROGRAMS));
}

static void tile_helpers(struct trial *trial)
{
    enum { WIDTH = 64 };
    struct array *out = trial_array(trial, trial->element, PROGRAMS * WIDTH);
    add_inputs(trial, WIDTH + 1);
    for (size_t at = 0; at < PROGRAMS * WIDTH; at++) {
        const size_t i = at % WIDTH;
        const bool next = controls[at / WIDTH][0] < 2;
        array_expect(
            out, at, as_element(trial, next ? 2 * small_number(i + 1) : 4 * small_number(i)));
    }
    trial_run(trial, teeny_grid1(PROGRAMS));
}

static void program_ids(struct trial *trial)
{
    const int x = trial->size == 0 ? 3 : 1, y = 2, z = trial->size == 0 ? 4 : 1;
    struct array *out = trial_array(trial, trial->element, 2 * (size_t)(x * y * z));
    for (int at = 0; at < x * y * z; at++) {
        const int id = 100 * (at / (x * y)) + 10 * (at / x % y) + at % x;
        array_expect(out, 2 * (size_t)at, number_signed(id));
        array_expect(out, 2 * (size_t)at + 1, number_signed(100 * z + 10 * y + x));
    }
    trial_run(trial, teeny_grid3(x, y, z));
}

/* ---- The rows -------------------------------------------------------------------------------- */

#define CONTROL(text, stem, elements_, run_, meaning_, blocks_)                                    \
    {.family = "statements and helpers",                                                           \
        .name = text,                                                                              \
        .kernel = &teeny_kernel_##stem,                                                            \
        .elements = elements_,                                                                     \
        .run = run_,                                                                               \
        .blocks = blocks_,                                                                         \
        .only_t = true,                                                                            \
        .reference = (void (*)(void))(meaning_)},
#define SCALARS(text, stem) CONTROL(text, stem, NUMBERS & ~ONE(BF16), scalars, stem, {0})
#define TILES(text, stem) CONTROL(text, stem, NUMBERS, tiles, stem, BLOCKS)

extern const teeny_kernel teeny_kernel_if_else, teeny_kernel_for_steps, teeny_kernel_for_64_bits,
    teeny_kernel_while_break, teeny_kernel_do_while, teeny_kernel_switch_cases,
    teeny_kernel_early_return, teeny_kernel_short_circuit, teeny_kernel_carried_pointers,
    teeny_kernel_nested_loops, teeny_kernel_helpers, teeny_kernel_helper_returns,
    teeny_kernel_tile_loops, teeny_kernel_tile_branches, teeny_kernel_tile_shapes,
    teeny_kernel_tile_returns, teeny_kernel_tile_helpers, teeny_kernel_program_ids;

// clang-format off
static const struct row rows[] = {
    SCALARS("if else", if_else)
    SCALARS("for, steps of the run", for_steps)
    SCALARS("for, 64 bits", for_64_bits)
    SCALARS("while break continue", while_break)
    SCALARS("do while", do_while)
    SCALARS("switch", switch_cases)
    SCALARS("early return", early_return)
    SCALARS("&& || ?:", short_circuit)
    SCALARS("carried pointers", carried_pointers)
    SCALARS("nested loops", nested_loops)
    SCALARS("helpers", helpers)
    SCALARS("helpers that return", helper_returns)
    TILES("tiles in loops", tile_loops)
    TILES("tiles in branches", tile_branches)
    TILES("tiles of two shapes", tile_shapes)
    TILES("tiles, early return", tile_returns)
    CONTROL("tiles in helpers", tile_helpers, NUMBERS, tile_helpers, NULL, {0})
    CONTROL("tl_program_id", program_ids, ONE(I32), program_ids, NULL, {0})
};
// clang-format on

const struct table control_table = {rows, sizeof rows / sizeof *rows};
