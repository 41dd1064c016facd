/* Plans for exchanges, carried out on paper: random layouts of one tile, some transposed, some
 * sliced, and a look at where every element ends up. Shared memory is played too, with its banks
 * and in rounds.
 * The seed is fixed; LAYOUT_SEED=N in the environment takes another. */
#include "analysis/layout_exchange.h"
#include "random_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 4000, MAX_ELEMENTS = 1 << 15, BANKS = 32, WARP = 32 };

static unsigned kinds[3], conflict_free;

static uint32_t apply_columns(const uint32_t *columns, uint32_t bits)
{
    uint32_t sum = 0;
    for (unsigned i = 0; bits >> i; i++)
        if (bits >> i & 1)
            sum ^= columns[i];
    return sum;
}

static unsigned warp_count(const struct linear_layout *from, const struct linear_layout *to)
{
    unsigned a = layout_size(from, LAYOUT_WARP), b = layout_size(to, LAYOUT_WARP);
    return a > b ? a : b;
}

static uint32_t element_at(
    const struct linear_layout *layout, uint32_t register_index, uint32_t lane, uint32_t warp)
{
    warp &= layout_size(layout, LAYOUT_WARP) - 1;
    return layout_apply(layout, (struct layout_place){{register_index, lane, warp, 0}});
}

static void check_sources(const struct linear_layout *from, const struct linear_layout *to,
    const struct exchange *exchange)
{
    const struct exchange_source *source = &exchange->source;
    for (uint32_t warp = 0; warp < warp_count(from, to); warp++)
        for (uint32_t lane = 0; lane < WARP; lane++)
            for (uint32_t r = 0; r < layout_register_count(to); r++) {
                const uint32_t place[] = {r, lane, warp};
                uint32_t from_register = 0, from_lane = 0;
                for (unsigned in = 0; in < 3; in++) {
                    from_register ^= apply_columns(source->register_of[in], place[in]);
                    from_lane ^= apply_columns(source->lane_of[in], place[in]);
                }
                assert_true(from_register < layout_register_count(from));
                assert_true(from_lane < WARP);
                if (exchange->kind == EXCHANGE_REGISTERS)
                    assert_int_equal(from_lane, lane);
                assert_int_equal(element_at(from, from_register, from_lane, warp),
                    element_at(to, r, lane, warp));
            }
}

/* Offsets as the plan has them: the round in the upper bits, and the place in it below. */
static unsigned bits_inside(
    const struct linear_layout *layout, const struct exchange_memory *memory)
{
    return layout_shape_total_bits(&layout->shape) - memory->round_bits;
}

static uint32_t offset_inside(
    const struct linear_layout *layout, const struct exchange_memory *memory, uint32_t element)
{
    uint32_t inside = (1u << bits_inside(layout, memory)) - 1;
    return apply_columns(memory->offset_of, element) & inside;
}

static uint32_t round_of(
    const struct linear_layout *layout, const struct exchange_memory *memory, uint32_t element)
{
    return apply_columns(memory->offset_of, element) >> bits_inside(layout, memory);
}

/* The worst number of different words that the threads served together want of one bank, for the
 * vector that starts at a register. */
static unsigned worst_conflict(const struct linear_layout *layout,
    const struct exchange_memory *memory, uint32_t register_index, unsigned element_bytes,
    unsigned warps)
{
    unsigned access = element_bytes << memory->vector_bits;
    unsigned together = access <= 4 ? WARP : WARP * 4 / access, worst = 0;
    for (uint32_t warp = 0; warp < warps; warp++)
        for (uint32_t first = 0; first < WARP; first += together) {
            uint32_t words[BANKS][WARP * 4];
            unsigned counts[BANKS] = {0};
            for (uint32_t lane = first; lane < first + together; lane++) {
                uint32_t element = element_at(layout, register_index, lane, warp);
                uint32_t at = offset_inside(layout, memory, element) * element_bytes;
                for (uint32_t byte = at & -4u; byte < at + access; byte += 4) {
                    unsigned bank = byte / 4 % BANKS, i = 0;
                    while (i < counts[bank] && words[bank][i] != byte)
                        i++;
                    if (i == counts[bank])
                        words[bank][counts[bank]++] = byte;
                    if (counts[bank] > worst)
                        worst = counts[bank];
                }
            }
        }
    return worst;
}

