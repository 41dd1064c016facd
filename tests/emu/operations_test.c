/* Every operation of the table on the emu device: what it gives, and what order it makes. */
#include "code.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 32, SLOT = 16, BUFFER_BYTES = 4096 };

static teeny_emu_memory memory;
static uint8_t *buffer;
static uint64_t results[LANES][NV_MAX_OPERANDS];

static int make_buffer(void **state)
{
    (void)state;
    teeny_emu_memory_init(&memory);
    buffer = teeny_emu_memory_allocate(&memory, BUFFER_BYTES);
    return buffer == NULL;
}

static int free_buffer(void **state)
{
    (void)state;
    teeny_emu_memory_destroy(&memory);
    return 0;
}

static void keep(unsigned thread, const uint64_t *words)
{
    memcpy(results[thread], words, sizeof results[thread]);
}

/* ---- Where a thread is ----------------------------------------------------------------------- */

enum { X = 3, Y = 4, Z = 2 };
static _Atomic(unsigned) visits[Z][Y][X][2 * LANES];

static void visit(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    uint64_t x = OP0(PROGRAM_ID_X, "")[0], y = OP0(PROGRAM_ID_Y, "")[0];
    uint64_t z = OP0(PROGRAM_ID_Z, "")[0];
    bool is_grid_right = OP0(NUM_PROGRAMS_X, "")[0] == X && OP0(NUM_PROGRAMS_Y, "")[0] == Y &&
                         OP0(NUM_PROGRAMS_Z, "")[0] == Z;
    atomic_fetch_add(&visits[z][y][x][code_thread(thread)], is_grid_right ? 1 : 1000);
}

static void test_grid(void **state)
{
    (void)state;
    code_must_run(&(code_launch){
        .entry = visit, .programs = X, .programs_y = Y, .programs_z = Z, .warps = 2});
    unsigned first = visits[0][0][0][0];
    assert_in_range(first, 1, 100);
    for (unsigned i = 0; i < sizeof visits / sizeof(unsigned); i++)
        assert_int_equal((&visits[0][0][0][0])[i], first);
}

/* ---- Loads and stores ------------------------------------------------------------------------ */

struct size {
    enum nv_op load, load_if, store, store_if, load_shared, load_shared_if, store_shared,
        store_shared_if;
    unsigned bytes, count;
};

