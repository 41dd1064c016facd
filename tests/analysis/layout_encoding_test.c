/* The encodings of tensor cores and shared memory against their definitions, written out: PTX ISA,
 * "Matrix Fragments for mma.m16n8k16", and ttg_attrs.td. */
#include "analysis/layout_encoding.h"
#include "dialect/dialect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static MlirContext context;

static int make_context(void **state)
{
    (void)state;
    context = dialect_context_create();
    return 0;
}

static int destroy_context(void **state)
{
    (void)state;
    mlirContextDestroy(context);
    return 0;
}

static struct layout_shape shape_of(int64_t rows, int64_t columns)
{
    struct layout_shape shape;
    assert_true(layout_shape_make(2, (const int64_t[]){rows, columns}, &shape));
    return shape;
}

/* One register of an instruction's fragment: which element of its tile a lane holds. */
typedef void fragment(
    unsigned lane, unsigned register_index, unsigned *out_row, unsigned *out_column);

static void sum_fragment(unsigned lane, unsigned i, unsigned *row, unsigned *column)
{
    *row = lane / 4 + (i < 2 ? 0 : 8);
    *column = lane % 4 * 2 + i % 2;
}

static void first_fragment(unsigned lane, unsigned i, unsigned *row, unsigned *column)
{
    *row = lane / 4 + (i / 2 % 2 ? 8 : 0);
    *column = lane % 4 * 2 + i % 2 + (i < 4 ? 0 : 8);
}

static void second_fragment(unsigned lane, unsigned i, unsigned *row, unsigned *column)
{
    *row = lane % 4 * 2 + i % 2 + (i < 2 ? 0 : 8);
    *column = lane / 4;
}

static void check_fragment(
    MlirAttribute encoding, int64_t rows, int64_t columns, fragment *expected, unsigned registers)
{
    struct layout_shape shape = shape_of(rows, columns);
    struct linear_layout layout;
    assert_true(layout_from_encoding(encoding, &shape, &layout));
    assert_int_equal(layout_register_count(&layout), registers);
    for (uint32_t lane = 0; lane < 32; lane++)
        for (uint32_t i = 0; i < registers; i++) {
            unsigned row, column;
            expected(lane, i, &row, &column);
            uint32_t found = layout_apply(&layout, (struct layout_place){{i, lane, 0, 0}});
            assert_int_equal(layout_coordinate(&shape, found, 0), row);
            assert_int_equal(layout_coordinate(&shape, found, 1), column);
        }
}

static void test_fragments(void **state)
{
    (void)state;
    MlirAttribute mma = ttg_mma_attr(context, (struct ttg_mma){{1, 1}});
    check_fragment(mma, 16, 8, sum_fragment, 4);
    check_fragment(
        ttg_dot_operand_attr((struct ttg_dot_operand){0, mma}), 16, 16, first_fragment, 8);
    check_fragment(
        ttg_dot_operand_attr((struct ttg_dot_operand){1, mma}), 16, 8, second_fragment, 4);
}

/* Warps stand side by side, columns first; those that differ in the other factor's dimension alone
 * hold the same of a factor. */
static void test_warps(void **state)
{
    (void)state;
    MlirAttribute mma = ttg_mma_attr(context, (struct ttg_mma){{2, 2}});
    struct layout_shape sums = shape_of(64, 64), first = shape_of(64, 16),
                        second = shape_of(16, 64);
    struct linear_layout sum, a, b;
    assert_true(layout_from_encoding(mma, &sums, &sum));
    assert_true(
        layout_from_encoding(ttg_dot_operand_attr((struct ttg_dot_operand){0, mma}), &first, &a));
    assert_true(
        layout_from_encoding(ttg_dot_operand_attr((struct ttg_dot_operand){1, mma}), &second, &b));
    for (uint32_t warp = 0; warp < 4; warp++) {
        struct layout_place place = {{0, 0, warp, 0}};
        uint32_t in_sum = layout_apply(&sum, place);
        assert_int_equal(layout_coordinate(&sums, in_sum, 0), warp / 2 * 16);
        assert_int_equal(layout_coordinate(&sums, in_sum, 1), warp % 2 * 8);
        assert_int_equal(layout_coordinate(&first, layout_apply(&a, place), 0), warp / 2 * 16);
        assert_int_equal(layout_coordinate(&second, layout_apply(&b, place), 1), warp % 2 * 8);
    }
    assert_true(layout_is_surjective(&sum));
    assert_true(layout_is_surjective(&a));
    assert_true(layout_is_surjective(&b));
}

static void test_swizzled_shared(void **state)
{
    (void)state;
    static const unsigned order[] = {1, 0};
    MlirAttribute encoding =
        ttg_swizzled_shared_attr(context, &(struct ttg_swizzled_shared){8, 2, 4, 2, order});
    struct layout_shape shape = shape_of(16, 64);
    uint32_t columns[LAYOUT_MAX_BITS];
    assert_true(layout_offsets_from_encoding(encoding, &shape, columns));
    for (uint32_t row = 0; row < 16; row++)
        for (uint32_t column = 0; column < 64; column++) {
            uint32_t element = row * 64 + column, offset = 0;
            for (unsigned i = 0; i < 10; i++)
                offset ^= element >> i & 1 ? columns[i] : 0;
            uint32_t group = column / 8 ^ row / 2 % 4;
            assert_int_equal(offset, row * 64 + group * 8 + column % 8);
        }
    MlirAttribute other = ttg_mma_attr(context, (struct ttg_mma){{1, 1}});
    assert_false(layout_offsets_from_encoding(other, &shape, columns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fragments),
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_swizzled_shared),
    };
    return cmocka_run_group_tests(tests, make_context, destroy_context);
}