/* In every round. */
static void check_conflicts(const struct linear_layout *layout,
    const struct exchange_memory *memory, unsigned element_bytes, unsigned warps)
{
    uint32_t vector = (1u << memory->vector_bits) - 1, seen = 0;
    for (uint32_t r = 0; r < layout_register_count(layout); r++) {
        uint32_t element = element_at(layout, r, 0, 0);
        uint32_t round = round_of(layout, memory, element);
        if (round != seen || (offset_inside(layout, memory, element) & vector))
            continue;
        assert_int_equal(worst_conflict(layout, memory, r, element_bytes, warps), 1);
        seen++;
        r = -1u; /* the next round may begin at a lower register */
    }
    assert_int_equal(seen, 1u << memory->round_bits);
}

static void check_vectors(const struct linear_layout *layout, const struct exchange_memory *memory)
{
    uint32_t bits[4];
    exchange_vector_registers(layout, memory, bits);
    for (unsigned i = 0; i < memory->vector_bits; i++) {
        uint32_t difference = element_at(layout, bits[i], 0, 0);
        assert_int_equal(apply_columns(memory->offset_of, difference), 1u << i);
    }
    uint32_t inside = (1u << memory->vector_bits) - 1;
    for (uint32_t lane = 0; lane < WARP; lane++)
        assert_int_equal(
            apply_columns(memory->offset_of, element_at(layout, 0, lane, 0)) & inside, 0);
}

/* A column that leads from one round to another has to be one of registers. */
static void check_threads_stay(
    const struct linear_layout *layout, const struct exchange_memory *memory)
{
    for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            assert_int_equal(round_of(layout, memory, layout->in[in].basis[i]), 0);
}

/* Plays the rounds, one after the other in the same memory. */
static void check_rounds(const struct linear_layout *from, const struct linear_layout *to,
    const struct exchange *exchange, unsigned element_bytes)
{
    static uint32_t memory[MAX_ELEMENTS];
    const struct exchange_memory *plan = &exchange->memory;
    for (uint32_t round = 0; round < 1u << plan->round_bits; round++) {
        memset(memory, 0xff, sizeof memory);
        for (unsigned reading = 0; reading < 2; reading++) {
            const struct linear_layout *layout = reading ? to : from;
            for (uint32_t warp = 0; warp < layout_size(layout, LAYOUT_WARP); warp++)
                for (uint32_t lane = 0; lane < WARP; lane++)
                    for (uint32_t r = 0; r < layout_register_count(layout); r++) {
                        uint32_t element = element_at(layout, r, lane, warp);
                        if (round_of(layout, plan, element) != round)
                            continue;
                        uint32_t offset = offset_inside(layout, plan, element);
                        assert_true((offset + 1) * element_bytes <= exchange->bytes);
                        if (reading)
                            assert_int_equal(memory[offset], element);
                        else
                            assert_true(memory[offset] == UINT32_MAX || memory[offset] == element);
                        memory[offset] = element;
                    }
        }
    }
}

static void check_memory(const struct linear_layout *from, const struct linear_layout *to,
    const struct exchange *exchange, unsigned element_bytes)
{
    unsigned total = 1u << layout_shape_total_bits(&from->shape);
    assert_int_equal(exchange->bytes << exchange->memory.round_bits, total * element_bytes);
    unsigned warps = warp_count(from, to);
    for (unsigned reading = 0; reading < 2; reading++) {
        const struct linear_layout *layout = reading ? to : from;
        check_vectors(layout, &exchange->memory);
        check_threads_stay(layout, &exchange->memory);
        check_conflicts(layout, &exchange->memory, element_bytes, warps);
    }
    check_rounds(from, to, exchange, element_bytes);
    conflict_free++;
}

