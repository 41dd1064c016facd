/* See layout_exchange.h. */
#include "analysis/layout_exchange.h"

#include "analysis/bit_span.h"

#include <stddef.h>

enum { WIDEST_ACCESS = 16, BANKS_BYTES = 128, WORD_BYTES = 4, LANE_BITS = 5 };

static unsigned log2_of(unsigned power)
{
    return (unsigned)__builtin_ctz(power);
}

static uint32_t basis_of(
    const struct linear_layout *layout, enum layout_dimension in, unsigned index)
{
    const struct layout_axis *axis = &layout->in[in];
    return index < axis->count ? axis->basis[index] : 0;
}

/* ---- Within a warp --------------------------------------------------------------------------- */

/* Registers are named by bits 0 to 31, lanes by bits from 32 on. */
enum { LANE_COLUMN = 32 };

struct holders {
    struct bit_span registers, threads; /* what a thread's registers hold; what a warp holds */
};

static struct holders holders_of(const struct linear_layout *layout)
{
    struct holders holders = {0};
    for (unsigned i = 0; i < layout->in[LAYOUT_REGISTER].count; i++)
        bit_span_add(&holders.registers, layout->in[LAYOUT_REGISTER].basis[i], UINT64_C(1) << i);
    holders.threads = holders.registers;
    for (unsigned i = 0; i < layout->in[LAYOUT_LANE].count; i++)
        bit_span_add(
            &holders.threads, layout->in[LAYOUT_LANE].basis[i], UINT64_C(1) << (LANE_COLUMN + i));
    return holders;
}

/* The source of one target column. First the source of the same lane and warp is tried, so that
 * nothing moves that need not; then any lane of the warp. */
static bool find_source(const struct holders *holders, const struct linear_layout *from,
    enum layout_dimension in, unsigned index, uint32_t wanted, struct exchange_source *source)
{
    uint32_t own = in == LAYOUT_REGISTER ? 0 : basis_of(from, in, index);
    uint32_t rest = wanted ^ own;
    uint64_t columns = 0;
    bit_span_reduce(&holders->registers, &rest, &columns);
    if (rest == 0) {
        source->register_of[in][index] = (uint32_t)columns;
        source->lane_of[in][index] = in == LAYOUT_LANE ? 1u << index : 0;
        return true;
    }
    rest = in == LAYOUT_LANE ? wanted : wanted ^ own;
    columns = 0;
    bit_span_reduce(&holders->threads, &rest, &columns);
    source->register_of[in][index] = (uint32_t)columns;
    source->lane_of[in][index] = (uint32_t)(columns >> LANE_COLUMN);
    return rest == 0;
}

static bool find_sources(const struct linear_layout *from, const struct linear_layout *to,
    struct exchange_source *source)
{
    struct holders holders = holders_of(from);
    for (unsigned in = LAYOUT_REGISTER; in <= LAYOUT_WARP; in++) {
        unsigned count = to->in[in].count;
        if (in == LAYOUT_LANE)
            count = LANE_BITS;
        else if (in == LAYOUT_WARP && from->in[in].count > count)
            count = from->in[in].count;
        for (unsigned i = 0; i < count; i++)
            if (!find_source(&holders, from, in, i, basis_of(to, in, i), source))
                return false;
    }
    return true;
}

static bool lanes_stay(const struct exchange_source *source)
{
    for (unsigned in = LAYOUT_REGISTER; in <= LAYOUT_WARP; in++)
        for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++) {
            uint32_t own = in == LAYOUT_LANE && i < LANE_BITS ? 1u << i : 0;
            if (source->lane_of[in][i] != own)
                return false;
        }
    return true;
}

/* How many source registers one target register may come from, as a power of two. */
static unsigned candidate_bits(const struct exchange_source *source)
{
    struct bit_span span = {0};
    unsigned bits = 0;
    for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++)
        for (unsigned i = 0; i < LAYOUT_MAX_BITS; i++)
            bits += bit_span_add(&span, source->register_of[in][i], 0);
    return bits;
}

/* A target register is shuffled once for each source register that it may come from, or chosen
 * among them where no lane changes. Beyond this, shared memory is faster. */
enum { MOST_CANDIDATE_BITS = 1, FEW_SHUFFLES = 8, MOST_CHOICES = 64 };

