/* Linear layouts against brute force: random blockings of rank 1 to 5 over tiles smaller and larger
 * than they are, compared with the definition of a blocked layout written out with divisions. The
 * seed is fixed; LAYOUT_SEED=N in the environment takes another. */
#include "analysis/linear_layout.h"
#include "random_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 3000, MAX_ELEMENTS = 1 << 12 };

/* The index along each dimension of thread number `index` in an arrangement of `sizes`. */
static void unravel(const struct blocking *b, unsigned index, const unsigned *sizes, unsigned *out)
{
    for (unsigned i = 0; i < b->rank; i++) {
        unsigned d = b->order[i];
        out[d] = index % sizes[d];
        index /= sizes[d];
    }
}

/* Whether (lane, warp) holds the element, by definition: along each dimension the element lies in
 * one of the thread's places, taken modulo what the tile is large. */
static bool holds(const struct blocking *b, unsigned lane, unsigned warp, const unsigned *element)
{
    unsigned lanes[5], warps[5];
    unravel(b, lane, b->threads, lanes);
    unravel(b, warp, b->warps, warps);
    for (unsigned d = 0; d < b->rank; d++) {
        unsigned place = element[d] / b->size[d] % (b->threads[d] * b->warps[d]);
        unsigned blocks = (unsigned)b->shape[d] / b->size[d];
        unsigned mine = lanes[d] + warps[d] * b->threads[d];
        if (blocks == 0) /* one thread's block is wider than the tile: all hold all of it */
            continue;
        if (mine % blocks != place)
            return false;
    }
    return true;
}

static void check_against_definition(const struct blocking *b, const struct linear_layout *layout)
{
    unsigned lanes = layout_size(layout, LAYOUT_LANE), warps = layout_size(layout, LAYOUT_WARP);
    for (unsigned warp = 0; warp < warps; warp++) {
        for (unsigned lane = 0; lane < lanes; lane++) {
            static uint8_t held[MAX_ELEMENTS];
            memset(held, 0, sizeof held);
            for (unsigned r = 0; r < layout_register_count(layout); r++)
                held[layout_apply(layout, (struct layout_place){{r, lane, warp, 0}})]++;
            unsigned total = 1u << layout_shape_total_bits(&layout->shape);
            for (unsigned e = 0; e < total; e++) {
                unsigned coordinates[5];
                for (unsigned d = 0; d < b->rank; d++)
                    coordinates[d] = layout_coordinate(&layout->shape, e, d);
                assert_int_equal(layout_element(&layout->shape, coordinates), e);
                assert_int_equal(held[e], holds(b, lane, warp, coordinates));
            }
        }
    }
}

/* With the free bits clear, every element has exactly one holder. */
static void check_one_writer(const struct linear_layout *layout)
{
    static uint8_t writers[MAX_ELEMENTS];
    memset(writers, 0, sizeof writers);
    struct layout_place free_bits = layout_free_bits(layout);
    for (unsigned warp = 0; warp < layout_size(layout, LAYOUT_WARP); warp++)
        for (unsigned lane = 0; lane < layout_size(layout, LAYOUT_LANE); lane++)
            for (unsigned r = 0; r < layout_register_count(layout); r++) {
                struct layout_place place = {{r, lane, warp, 0}};
                if ((r & free_bits.index[0]) || (lane & free_bits.index[1]) ||
                    (warp & free_bits.index[2]))
                    continue;
                writers[layout_apply(layout, place)]++;
            }
    for (unsigned e = 0; e < 1u << layout_shape_total_bits(&layout->shape); e++)
        assert_int_equal(writers[e], 1);
}

static void test_blocked_is_its_definition(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct blocking b = random_blocking(1 + random_below(5), random_below(12));
        struct linear_layout layout = make_layout(&b);
        assert_int_equal(layout_size(&layout, LAYOUT_LANE), 32);
        assert_true(layout_is_surjective(&layout));
        if (trial < TRIALS / 10)
            check_against_definition(&b, &layout);
        check_one_writer(&layout);
    }
}

/* A slice holds what its parent holds, less one coordinate; registers never repeat. */
static void test_slice_follows_its_parent(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct blocking b = random_blocking(1 + random_below(5), random_below(12));
        if (b.rank == 1)
            continue;
        struct linear_layout parent = make_layout(&b);
        unsigned removed = random_below(b.rank);
        struct linear_layout slice = layout_slice(&parent, removed);
        check_one_writer(&slice);
        assert_int_equal(slice.shape.rank, b.rank - 1);
        for (unsigned thread = 0; thread < 256; thread += 7) {
            unsigned lane = thread % 32;
            unsigned warp = thread / 32 % layout_size(&parent, LAYOUT_WARP);
            static uint8_t expected[MAX_ELEMENTS], held[MAX_ELEMENTS];
            memset(expected, 0, sizeof expected);
            memset(held, 0, sizeof held);
            for (unsigned r = 0; r < layout_register_count(&parent); r++) {
                uint32_t e = layout_apply(&parent, (struct layout_place){{r, lane, warp, 0}});
                uint32_t coordinates[5];
                for (unsigned d = 0, to = 0; d < b.rank; d++)
                    if (d != removed)
                        coordinates[to++] = layout_coordinate(&parent.shape, e, d);
                expected[layout_element(&slice.shape, coordinates)] = 1;
            }
            for (unsigned r = 0; r < layout_register_count(&slice); r++)
                held[layout_apply(&slice, (struct layout_place){{r, lane, warp, 0}})]++;
            assert_memory_equal(held, expected, sizeof held);
        }
    }
}