#define SIZE(suffix, bytes, count)                                                                 \
    {NV_LOAD_##suffix, NV_LOAD_IF_##suffix, NV_STORE_##suffix, NV_STORE_IF_##suffix,               \
        NV_LOAD_SHARED_##suffix, NV_LOAD_SHARED_IF_##suffix, NV_STORE_SHARED_##suffix,             \
        NV_STORE_SHARED_IF_##suffix, bytes, count}

static const struct size sizes[] = {
    SIZE(8, 1, 1),
    SIZE(16, 2, 1),
    SIZE(32, 4, 1),
    SIZE(64, 8, 1),
    SIZE(V2, 4, 2),
    SIZE(V4, 4, 4),
};

/* Operands of a store: the pointer, `count` words from `words`, the predicate. */
static void store(struct emu_thread *thread, enum nv_op op, uint64_t to, const uint64_t *words,
    unsigned count, bool predicate)
{
    uint64_t operands[NV_MAX_OPERANDS] = {to};
    memcpy(operands + 1, words, count * sizeof *words);
    operands[1 + count] = predicate;
    code_call(thread, op, "store.c:1:1", operands);
}

/* Operands of a load: the pointer, the predicate, what is there without it. */
static void load(struct emu_thread *thread, enum nv_op op, uint64_t from, bool predicate,
    uint64_t otherwise, uint64_t *words)
{
    uint64_t operands[NV_MAX_OPERANDS] = {from, predicate};
    for (unsigned i = 2; i < 6; i++)
        operands[i] = otherwise + i - 2;
    memcpy(words, code_call(thread, op, "load.c:1:1", operands), 4 * sizeof *words);
}

/* From the buffer to shared memory, back through all kinds of access, to the buffer's other half.
 */
static void move(struct emu_thread *thread, const void *arguments)
{
    const struct size *size = arguments;
    uint64_t id = code_thread(thread), words[NV_MAX_OPERANDS], none[4];
    uint64_t shared = code_shared(thread) + SLOT * id, from = (uintptr_t)buffer + SLOT * id;
    uint64_t to = from + LANES * SLOT;
    load(thread, size->load, from, false, 0, words);
    store(thread, size->store_shared, shared, words, size->count, false);
    load(thread, size->load_shared_if, shared, true, 0, words);
    store(thread, size->store, to, words, size->count, false);
    load(thread, size->load_if, to, true, 0, words);
    store(thread, size->store_shared_if, shared, words, size->count, true);
    load(thread, size->load_shared, shared, false, 0, words);
    store(thread, size->store_if, to, words, size->count, true);

    /* Without the predicate nothing is touched: neither place is anybody's. */
    store(thread, size->store_if, 8, words, size->count, false);
    store(thread, size->store_shared_if, 8, words, size->count, false);
    load(thread, size->load_if, 8, false, 100, none);
    load(thread, size->load_shared_if, 8, false, 200, words);
    results[id][0] = none[0];
    results[id][1] = none[size->count - 1];
    results[id][2] = words[size->count - 1];
}

static void test_accesses(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        unsigned bytes = sizes[s].bytes * sizes[s].count;
        for (unsigned i = 0; i < LANES * SLOT; i++) {
            buffer[i] = (uint8_t)(i * 37 + s);
            buffer[LANES * SLOT + i] = 0xee;
        }
        code_must_run(
            &(code_launch){move, &sizes[s], .shared_bytes = LANES * SLOT, .memory = &memory});
        for (unsigned i = 0; i < LANES * SLOT; i++)
            assert_int_equal(
                buffer[LANES * SLOT + i], i % SLOT < bytes ? (uint8_t)(i * 37 + s) : 0xee);
        for (unsigned i = 0; i < LANES; i++) {
            assert_int_equal(results[i][0], 100);
            assert_int_equal(results[i][1], 100 + sizes[s].count - 1);
            assert_int_equal(results[i][2], 200 + sizes[s].count - 1);
        }
    }
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

static void ask_lanes(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    unsigned id = code_thread(thread);
    uint64_t words[NV_MAX_OPERANDS] = {
        OP(SHUFFLE_XOR, "s.c:1:1", id * 3, 5)[0],
        OP(SHUFFLE_IDX, "s.c:2:1", id * 3, 31 - id)[0],
        OP(SHUFFLE_UP, "s.c:3:1", id * 3, 4)[0],
        OP(SHUFFLE_DOWN, "s.c:4:1", id * 3, 4)[0],
        OP(VOTE_BALLOT, "s.c:5:1", id % 3 == 0)[0],
        OP(VOTE_ANY, "s.c:6:1", id == 31)[0],
        OP(VOTE_ANY, "s.c:7:1", 0)[0],
        OP(VOTE_ALL, "s.c:8:1", 1)[0],
        OP(VOTE_ALL, "s.c:9:1", id != 31)[0],
    };
    keep(id, words);
}

static void test_lanes(void **state)
{
    (void)state;
    code_must_run(&(code_launch){.entry = ask_lanes});
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(results[i][0], (i ^ 5) * 3);
        assert_int_equal(results[i][1], (31 - i) * 3);
        assert_int_equal(results[i][2], (i < 4 ? i : i - 4) * 3);
        assert_int_equal(results[i][3], (i + 4 > 31 ? i : i + 4) * 3);
        assert_int_equal(results[i][4], 0x49249249);
        assert_int_equal(results[i][5], 1);
        assert_int_equal(results[i][6], 0);
        assert_int_equal(results[i][7], 1);
        assert_int_equal(results[i][8], 0);
    }
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* A row of 8 elements each 16 bytes, of which the elements say where they are. */
static void load_matrices(struct emu_thread *thread, const void *arguments)
{
    const enum nv_op *op = arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread);
    uint32_t row[4];
    for (unsigned i = 0; i < 4; i++)
        row[i] = (uint32_t)(id * 8 + 2 * i) | (uint32_t)(id * 8 + 2 * i + 1) << 16;
    OP(STORE_SHARED_V4, "m.c:1:1", shared + 16 * id, row[0], row[1], row[2], row[3]);
    OP0(WARP_BARRIER, "m.c:2:1");
    keep((unsigned)id,
        code_call(thread, *op, "m.c:3:1", (uint64_t[NV_MAX_OPERANDS]){shared + 16 * (31 - id)}));
}

static void expect_matrices(enum nv_op op, unsigned count, bool is_transposed)
{
    code_must_run(&(code_launch){load_matrices, &op, .shared_bytes = LANES * 16});
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned m = 0; m < count; m++) {
            for (unsigned h = 0; h < 2; h++) {
                unsigned i = lane / 4, j = 2 * (lane % 4) + h;
                unsigned row = is_transposed ? j : i, column = is_transposed ? i : j;
                unsigned from = 31 - (8 * m + row); /* rows are given from the last on */
                assert_int_equal(results[lane][m] >> 16 * h & 0xffff, from * 8 + column);
            }
        }
    }
}