static bool plan_within_warp(const struct linear_layout *from, const struct linear_layout *to,
    unsigned element_bytes, struct exchange *exchange)
{
    if (!find_sources(from, to, &exchange->source))
        return false;
    unsigned bits = candidate_bits(&exchange->source);
    unsigned choices = layout_register_count(to) << bits;
    bool stay = lanes_stay(&exchange->source);
    exchange->kind = stay && bits == 0 ? EXCHANGE_REGISTERS : EXCHANGE_SHUFFLES;
    if (stay)
        return bits <= MOST_CANDIDATE_BITS || choices <= MOST_CHOICES;
    unsigned words = element_bytes > 4 ? 2 : 1;
    return bits <= MOST_CANDIDATE_BITS || words * choices <= FEW_SHUFFLES;
}

/* ---- Through shared memory ------------------------------------------------------------------- */

/* The offsets' basis as it grows: element differences, the one of the lowest offset bit first. */
struct basis {
    struct bit_span span;
    uint32_t vector[LAYOUT_MAX_BITS];
    unsigned count;
};

static bool extend(struct basis *basis, uint32_t vector)
{
    if (!bit_span_add(&basis->span, vector, UINT64_C(1) << basis->count))
        return false;
    basis->vector[basis->count++] = vector;
    return true;
}

/* The differences between elements of one round, as a space and as a basis of it, which has an
 * entry a leading bit, 0 where there is none; and those that lead from one round to another. */
struct rounds {
    struct bit_span within;
    uint32_t inside[LAYOUT_MAX_BITS], between[LAYOUT_MAX_BITS];
    unsigned count; /* of the latter */
};

static void add_threads(struct bit_span *span, const struct linear_layout *layout)
{
    for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            bit_span_add(span, layout->in[in].basis[i], 0);
}

/* What threads differ in lies inside of a round. Of the rest the highest element bits lead from one
 * round to another, as many as are wanted: vectors are made of the lower ones. */
static struct rounds choose_rounds(
    const struct linear_layout *from, const struct linear_layout *to, unsigned wanted)
{
    struct rounds rounds = {.count = 0};
    unsigned bits = layout_shape_total_bits(&from->shape);
    add_threads(&rounds.within, from);
    add_threads(&rounds.within, to);
    struct bit_span all = rounds.within;
    for (unsigned i = bits; i-- > 0 && rounds.count < wanted;)
        if (bit_span_add(&all, 1u << i, 0))
            rounds.between[rounds.count++] = 1u << i;
    for (unsigned i = 0; i < bits; i++)
        if (bit_span_add(&all, 1u << i, 0))
            bit_span_add(&rounds.within, 1u << i, 0);
    for (unsigned i = 0; i < bits; i++)
        rounds.inside[i] =
            bit_span_has(&rounds.within, 1u << i) ? 1u << i : rounds.within.vector[i];
    return rounds;
}

/* Differences that both sides hold in registers come first: those move as one vector. */
static void choose_vector(const struct linear_layout *from, const struct linear_layout *to,
    const struct rounds *rounds, unsigned most, struct basis *basis)
{
    struct holders holders = holders_of(from);
    const struct layout_axis *registers = &to->in[LAYOUT_REGISTER];
    for (unsigned i = 0; i < registers->count && basis->count < most; i++)
        if (bit_span_has(&holders.registers, registers->basis[i]) &&
            bit_span_has(&rounds->within, registers->basis[i]))
            extend(basis, registers->basis[i]);
}

struct vectors {
    uint32_t list[LANE_BITS];
    unsigned count;
};

/* The differences between the threads that are served in one go: a quarter of a warp with accesses
 * of 16 bytes, half of it with 8. */
static struct vectors served_together(
    const struct linear_layout *layout, unsigned access_bytes, const struct basis *basis)
{
    struct vectors vectors = {.count = 0};
    struct bit_span span = basis->span;
    unsigned lanes = LANE_BITS;
    if (access_bytes > 4)
        lanes -= log2_of(access_bytes / 4);
    for (unsigned i = 0; i < lanes; i++)
        if (bit_span_add(&span, basis_of(layout, LAYOUT_LANE, i), 0))
            vectors.list[vectors.count++] = basis_of(layout, LAYOUT_LANE, i);
    return vectors;
}

/* Splits the writers' differences: *both gets those (or sums of them) that are the readers' too,
 * *own the others. */
