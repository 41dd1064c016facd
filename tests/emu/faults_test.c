/* Ten planted faults, each found in every order of threads, with the user's line. */
#include "code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static teeny_emu_memory memory;
static uint64_t buffer; /* of BUFFER_WORDS words */

enum { BUFFER_WORDS = 256, WARPS = 4, THREADS = 32 * WARPS };

static int make_buffer(void **state)
{
    (void)state;
    teeny_emu_memory_init(&memory);
    buffer = (uintptr_t)teeny_emu_memory_allocate(&memory, BUFFER_WORDS * 4);
    return buffer == 0;
}

static int free_buffer(void **state)
{
    (void)state;
    teeny_emu_memory_destroy(&memory);
    return 0;
}

/* ---- 1: a missing barrier -------------------------------------------------------------------- */

/* Turns the numbers around through shared memory. */
static void reverse(struct emu_thread *thread, bool has_barrier)
{
    uint64_t id = code_thread(thread), shared = code_shared(thread);
    OP(STORE_SHARED_32, "reverse.c:4:5", shared + 4 * id, id);
    if (has_barrier)
        OP0(BARRIER, "reverse.c:5:5");
    uint64_t got = OP(LOAD_SHARED_32, "reverse.c:6:9", shared + 4 * (THREADS - 1 - id))[0];
    OP(STORE_32, "reverse.c:7:5", buffer + 4 * id, got);
}

static void with_barrier(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    reverse(thread, true);
}

static void without_barrier(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    reverse(thread, false);
}

static void test_missing_barrier(void **state)
{
    (void)state;
    code_must_run(&(code_launch){
        with_barrier, .warps = WARPS, .shared_bytes = 4 * THREADS, .memory = &memory});
    const uint32_t *words = (const uint32_t *)buffer;
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(words[i], THREADS - 1 - i);
    /* Whoever comes second sees what is wrong, or the reader comes before anything is written. */
    code_must_fail(&(code_launch){without_barrier, .warps = WARPS, .shared_bytes = 4 * THREADS,
                       .memory = &memory},
        "reverse.c:6:9: thread ", "reads byte ", " of shared memory, which ", NULL);
}

/* ---- 2: a wrong swizzle ---------------------------------------------------------------------- */

/* Rows of 32 words are written with their columns rotated by the row, and read back wrongly. */
static uint64_t swizzle(uint64_t row, uint64_t column, uint64_t by)
{
    return 4 * (32 * row + (column ^ by));
}

static void wrong_swizzle(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread), row = id / 32;
    /* Two rows of one warp's share of memory: the second one's columns go beyond the row. */
    OP(STORE_SHARED_32, "swizzle.c:3:5", shared + swizzle(row, id % 32, 16 * (row & 1) * 2), id);
    OP0(BARRIER, "swizzle.c:4:5");
    OP(LOAD_SHARED_32, "swizzle.c:5:5", shared + swizzle(row, id % 32, 0));
}

static void test_wrong_swizzle(void **state)
{
    (void)state;
    code_must_fail(&(code_launch){wrong_swizzle, .warps = 2, .shared_bytes = 4 * 3 * 32},
        "swizzle.c:5:5: ", "reads byte ", " of shared memory, which nothing has written", NULL);
    code_must_fail(&(code_launch){wrong_swizzle, .warps = 2, .shared_bytes = 4 * 2 * 32},
        "swizzle.c:3:5: ", "writes 4 bytes from byte ", " on of 256 bytes of shared memory", NULL);
}

/* ---- 3 and 4: a wrong mask, a lost predicate ------------------------------------------------- */

struct masked {
    uint64_t n;
    emu_function *load;
};

static void masked_add(struct emu_thread *thread, const void *arguments)
{
    const struct masked *masked = arguments;
    uint64_t id = OP0(PROGRAM_ID_X, "")[0] * THREADS + code_thread(thread);
    uint64_t x = OP(LOAD_IF_32, "masked.c:3:15", buffer + 4 * id, id < masked->n, 0)[0];
    OP(STORE_IF_32, "masked.c:4:5", buffer + 4 * id, x + 1, id < masked->n);
}