static void test_ldmatrix(void **state)
{
    (void)state;
    expect_matrices(NV_LDMATRIX_X1, 1, false);
    expect_matrices(NV_LDMATRIX_X2, 2, false);
    expect_matrices(NV_LDMATRIX_X4, 4, false);
    expect_matrices(NV_LDMATRIX_X1_TRANS, 1, true);
    expect_matrices(NV_LDMATRIX_X2_TRANS, 2, true);
    expect_matrices(NV_LDMATRIX_X4_TRANS, 4, true);
}

/* Small integers, as bits of f16 and bf16. */
static uint16_t f16_of(int number)
{
    static const uint16_t bits[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
    return (uint16_t)(bits[abs(number)] | (number < 0 ? 0x8000 : 0));
}

static uint16_t bf16_of(int number)
{
    float value = (float)number;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static int a_at(unsigned row, unsigned k)
{
    return (int)((row * 5 + k * 3) % 9) - 4;
}

static int b_at(unsigned k, unsigned column)
{
    return (int)((k * 7 + column * 2) % 9) - 4;
}

static int c_at(unsigned row, unsigned column)
{
    return (int)(row * 8 + column);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct product {
    enum nv_op op;
    uint16_t (*convert)(int number);
};

/* The fragments as the PTX manual gives them: groupID = lane / 4, threadID = lane % 4. */
static void multiply(struct emu_thread *thread, const void *arguments)
{
    const struct product *product = arguments;
    unsigned lane = code_thread(thread), group = lane >> 2, in_group = lane % 4;
    uint64_t words[NV_MAX_OPERANDS] = {0};
    for (unsigned i = 0; i < 8; i++) {
        unsigned row = i < 2 || (4 <= i && i < 6) ? group : group + 8;
        unsigned k = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
        words[i / 2] |= (uint64_t)product->convert(a_at(row, k)) << 16 * (i % 2);
    }
    for (unsigned i = 0; i < 4; i++) {
        unsigned k = in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0);
        words[4 + i / 2] |= (uint64_t)product->convert(b_at(k, group)) << 16 * (i % 2);
    }
    for (unsigned i = 0; i < 4; i++)
        words[6 + i] = float_bits((float)c_at(i < 2 ? group : group + 8, in_group * 2 + (i & 1)));
    keep(lane, code_call(thread, product->op, "mma.c:1:1", words));
}

static void expect_product(const struct product *product)
{
    code_must_run(&(code_launch){.entry = multiply, .arguments = product});
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 0; i < 4; i++) {
            unsigned row = lane / 4 + (i < 2 ? 0 : 8), column = lane % 4 * 2 + (i & 1);
            int sum = c_at(row, column);
            for (unsigned k = 0; k < 16; k++)
                sum += a_at(row, k) * b_at(k, column);
            assert_int_equal(results[lane][i], float_bits((float)sum));
        }
    }
}

static void test_mma(void **state)
{
    (void)state;
    expect_product(&(struct product){NV_MMA_M16N8K16_F16, f16_of});
    expect_product(&(struct product){NV_MMA_M16N8K16_BF16, bf16_of});
}

/* One product of two f16 numbers a lane can see: a's element (0, 0) times 1. */
static void multiply_by_one(struct emu_thread *thread, const void *arguments)
{
    unsigned lane = code_thread(thread);
    uint64_t a = lane == 0 ? *(const uint16_t *)arguments : 0, b = lane == 0 ? 0x3c00 : 0;
    keep(lane, OP(MMA_M16N8K16_F16, "mma.c:1:1", a, 0, 0, 0, b, 0, 0, 0, 0, 0));
}

static void test_f16_numbers(void **state)
{
    (void)state;
    const struct {
        uint16_t bits;
        float value;
    } cases[] = {{0x0001, 0x1p-24f}, {0x03ff, 0x3ffp-24f}, {0x0400, 0x1p-14f}, {0x7bff, 65504.f},
        {0xc248, -3.140625f}, {0x7c00, __builtin_inff()}, {0xfc00, -__builtin_inff()}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        code_must_run(&(code_launch){.entry = multiply_by_one, .arguments = &cases[i].bits});
        /* Infinity times the zeros of other columns is no number: only (0, 0) is looked at. */
        assert_int_equal(results[0][0], float_bits(cases[i].value));
    }
}