/* How many rounds the layouts allow: threads of neither side differ in what tells rounds apart. */
static unsigned most_rounds(const struct linear_layout *from, const struct linear_layout *to)
{
    static bool is_same[MAX_ELEMENTS]; /* as element 0, but for the thread */
    unsigned total = 1u << layout_shape_total_bits(&from->shape), same = 1;
    memset(is_same, 0, sizeof is_same);
    is_same[0] = true;
    for (unsigned reading = 0; reading < 2; reading++)
        for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++) {
            const struct layout_axis *axis = &(reading ? to : from)->in[in];
            for (unsigned i = 0; i < axis->count; i++)
                if (!is_same[axis->basis[i]]) {
                    for (uint32_t e = 0; e < total; e++)
                        if (is_same[e])
                            is_same[e ^ axis->basis[i]] = true;
                    same *= 2;
                }
        }
    return total / same;
}

/* As few rounds as the limit wants, or as many as there can be; and the plan is found again from
 * its own size. */
static void check_limit(const struct linear_layout *from, const struct linear_layout *to,
    const struct exchange *exchange, unsigned element_bytes, unsigned most_bytes)
{
    unsigned count = 1u << exchange->memory.round_bits;
    if (exchange->bytes > most_bytes)
        assert_int_equal(count, most_rounds(from, to));
    else if (count > 1)
        assert_true(2 * exchange->bytes > most_bytes);
    struct exchange again = exchange_plan(from, to, element_bytes, exchange->bytes);
    assert_int_equal(again.bytes, exchange->bytes);
    assert_memory_equal(&again.memory, &exchange->memory, sizeof again.memory);
}

/* Another layout of the same elements: blocked, with element bits permuted in half of the
 * cases and swizzled in some. */
static struct linear_layout random_layout(unsigned element_bits)
{
    struct blocking blocking = random_blocking(1 + random_below(4), element_bits);
    struct linear_layout layout = make_layout(&blocking);
    uint32_t image[LAYOUT_MAX_BITS];
    for (unsigned i = 0; i < element_bits; i++)
        image[i] = 1u << i;
    for (unsigned i = element_bits; random_below(2) && i-- > 1;) {
        unsigned j = random_below(i + 1);
        uint32_t swap = image[i];
        image[i] = image[j];
        image[j] = swap;
    }
    for (unsigned swizzles = random_below(4) == 0 ? random_below(6) : 0;
        swizzles > 0 && element_bits > 1; swizzles--) {
        unsigned i = random_below(element_bits), j = random_below(element_bits);
        image[i] ^= i == j ? 0 : image[j];
    }
    struct layout_shape shape = {.rank = 1, .bits = {(uint8_t)element_bits}};
    return layout_map_elements(&layout, image, &shape);
}

/* A layout that differs from the other in few columns, so that it stays within warps. */
static struct linear_layout nearby_layout(const struct linear_layout *layout)
{
    struct linear_layout result = *layout;
    struct layout_axis *registers = &result.in[LAYOUT_REGISTER], *lanes = &result.in[LAYOUT_LANE];
    for (unsigned swaps = random_below(3); swaps > 0 && registers->count > 0; swaps--) {
        uint32_t *a = &registers->basis[random_below(registers->count)];
        uint32_t *b = &lanes->basis[random_below(5)];
        uint32_t swap = *a;
        *a = *b;
        *b = swap;
    }
    unsigned i = random_below(5), j = random_below(5);
    uint32_t swap = lanes->basis[i];
    lanes->basis[i] = lanes->basis[j];
    lanes->basis[j] = swap;
    return result;
}

static void test_every_element_arrives(void **state)
{
    (void)state;
    unsigned in_rounds = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        unsigned bits = random_below(12), element_bytes = 1u << random_below(4);
        struct linear_layout from = random_layout(bits);
        struct linear_layout to = random_below(2) ? random_layout(bits) : nearby_layout(&from);
        unsigned most_bytes = (element_bytes << bits) >> random_below(5);
        struct exchange exchange = exchange_plan(&from, &to, element_bytes, most_bytes);
        kinds[exchange.kind]++;
        if (exchange.kind != EXCHANGE_SHARED) {
            check_sources(&from, &to, &exchange);
            continue;
        }
        in_rounds += exchange.memory.round_bits > 0;
        check_memory(&from, &to, &exchange, element_bytes);
        check_limit(&from, &to, &exchange, element_bytes, most_bytes);
    }
    for (unsigned kind = 0; kind < 3; kind++)
        assert_true(kinds[kind] > TRIALS / 40);
    assert_true(in_rounds > TRIALS / 40);
    printf("registers %u, shuffles %u, shared %u (no conflict: %u; in rounds: %u)\n", kinds[0],
        kinds[1], kinds[2], conflict_free, in_rounds);
}