/* The mask lets one element more through than the buffer has. */
static void test_wrong_mask(void **state)
{
    (void)state;
    code_launch launch = {
        masked_add, &(struct masked){.n = BUFFER_WORDS}, 3, WARPS, .memory = &memory};
    code_must_run(&launch);
    launch.arguments = &(struct masked){.n = BUFFER_WORDS + 1};
    code_must_fail(&launch, "masked.c:3:15: thread 0 (warp 0, lane 0) of program (2, 0, 0) ",
        "reads 4 bytes from byte 1024 on of a buffer of 1024 bytes", NULL);
}

/* The compiler forgot that the store has a predicate. */
static void store_always(struct emu_thread *thread, const char *place, uint64_t *words)
{
    teeny_emu_store_32(thread, place, words);
}

static void test_lost_predicate(void **state)
{
    (void)state;
    emu_function *functions[NV_OP_COUNT];
    memcpy(functions, teeny_emu_functions, sizeof functions);
    functions[NV_STORE_IF_32] = store_always;
    code_launch launch = {masked_add, &(struct masked){.n = BUFFER_WORDS - 5}, 3, WARPS,
        .memory = &memory, .functions = functions};
    code_must_fail(&launch, "masked.c:4:5: ", " of program (2, 0, 0) writes 4 bytes from byte ",
        " on of a buffer of 1024 bytes", NULL);
}

/* ---- 5: a lane out of bounds ----------------------------------------------------------------- */

static void one_lane_outside(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    uint64_t id = code_thread(thread);
    OP(LOAD_32, "outside.c:9:1", id == 17 ? buffer - 4 : buffer + 4 * id);
}

static void one_lane_nowhere(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    OP(LOAD_32, "outside.c:9:1", code_thread(thread) == 17 ? 16 : buffer);
}

/* Byte 24 of 28 is inside, but not all of the eight from it on. */
static void one_lane_across(struct emu_thread *thread, const void *arguments)
{
    uint64_t offset = *(const uint64_t *)arguments, shared = code_shared(thread);
    OP(STORE_SHARED_IF_64, "outside.c:9:1", shared + offset, 0, code_thread(thread) == 17);
}

static void test_lane_out_of_bounds(void **state)
{
    (void)state;
    uint64_t offset = 16;
    code_launch launch = {.entry = one_lane_across, .arguments = &offset, .shared_bytes = 28};
    code_must_run(&launch);
    offset = 24;
    code_must_fail(&launch, "outside.c:9:1: thread 17 (warp 0, lane 17) of program (0, 0, 0) ",
        "writes 8 bytes from byte 24 on of 28 bytes of shared memory", NULL);
    offset = 32;
    code_must_fail(&launch, "writes 8 bytes from byte 32 on of 28 bytes of shared memory", NULL);
    code_must_fail(&(code_launch){one_lane_outside, .memory = &memory},
        "outside.c:9:1: thread 17 (warp 0, lane 17) of program (0, 0, 0) reads 4 bytes, 4 bytes "
        "before a buffer of 1024 bytes",
        NULL);
    code_must_fail(&(code_launch){one_lane_nowhere, .memory = &memory},
        "thread 17 (warp 0, lane 17)", "reads 4 bytes at 0x10, which is in no buffer", NULL);
}

/* ---- 6: a misaligned vector ------------------------------------------------------------------ */

static void misaligned(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    OP(LOAD_V4, "vector.c:2:8", buffer + 4 + 16 * code_thread(thread));
}

static void test_misaligned_vector(void **state)
{
    (void)state;
    code_must_fail(&(code_launch){misaligned, .memory = &memory}, "vector.c:2:8: thread ",
        "reads 16 bytes at 0x", "the address is not a multiple of 16", NULL);
}

/* ---- 7: a shuffle in divergent code ---------------------------------------------------------- */

static void divergent_shuffle(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    unsigned id = code_thread(thread);
    if (id % 32 < 30)
        OP(SHUFFLE_XOR, "shuffle.c:3:9", id, 1);
}

static void two_shuffles(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    unsigned id = code_thread(thread);
    if (id % 2)
        OP(SHUFFLE_XOR, "shuffle.c:3:9", id, 2);
    else
        OP(SHUFFLE_XOR, "shuffle.c:5:9", id, 2);
}