static void divide(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    unsigned id = code_thread(thread);
    keep(id, OP(DIVIDE_FAST, "d.c:1:1", float_bits((float)id), float_bits(4.0f)));
}

static void test_divide(void **state)
{
    (void)state;
    code_must_run(&(code_launch){.entry = divide});
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(results[i][0], float_bits((float)i / 4.0f));
}

static const float approximated[LANES] = {0, -0.f, 1, -1, 0.5f, -0.3f, 126.99999f, 127.99999f, 128,
    -125.5f, -126, -126.00001f, -149, -150, -1000, 1000, 3e38f, -3e38f, 1e-40f, -1e-40f, 0x1p-149f,
    1e-30f, 2, 3, 4, 1e30f, __builtin_inff(), -__builtin_inff(), __builtin_nanf(""), 7, 19.25f,
    -19.25f};

static void approximate(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    unsigned id = code_thread(thread);
    uint64_t exp2 = OP(EXP2, "a.c:1:1", float_bits(approximated[id]))[0];
    uint64_t rsqrt = OP(RSQRT, "a.c:2:1", float_bits(approximated[id]))[0];
    keep(id, (uint64_t[NV_MAX_OPERANDS]){exp2, rsqrt});
}

/* The same number, the same infinity or both NaN. */
static void assert_float(uint64_t bits, float expected)
{
    if (expected == expected)
        assert_int_equal(bits, float_bits(expected));
    else
        assert_true((bits & 0x7fffffff) > 0x7f800000);
}

static void test_approximations(void **state)
{
    (void)state;
    code_must_run(&(code_launch){.entry = approximate});
    for (unsigned i = 0; i < LANES; i++) {
        float power = (float)exp2(approximated[i]);
        assert_float(results[i][0], power < 0x1p-126f ? 0 : power);
        assert_float(results[i][1], (float)(1 / sqrt(approximated[i])));
    }
}

/* ---- Order ----------------------------------------------------------------------------------- */

struct exchange {
    enum nv_op barrier;
    unsigned distance;
};

static void exchange(struct emu_thread *thread, const void *arguments)
{
    const struct exchange *exchange = arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread);
    for (unsigned turn = 0; turn < 3; turn++) {
        OP(STORE_SHARED_32, "x.c:1:1", shared + 4 * id, id + turn);
        code_call(thread, exchange->barrier, "x.c:2:1", (uint64_t[NV_MAX_OPERANDS]){0});
        OP(LOAD_SHARED_32, "x.c:3:1", shared + 4 * (id ^ exchange->distance));
        code_call(thread, exchange->barrier, "x.c:4:1", (uint64_t[NV_MAX_OPERANDS]){0});
    }
}

static void test_barriers(void **state)
{
    (void)state;
    code_launch launch = {.entry = exchange, .warps = 4, .shared_bytes = 4 * 4 * LANES};
    launch.arguments = &(struct exchange){NV_BARRIER, 33};
    code_must_run(&launch);
    launch.arguments = &(struct exchange){NV_WARP_BARRIER, 1};
    code_must_run(&launch);
    /* A warp's barrier is nothing to another warp. */
    launch.arguments = &(struct exchange){NV_WARP_BARRIER, 32};
    code_must_fail(&launch, "x.c:", " of shared memory, which ", NULL);
}

/* A byte that thread 64 and two more read before a writer, behind a barrier of the warp. */
struct readers {
    unsigned first, second, writer;
};

static void read_and_write(struct emu_thread *thread, const void *arguments)
{
    const struct readers *readers = arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread);
    OP(STORE_SHARED_IF_8, "r.c:1:1", shared + 2, 1, id == 0);
    OP0(BARRIER, "r.c:2:1");
    OP(LOAD_SHARED_IF_8, "r.c:3:1", shared + 2, id == readers->first, 0);
    OP(LOAD_SHARED_IF_8, "r.c:4:1", shared + 2, id == readers->second, 0);
    OP(LOAD_SHARED_IF_8, "r.c:5:1", shared + 2, id == 64, 0);
    OP0(WARP_BARRIER, "r.c:6:1");
    OP(STORE_SHARED_IF_8, "r.c:7:1", shared + 2, 2, id == readers->writer);
}