/* Element i goes to the reversed bits of i. */
static void test_map_elements(void **state)
{
    (void)state;
    struct blocking b = {1, {2}, {32}, {4}, {0}, {1024}};
    struct linear_layout layout = make_layout(&b);
    uint32_t image[10];
    for (unsigned i = 0; i < 10; i++)
        image[i] = 1u << (9 - i);
    struct linear_layout mapped = layout_map_elements(&layout, image, &layout.shape);
    for (unsigned r = 0; r < layout_register_count(&layout); r++)
        for (unsigned lane = 0; lane < 32; lane++) {
            struct layout_place place = {{r, lane, 3, 0}};
            uint32_t e = layout_apply(&layout, place), reversed = 0;
            for (unsigned i = 0; i < 10; i++)
                reversed |= (e >> i & 1) << (9 - i);
            assert_int_equal(layout_apply(&mapped, place), reversed);
        }
}

static void test_shapes_but_for_ones(void **state)
{
    (void)state;
    enum { ONE = LAYOUT_MAX_RANK };
    static const struct {
        struct layout_shape from, to;
        bool same;
        unsigned dimension[LAYOUT_MAX_RANK];
    } cases[] = {
        {{1, {3}}, {2, {3, 0}}, true, {0, ONE}},
        {{1, {3}}, {3, {0, 3, 0}}, true, {ONE, 0, ONE}},
        {{3, {0, 2, 4}}, {2, {2, 4}}, true, {1, 2}},
        {{3, {2, 0, 2}}, {3, {0, 2, 2}}, true, {ONE, 0, 2}},
        {{2, {0, 0}}, {1, {0}}, true, {ONE}},
        {{2, {2, 4}}, {2, {4, 2}}, false, {0}},
        {{2, {2, 4}}, {1, {2}}, false, {0}},
        {{1, {6}}, {2, {2, 4}}, false, {0}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned found[LAYOUT_MAX_RANK];
        bool same = layout_shape_same_but_ones(&cases[i].from, &cases[i].to, found);
        assert_int_equal(same, cases[i].same);
        for (unsigned d = 0; same && d < cases[i].to.rank; d++)
            assert_int_equal(found[d], cases[i].dimension[d]);
    }
}

/* Against the definition, with divisions. */
static void test_swizzled_offsets(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        unsigned rows = random_below(7), columns = random_below(7), fast = random_below(2);
        const struct layout_shape shape = {2, {(uint8_t)rows, (uint8_t)columns}};
        const unsigned order[] = {fast, 1 - fast}, width = 1u << shape.bits[fast];
        const struct layout_swizzle swizzle = {
            2, 1u << random_below(4), 1u << random_below(3), 1u << random_below(4), order};
        uint32_t map[LAYOUT_MAX_BITS];
        if (!layout_swizzled_offsets(&swizzle, &shape, map))
            continue;
        for (uint32_t element = 0; element < 1u << (rows + columns); element++) {
            unsigned x = layout_coordinate(&shape, element, fast);
            unsigned y = layout_coordinate(&shape, element, 1 - fast);
            unsigned phase = y / swizzle.per_phase % swizzle.max_phase;
            unsigned place = ((x / swizzle.vec) ^ phase) * swizzle.vec + x % swizzle.vec;
            uint32_t offset = 0;
            for (unsigned i = 0; element >> i; i++)
                offset ^= element >> i & 1 ? map[i] : 0;
            assert_int_equal(offset, y * width + place);
        }
    }
    const struct layout_shape line = {1, {5}};
    const unsigned order[] = {0};
    uint32_t map[LAYOUT_MAX_BITS];
    assert_true(layout_swizzled_offsets(&(struct layout_swizzle){1, 4, 1, 1, order}, &line, map));
    assert_int_equal(map[3], 8);
    assert_false(layout_swizzled_offsets(&(struct layout_swizzle){1, 4, 1, 8, order}, &line, map));
}

static void test_bad_shapes_are_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned rank;
        int64_t dimensions[6];
    } bad[] = {
        {1, {0}},
        {1, {-4}},
        {1, {3}},
        {2, {4, 48}},
        {6, {1, 1, 1, 1, 1, 1}},
        {2, {1 << 13, 1 << 13}},
        {1, {INT64_MIN}},
    };
    struct layout_shape shape;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(layout_shape_make(bad[i].rank, bad[i].dimensions, &shape));
}

static void test_bad_blockings_are_refused(void **state)
{
    (void)state;
    struct layout_shape shape = {2, {4, 4}};
    const unsigned ones[] = {1, 1}, three[] = {1, 3}, zero[] = {0, 1}, order[] = {1, 0};
    const unsigned twice[] = {1, 1}, outside[] = {0, 2};
    const struct layout_blocking bad[] = {
        {2, three, ones, ones, order},
        {2, ones, zero, ones, order},
        {2, ones, ones, three, order},
        {2, ones, ones, ones, twice},
        {2, ones, ones, ones, outside},
        {1, ones, ones, ones, order},
    };
    struct linear_layout layout;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(layout_from_blocking(&bad[i], &shape, &layout));
}

int main(void)
{
    const char *seed = getenv("LAYOUT_SEED");
    random_state = seed ? strtoull(seed, NULL, 0) : 1;
    printf("LAYOUT_SEED=%llu\n", (unsigned long long)random_state);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocked_is_its_definition),
        cmocka_unit_test(test_slice_follows_its_parent),
        cmocka_unit_test(test_map_elements),
        cmocka_unit_test(test_shapes_but_for_ones),
        cmocka_unit_test(test_swizzled_offsets),
        cmocka_unit_test(test_bad_shapes_are_refused),
        cmocka_unit_test(test_bad_blockings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