static void split(const struct vectors *writers, const struct vectors *readers,
    const struct basis *basis, struct vectors *both, struct vectors *own)
{
    struct bit_span span = {0}; /* columns name the writers that went in */
    for (unsigned i = 0; i < basis->count; i++)
        bit_span_add(&span, basis->vector[i], 0);
    for (unsigned i = 0; i < readers->count; i++)
        bit_span_add(&span, readers->list[i], 0);
    both->count = own->count = 0;
    for (unsigned i = 0; i < writers->count; i++) {
        uint32_t rest = writers->list[i];
        uint64_t used = UINT64_C(1) << i;
        bit_span_reduce(&span, &rest, &used);
        if (rest != 0) {
            bit_span_add(&span, writers->list[i], UINT64_C(1) << i);
            own->list[own->count++] = writers->list[i];
        } else {
            both->list[both->count++] = bit_combine(writers->list, (uint32_t)used);
        }
    }
}

static void append(struct vectors *vectors, uint32_t vector)
{
    vectors->list[vectors->count++] = vector;
}

/* Any other differences inside of a round, until so many offset bits are taken. */
static void fill(struct basis *basis, const struct rounds *rounds, unsigned until,
    const struct vectors *reserved, unsigned reserved_count)
{
    struct bit_span taken = basis->span;
    for (unsigned r = 0; r < reserved_count; r++)
        for (unsigned i = 0; i < reserved[r].count; i++)
            bit_span_add(&taken, reserved[r].list[i], 0);
    for (unsigned i = 0; i < LAYOUT_MAX_BITS && basis->count < until; i++)
        if (bit_span_add(&taken, rounds->inside[i], 0))
            extend(basis, rounds->inside[i]);
}

/* Banks: what both sides' threads differ in takes a bank each; of the rest, each difference of the
 * readers shares a bank with one of the writers, and their sum becomes a row, so that neither side
 * sees two of its threads in one bank. Differences inside of a word of 4 bytes cannot do that: the
 * word is filled first with what no thread differs in, then with what both do, then with readers'
 * differences, whose writers take a bank of their own. */
static void choose_banks(const struct vectors *writers, const struct vectors *readers,
    unsigned element_bytes, struct basis *basis, struct vectors *out_rows)
{
    struct vectors both, own, rest = {.count = 0}, alone = {.count = 0};
    split(writers, readers, basis, &both, &own);
    for (unsigned i = 0; i < both.count; i++)
        extend(basis, both.list[i]);
    struct bit_span known = basis->span;
    for (unsigned i = 0; i < readers->count; i++)
        if (bit_span_add(&known, readers->list[i], 0))
            append(&rest, readers->list[i]);
    out_rows->count = 0;
    unsigned word_bits = element_bytes < WORD_BYTES ? log2_of(WORD_BYTES / element_bytes) : 0;
    for (unsigned i = 0; i < rest.count; i++) {
        bool inside_of_word = basis->count < word_bits;
        extend(basis, rest.list[i]);
        if (i < own.count)
            append(inside_of_word ? &alone : out_rows,
                inside_of_word ? own.list[i] : rest.list[i] ^ own.list[i]);
    }
    for (unsigned i = rest.count; i < own.count; i++)
        append(&alone, own.list[i]);
    for (unsigned i = 0; i < alone.count; i++)
        extend(basis, alone.list[i]);
}

static void find_offsets(
    const struct basis *basis, unsigned bits, struct exchange_memory *out_memory)
{
    for (unsigned i = 0; i < bits; i++) {
        uint32_t rest = 1u << i;
        uint64_t offset = 0;
        bit_span_reduce(&basis->span, &rest, &offset);
        out_memory->offset_of[i] = (uint32_t)offset;
    }
}

static struct exchange_memory plan_memory(const struct linear_layout *from,
    const struct linear_layout *to, const struct rounds *rounds, unsigned element_bytes,
    unsigned most_vector_bits)
{
    struct exchange_memory memory = {.round_bits = rounds->count};
    struct basis basis = {0};
    choose_vector(from, to, rounds, most_vector_bits, &basis);
    memory.vector_bits = basis.count;
    for (unsigned i = 0; i < basis.count; i++)
        memory.vector[i] = basis.vector[i];

    unsigned access_bytes = element_bytes << basis.count;
    struct vectors writers = served_together(from, access_bytes, &basis);
    struct vectors readers = served_together(to, access_bytes, &basis);
    struct vectors lanes[] = {writers, readers}, rows;
    if (element_bytes < WORD_BYTES)
        fill(&basis, rounds, log2_of(WORD_BYTES / element_bytes), lanes, 2);
    choose_banks(&writers, &readers, element_bytes, &basis, &rows);
    fill(&basis, rounds, log2_of(BANKS_BYTES / element_bytes), &rows, 1);
    for (unsigned i = 0; i < rows.count; i++)
        extend(&basis, rows.list[i]);
    fill(&basis, rounds, LAYOUT_MAX_BITS, NULL, 0);
    for (unsigned i = 0; i < rounds->count; i++)
        extend(&basis, rounds->between[i]);
    find_offsets(&basis, layout_shape_total_bits(&from->shape), &memory);
    return memory;
}