static void test_readers(void **state)
{
    (void)state;
    code_launch launch = {.entry = read_and_write, .warps = 3, .shared_bytes = 4};
    /* Thread 64's warp alone may write. */
    launch.arguments = &(struct readers){65, 66, 67};
    code_must_run(&launch);
    launch.arguments = &(struct readers){1, 2, 3};
    code_must_fail(&launch, "r.c:", " byte 2 of shared memory, which ", NULL);
    launch.arguments = &(struct readers){33, 65, 64};
    code_must_fail(&launch, "r.c:", " byte 2 of shared memory, which ", NULL);
}

/* ---- Asynchronous copies --------------------------------------------------------------------- */

static void copy_all_sizes(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread) + 32 * id;
    uint64_t from = (uintptr_t)buffer + 32 * id;
    OP(CP_ASYNC_16, "c.c:1:1", shared, from, 16);
    OP0(CP_ASYNC_COMMIT, "c.c:2:1");
    OP(CP_ASYNC_8, "c.c:3:1", shared + 16, from + 16, 8);
    OP(CP_ASYNC_4, "c.c:4:1", shared + 24, from + 24, 3);
    OP(CP_ASYNC_4, "c.c:5:1", shared + 28, 0, 0);
    OP0(CP_ASYNC_COMMIT, "c.c:6:1");
    OP(CP_ASYNC_WAIT, "c.c:7:1", 1);
    uint64_t first = OP(LOAD_SHARED_64, "c.c:8:1", shared + 8)[0];
    OP(CP_ASYNC_WAIT, "c.c:9:1", 0);
    OP0(BARRIER, "c.c:10:1");
    shared += 32 * ((id ^ 1) - id);
    uint64_t words[NV_MAX_OPERANDS] = {first, OP(LOAD_SHARED_64, "c.c:11:1", shared + 16)[0],
        OP(LOAD_SHARED_64, "c.c:12:1", shared + 24)[0]};
    keep((unsigned)id, words);
}

static void test_copies(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 32 * LANES; i++)
        buffer[i] = (uint8_t)(i * 11 + 1);
    code_must_run(
        &(code_launch){.entry = copy_all_sizes, .shared_bytes = 32 * LANES, .memory = &memory});
    for (unsigned i = 0; i < LANES; i++) {
        const uint8_t *own = buffer + (size_t)32 * i, *other = buffer + (size_t)32 * (i ^ 1);
        uint8_t tail[8] = {other[24], other[25], other[26]};
        assert_memory_equal(&results[i][0], own + 8, 8);
        assert_memory_equal(&results[i][1], other + 16, 8);
        assert_memory_equal(&results[i][2], tail, 8);
    }
}

/* Looks at what a copy brings before it was waited for: groups of one copy, of which `most` may be
 * under way. */
static void look_early(struct emu_thread *thread, const void *arguments)
{
    const uint64_t *most = arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread) + 32 * id;
    for (unsigned i = 0; i < 2; i++) {
        OP(CP_ASYNC_16, "e.c:1:1", shared + 16 * i, (uintptr_t)buffer + 32 * id, 16);
        OP0(CP_ASYNC_COMMIT, "e.c:2:1");
    }
    OP(CP_ASYNC_WAIT, "e.c:3:1", *most);
    OP0(BARRIER, "e.c:4:1");
    OP(LOAD_SHARED_32, "e.c:5:1", shared);
    OP(LOAD_SHARED_32, "e.c:6:1", shared + 16);
}

static void test_copy_not_waited_for(void **state)
{
    (void)state;
    uint64_t most = 0;
    code_launch launch = {look_early, &most, .shared_bytes = 32 * LANES, .memory = &memory};
    code_must_run(&launch);
    most = 1;
    code_must_fail(&launch, "e.c:6:1: ", " of shared memory, to which the copy of thread ",
        " at e.c:1:1 was not waited for", NULL);
}

/* Every row of the table was called by some test here. */
static void test_all_were_called(void **state)
{
    (void)state;
    static const char *const names[NV_OP_COUNT] = {
#define NV_OP(id, signature, ptx, constraints, emu) [NV_##id] = #id,
#include "base/nv_ops.def"
#undef NV_OP
    };
    for (unsigned op = 0; op < NV_OP_COUNT; op++)
        if (!code_called[op])
            fail_msg("%s is not tested", names[op]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_ldmatrix),
        cmocka_unit_test(test_mma),
        cmocka_unit_test(test_f16_numbers),
        cmocka_unit_test(test_divide),
        cmocka_unit_test(test_approximations),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_copy_not_waited_for),
        cmocka_unit_test(test_all_were_called),
    };
    return cmocka_run_group_tests(tests, make_buffer, free_buffer);
}
