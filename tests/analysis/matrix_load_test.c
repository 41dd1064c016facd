/* Plans for ldmatrix, carried out on paper: random layouts and swizzles, and a look at which bytes
 * every lane's registers would get. Where there is no plan, the layout must break a rule of the
 * instruction. The seed is fixed; LAYOUT_SEED=N in the environment takes another. */
#include "analysis/matrix_load.h"
#include "random_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TRIALS = 20000, LANES = 32, ELEMENT_BYTES = 2, ROW_BYTES = 16 };

static unsigned found[2]; /* plain, transposed */

static uint32_t offset_at(
    const struct linear_layout *offsets, uint32_t register_index, uint32_t lane, uint32_t warp)
{
    return layout_apply(offsets, (struct layout_place){{register_index, lane, warp, 0}});
}

/* What the instruction puts into half `half` of the register for matrix `matrix`: the byte that it
 * comes from. `rows` are the lanes' addresses. */
static uint32_t loaded_from(
    const uint32_t *rows, unsigned matrix, unsigned lane, unsigned half, bool is_transposed)
{
    unsigned pair = 2 * (lane % 4) + half, line = lane / 4;
    unsigned row = is_transposed ? pair : line, column = is_transposed ? line : pair;
    return rows[8 * matrix + row] + ELEMENT_BYTES * column;
}

static void check_group(const struct linear_layout *offsets, const struct matrix_load *plan,
    uint32_t first, uint32_t warp)
{
    uint32_t rows[LANES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        rows[lane] = offset_at(offsets, first, 0, warp);
        for (unsigned i = 0; i < 5; i++)
            if (lane >> i & 1)
                rows[lane] ^= plan->lane_columns[i];
        if (lane < 8u << plan->matrix_bits)
            assert_int_equal(rows[lane] % ROW_BYTES, 0);
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned matrix = 0; matrix < 1u << plan->matrix_bits; matrix++)
            for (unsigned half = 0; half < 2; half++)
                assert_int_equal(loaded_from(rows, matrix, lane, half, plan->is_transposed),
                    offset_at(offsets, first + 2 * matrix + half, lane, warp));
}

static void check_plan(const struct linear_layout *offsets, const struct matrix_load *plan)
{
    found[plan->is_transposed]++;
    uint32_t step = 2u << plan->matrix_bits;
    for (uint32_t warp = 0; warp < layout_size(offsets, LAYOUT_WARP); warp++)
        for (uint32_t first = 0; first < layout_register_count(offsets); first += step)
            check_group(offsets, plan, first, warp);
}

/* ---- Layouts --------------------------------------------------------------------------------- */

/* A random tile of 16-bit elements of two dimensions, in a random swizzle. */
static struct linear_layout random_offsets(struct linear_layout layout)
{
    unsigned order[2] = {random_below(2)};
    order[1] = 1 - order[0];
    unsigned row_bits = layout.shape.bits[order[0]];
    unsigned vec_bits = row_bits < 3 ? row_bits : 3, phase_bits = random_below(4);
    if (phase_bits > row_bits - vec_bits)
        phase_bits = row_bits - vec_bits;
    struct layout_swizzle swizzle = {
        2, 1u << vec_bits, 1u << random_below(3), 1u << phase_bits, order};
    uint32_t columns[LAYOUT_MAX_BITS] = {0};
    assert_true(layout_swizzled_offsets(&swizzle, &layout.shape, columns));
    for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++)
        columns[i] *= ELEMENT_BYTES;
    struct layout_shape bytes = {.rank = 1, .bits = {LAYOUT_MAX_BITS}};
    return layout_map_elements(&layout, columns, &bytes);
}

/* The factors of mma.sync m16n8k16. */
static struct linear_layout random_factor(void)
{
    static const struct layout_instruction factors[] = {
        {.rank = 2,
            .register_count = 3,
            .registers = {{1, 0}, {0, 3}, {1, 3}},
            .lane_count = 5,
            .lanes = {{1, 1}, {1, 2}, {0, 0}, {0, 1}, {0, 2}},
            .order = {1, 0},
            .replicated = {false, true}},
        {.rank = 2,
            .register_count = 2,
            .registers = {{0, 0}, {0, 3}},
            .lane_count = 5,
            .lanes = {{0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}},
            .order = {1, 0},
            .replicated = {true, false}},
    };
    struct layout_instruction factor = factors[random_below(2)];
    struct layout_shape shape = {
        .rank = 2, .bits = {(uint8_t)(4 + random_below(3)), (uint8_t)(4 + random_below(3))}};
    factor.warps[0] = 1u << random_below(3);
    factor.warps[1] = 1u << random_below(3);
    return layout_from_instruction(&factor, &shape);
}

/* ---- The tests ------------------------------------------------------------------------------- */

static void test_random_layouts(void **state)
{
    (void)state;
    found[0] = found[1] = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct blocking blocking = random_blocking(2, 6 + random_below(6));
        struct linear_layout offsets = random_offsets(make_layout(&blocking));
        struct matrix_load plan;
        if (matrix_load_plan(&offsets, ELEMENT_BYTES, &plan))
            check_plan(&offsets, &plan);
    }
    printf("    %u plain, %u transposed of %d\n", found[0], found[1], TRIALS);
    assert_true(found[0] > 0 && found[1] > 0);
}

/* All of them have a plan, in any swizzle. */
static void test_factors(void **state)
{
    (void)state;
    found[0] = found[1] = 0;
    for (unsigned trial = 0; trial < TRIALS / 4; trial++) {
        struct linear_layout offsets = random_offsets(random_factor());
        struct matrix_load plan;
        assert_true(matrix_load_plan(&offsets, ELEMENT_BYTES, &plan));
        check_plan(&offsets, &plan);
        assert_false(matrix_load_plan(&offsets, 4, &plan));
    }
    assert_true(found[0] > 0 && found[1] > 0);
}

/* A row that does not begin at a multiple of 16 bytes, and neighbours in the wrong order. */
static void test_refused(void **state)
{
    (void)state;
    struct linear_layout offsets = {.shape = {.rank = 1, .bits = {LAYOUT_MAX_BITS}},
        .in = {[LAYOUT_REGISTER] = {1, {2}}, [LAYOUT_LANE] = {5, {4, 8, 16, 32, 64}}}};
    struct matrix_load plan;
    assert_true(matrix_load_plan(&offsets, ELEMENT_BYTES, &plan));
    assert_int_equal(plan.matrix_bits, 0);
    offsets.in[LAYOUT_LANE].basis[2] = 16 + 4;
    assert_false(matrix_load_plan(&offsets, ELEMENT_BYTES, &plan));
    offsets.in[LAYOUT_LANE].basis[2] = 16;
    offsets.in[LAYOUT_LANE].basis[0] = 8;
    offsets.in[LAYOUT_LANE].basis[1] = 4;
    assert_false(matrix_load_plan(&offsets, ELEMENT_BYTES, &plan));
}

int main(void)
{
    const char *seed = getenv("LAYOUT_SEED");
    random_state = seed ? strtoull(seed, NULL, 10) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_layouts),
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