/* Whether every thread's vectors start at an offset that is a multiple of their size. */
static bool vectors_are_aligned(
    const struct linear_layout *layout, const struct exchange_memory *memory)
{
    uint32_t inside = (1u << memory->vector_bits) - 1;
    for (unsigned in = LAYOUT_LANE; in <= LAYOUT_WARP; in++)
        for (unsigned i = 0; i < layout->in[in].count; i++)
            if (bit_combine(memory->offset_of, layout->in[in].basis[i]) & inside)
                return false;
    return true;
}

static struct exchange_memory plan_rounds(const struct linear_layout *from,
    const struct linear_layout *to, unsigned element_bytes, unsigned wanted)
{
    struct rounds rounds = choose_rounds(from, to, wanted);
    unsigned most = log2_of(WIDEST_ACCESS / element_bytes);
    struct exchange_memory memory = plan_memory(from, to, &rounds, element_bytes, most);
    if (vectors_are_aligned(from, &memory) && vectors_are_aligned(to, &memory))
        return memory;
    return plan_memory(from, to, &rounds, element_bytes, 0);
}

struct exchange_memory exchange_memory_plan(
    const struct linear_layout *from, const struct linear_layout *to, unsigned element_bytes)
{
    return plan_rounds(from, to, element_bytes, 0);
}

/* The element differences that the lowest offset bits stand for, as far as a thread holds them. */
static void find_vector(
    const struct linear_layout *layout, unsigned most, struct exchange_memory *memory)
{
    struct holders holders = holders_of(layout);
    struct bit_span offsets = {0};
    unsigned bits = layout_shape_total_bits(&layout->shape);
    for (unsigned i = 0; i < bits; i++)
        bit_span_add(&offsets, memory->offset_of[i], UINT64_C(1) << i);
    for (unsigned i = 0; i < most; i++) {
        uint32_t rest = 1u << i;
        uint64_t difference = 0;
        bit_span_reduce(&offsets, &rest, &difference);
        if (rest != 0 || !bit_span_has(&holders.registers, (uint32_t)difference))
            return;
        memory->vector[memory->vector_bits++] = (uint32_t)difference;
    }
}

struct exchange_memory exchange_memory_at(
    const uint32_t *offset_of, const struct linear_layout *layout, unsigned element_bytes)
{
    struct exchange_memory memory = {.vector_bits = 0};
    for (unsigned i = 0; i < layout_shape_total_bits(&layout->shape); i++)
        memory.offset_of[i] = offset_of[i];
    find_vector(layout, log2_of(WIDEST_ACCESS / element_bytes), &memory);
    while (!vectors_are_aligned(layout, &memory))
        memory.vector_bits--;
    return memory;
}

/* ---- Both ------------------------------------------------------------------------------------ */

struct exchange exchange_plan(const struct linear_layout *from, const struct linear_layout *to,
    unsigned element_bytes, unsigned most_bytes)
{
    struct exchange exchange = {.kind = EXCHANGE_REGISTERS};
    if (plan_within_warp(from, to, element_bytes, &exchange))
        return exchange;
    unsigned bytes = element_bytes << layout_shape_total_bits(&from->shape), wanted = 0;
    while (bytes >> wanted > most_bytes)
        wanted++;
    exchange.kind = EXCHANGE_SHARED;
    exchange.memory = plan_rounds(from, to, element_bytes, wanted);
    exchange.bytes = bytes >> exchange.memory.round_bits;
    return exchange;
}

void exchange_vector_registers(
    const struct linear_layout *layout, const struct exchange_memory *memory, uint32_t *out_bits)
{
    struct holders holders = holders_of(layout);
    for (unsigned i = 0; i < memory->vector_bits; i++) {
        uint32_t rest = memory->vector[i];
        uint64_t columns = 0;
        bit_span_reduce(&holders.registers, &rest, &columns);
        out_bits[i] = (uint32_t)columns;
    }
}