static void test_divergent_shuffle(void **state)
{
    (void)state;
    code_must_fail(&(code_launch){.entry = divergent_shuffle},
        "shuffle.c:3:9: program (0, 0, 0) goes on no more: thread 0 (warp 0, lane 0) waits at the "
        "shuffle at shuffle.c:3:9, thread 30 (warp 0, lane 30) has ended: all lanes of a warp have "
        "to take part",
        NULL);
    code_must_fail(&(code_launch){.entry = two_shuffles},
        "thread 0 (warp 0, lane 0) waits at the shuffle at shuffle.c:5:9, thread 1 (warp 0, lane "
        "1) "
        "waits at the shuffle at shuffle.c:3:9",
        NULL);
}

/* ---- 8: shared memory that nothing wrote ----------------------------------------------------- */

static void unwritten(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    uint64_t id = code_thread(thread), shared = code_shared(thread);
    OP(STORE_SHARED_IF_32, "unwritten.c:2:5", shared + 4 * id, id, id != 8);
    OP0(BARRIER, "unwritten.c:3:5");
    OP(LOAD_SHARED_V2, "unwritten.c:4:5", shared + 8 * (id / 2));
}

static void test_unwritten_shared_memory(void **state)
{
    (void)state;
    code_must_fail(&(code_launch){unwritten, .warps = 2, .shared_bytes = 256},
        "unwritten.c:4:5: ", "reads byte 32 of shared memory, which nothing has written", NULL);
    /* What the program before it wrote is not there. */
    code_must_fail(&(code_launch){unwritten, .warps = 2, .shared_bytes = 256, .programs = 8},
        "reads byte 32 of shared memory, which nothing has written", NULL);
}

/* ---- 9: a barrier in divergent code ---------------------------------------------------------- */

static void divergent_barrier(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    if (code_thread(thread) < 40)
        OP0(BARRIER, "barrier.c:3:9");
}

static void missing_warp(struct emu_thread *thread, const void *arguments)
{
    (void)arguments;
    if (code_thread(thread) < 64)
        OP0(BARRIER, "barrier.c:3:9");
}

static void test_divergent_barrier(void **state)
{
    (void)state;
    code_must_fail(&(code_launch){divergent_barrier, .warps = WARPS}, "barrier.c:3:9: program ",
        "thread 32 (warp 1, lane 0) waits at the barrier at barrier.c:3:9, thread 40 (warp 1, lane "
        "8) has ended: all lanes of a warp have to take part",
        NULL);
    code_must_fail(&(code_launch){missing_warp, .warps = WARPS}, "barrier.c:3:9: program ",
        "waits at the barrier at barrier.c:3:9, thread ", "has ended: all threads of a program",
        NULL);
}

/* ---- 10: two writers of global memory -------------------------------------------------------- */

static void all_write(struct emu_thread *thread, const void *arguments)
{
    unsigned number = (unsigned)OP0(PROGRAM_ID_X, "")[0];
    uint64_t at = *(const uint64_t *)arguments ? number : code_thread(thread);
    if (*(const uint64_t *)arguments == 0 || code_thread(thread) == 0)
        OP(STORE_8, "writers.c:5:5", buffer + at / 2, 1);
}

static void test_writers_of_global_memory(void **state)
{
    (void)state;
    uint64_t by_program = 0;
    code_launch launch = {all_write, &by_program, .programs = 1, .warps = WARPS, .memory = &memory};
    code_must_fail(&launch, "writers.c:5:5: thread ", " writes byte ",
        " of a buffer of 1024 bytes, which thread ",
        " wrote at writers.c:5:5: no barrier lies between", NULL);
    by_program = 1;
    launch.programs = 100;
    code_must_fail(&launch, "writers.c:5:5: thread 0 (warp 0, lane 0) of program (",
        " of a buffer of 1024 bytes, which thread 0 (warp 0, lane 0) of program (",
        ", 0, 0) wrote at writers.c:5:5: programs have no order", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_barrier),
        cmocka_unit_test(test_wrong_swizzle),
        cmocka_unit_test(test_wrong_mask),
        cmocka_unit_test(test_lost_predicate),
        cmocka_unit_test(test_lane_out_of_bounds),
        cmocka_unit_test(test_misaligned_vector),
        cmocka_unit_test(test_divergent_shuffle),
        cmocka_unit_test(test_unwritten_shared_memory),
        cmocka_unit_test(test_divergent_barrier),
        cmocka_unit_test(test_writers_of_global_memory),
    };
    return cmocka_run_group_tests(tests, make_buffer, free_buffer);
}