/* Where registers are renamed, the name leads to the same element; they are not exactly where some
 * thread lacks what it needs. */
static void test_renamed_registers(void **state)
{
    (void)state;
    unsigned found = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct blocking b = random_blocking(1 + random_below(5), random_below(12)), c = b;
        random_powers(b.rank, random_below(4), c.size);
        struct linear_layout from = make_layout(&b), to = make_layout(&c);
        struct exchange exchange = exchange_plan(&from, &to, 4, EXCHANGE_WHOLE);
        if (exchange.kind != EXCHANGE_REGISTERS) {
            assert_false(layout_equal(&from, &to));
            continue;
        }
        found++;
        check_sources(&from, &to, &exchange);
        for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++)
            for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++)
                assert_int_equal(exchange.source.register_of[in][i], 0);
    }
    assert_in_range(found, TRIALS / 20, TRIALS);
}

static void test_same_layout_moves_nothing(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < 200; trial++) {
        struct linear_layout layout = random_layout(random_below(12));
        assert_int_equal(
            exchange_plan(&layout, &layout, 4, EXCHANGE_WHOLE).kind, EXCHANGE_REGISTERS);
    }
}

/* The textbook case: 32 x 32 words, written by rows, read by columns, one word a thread. */
static void test_transposition_is_swizzled(void **state)
{
    (void)state;
    struct blocking rows = {.rank = 2,
        .size = {1, 1},
        .threads = {1, 32},
        .warps = {4, 1},
        .order = {1, 0},
        .shape = {32, 32}};
    struct blocking columns = rows;
    columns.threads[0] = 32, columns.threads[1] = 1;
    columns.warps[0] = 1, columns.warps[1] = 4;
    struct linear_layout from = make_layout(&rows), to = make_layout(&columns);
    struct exchange exchange = exchange_plan(&from, &to, 4, EXCHANGE_WHOLE);
    assert_int_equal(exchange.kind, EXCHANGE_SHARED);
    assert_int_equal(exchange.bytes, 4096);
    check_memory(&from, &to, &exchange, 4);
}

/* What a product of 256 x 128 in single precision leaves, to rows of 16 bytes a thread: tensor
 * cores put the same coordinate bits into lanes as rows do, so that there is room for rounds, whose
 * vectors are those of the whole tile. */
static void test_products_go_in_rounds(void **state)
{
    (void)state;
    const struct layout_instruction mma = {.rank = 2,
        .register_count = 2,
        .lane_count = 5,
        .registers = {{1, 0}, {0, 3}},
        .lanes = {{1, 1}, {1, 2}, {0, 0}, {0, 1}, {0, 2}},
        .warps = {4, 2},
        .order = {1, 0}};
    struct blocking rows = {.rank = 2,
        .size = {1, 4},
        .threads = {1, 32},
        .warps = {8, 1},
        .order = {1, 0},
        .shape = {256, 128}};
    struct linear_layout to = make_layout(&rows);
    struct linear_layout from = layout_from_instruction(&mma, &to.shape);
    struct exchange whole = exchange_plan(&from, &to, 4, EXCHANGE_WHOLE);
    struct exchange rounds = exchange_plan(&from, &to, 4, 40 << 10);
    assert_int_equal(whole.bytes, 128 << 10);
    assert_int_equal(rounds.bytes, 32 << 10);
    assert_int_equal(rounds.memory.vector_bits, whole.memory.vector_bits);
    check_memory(&from, &to, &rounds, 4);
}

int main(void)
{
    const char *seed = getenv("LAYOUT_SEED");
    random_state = seed ? strtoull(seed, NULL, 0) : 1;
    printf("LAYOUT_SEED=%llu\n", (unsigned long long)random_state);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_element_arrives),
        cmocka_unit_test(test_renamed_registers),
        cmocka_unit_test(test_same_layout_moves_nothing),
        cmocka_unit_test(test_transposition_is_swizzled),
        cmocka_unit_test(test_products_go_in_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
