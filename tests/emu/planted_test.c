/* Right kernels on emu with a fault planted into the operations that their code calls, as a mistake
 * in the compiler would: each is found, at its line. */
#include "device.h"
#include "kernels.h"
#include "runtime/artifact.h"
#include "runtime/compile.h"
#include "runtime/emu/emu.h"
#include "runtime/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 8192 };

static emu_function *functions[NV_OP_COUNT];

/* Runs a kernel's own code, compiled for arguments of which `facts` are known (NULL: none), with
 * `functions`; what is wrong, which the caller frees, or NULL. */
static char *run(const teeny_kernel *kernel, const char *facts, i32 n, uint32_t programs)
{
    teeny_artifact *artifact;
    teeny_image image;
    require(teeny_compile(kernel, "emu", NULL, facts, &artifact));
    assert_int_equal(teeny_image_map(teeny_artifact_code(artifact), &image), 0);
    teeny_emu_memory memory;
    teeny_emu_memory_init(&memory);
    teeny_emu_idle idle = {0};
    void *copies[3];
    for (size_t i = 0; i < 3; i++) {
        copies[i] = teeny_emu_memory_allocate(&memory, WORDS * sizeof(f32));
        for (i32 j = 0; j < WORDS; j++)
            ((f32 *)copies[i])[j] = (f32)(j % 100);
    }
    struct {
        void *pointers[3];
        i32 n;
    } packed = {{copies[0], copies[1], copies[2]}, n};
    teeny_emu_launch launch = {
        .entry = (emu_entry *)(void (*)(void))image.entry,
        .arguments = &packed,
        .num_programs = {programs, 1, 1},
        .num_warps = artifact->metadata.num_warps,
        .shared_bytes = artifact->metadata.shared_bytes,
        .seed = 7,
        .workers = 1,
        .functions = functions,
        .memory = &memory,
        .idle = &idle,
    };
    char *message = teeny_emu_run(&launch) ? NULL : teeny_string_take(&launch.message);
    teeny_emu_memory_destroy(&memory);
    teeny_emu_idle_free(&idle);
    teeny_image_unmap(&image);
    teeny_artifact_destroy(artifact);
    return message;
}

/* Right as it is; then with the fault, which is found at the line. */
static void plant_with(const teeny_kernel *kernel, const char *facts, i32 n, uint32_t programs,
    enum nv_op op, emu_function *fault, const char *line, const char *what)
{
    memcpy(functions, teeny_emu_functions, sizeof functions);
    char *message = run(kernel, facts, n, programs);
    if (message)
        fail_msg("without the fault: %s", message);
    functions[op] = fault;
    message = run(kernel, facts, n, programs);
    assert_non_null(message);
    expect_message(message, line, what, NULL);
    free(message);
}

static void plant(const teeny_kernel *kernel, i32 n, uint32_t programs, enum nv_op op,
    emu_function *fault, const char *line, const char *what)
{
    plant_with(kernel, NULL, n, programs, op, fault, line, what);
}

static void nothing(struct emu_thread *thread, const char *place, uint64_t *words)
{
    (void)thread, (void)place, (void)words;
}

static void test_lost_barrier(void **state)
{
    (void)state;
    plant(TEENY_KERNEL_OF(sum_rows), 0, 1, NV_BARRIER, nothing,
        "kernels.c:28:", " of shared memory, which ");
    plant(TEENY_KERNEL_OF(move_up), 0, 1, NV_BARRIER, nothing,
        "kernels.c:33:", "no barrier lies between");
    plant(TEENY_KERNEL_OF(multiply), 0, 1, NV_BARRIER, nothing,
        "kernels.c:40:", " of shared memory, which ");
}

static void load_always(struct emu_thread *thread, const char *place, uint64_t *words)
{
    teeny_emu_load_32(thread, place, words);
}

static void test_lost_predicate(void **state)
{
    (void)state;
    plant(TEENY_KERNEL_OF(add), WORDS - 1, WORDS / 256 + 1, NV_LOAD_IF_32, load_always,
        "kernels.c:6:", " of a buffer of 32768 bytes");
}

static void shuffle_of_some(struct emu_thread *thread, const char *place, uint64_t *words)
{
    if (teeny_emu_thread_of(thread)->number % 32 != 3)
        teeny_emu_shuffle_xor(thread, place, words);
}

static void test_shuffle_without_a_lane(void **state)
{
    (void)state;
    plant(TEENY_KERNEL_OF(sum_rows), 0, 1, NV_SHUFFLE_XOR, shuffle_of_some,
        "kernels.c:28:", "all lanes of a warp have to take part");
}

static void store_elsewhere(struct emu_thread *thread, const char *place, uint64_t *words)
{
    words[0] += 64;
    teeny_emu_store_shared_16(thread, place, words);
}

static void test_wrong_place_in_shared_memory(void **state)
{
    (void)state;
    plant(TEENY_KERNEL_OF(multiply), 0, 1, NV_STORE_SHARED_16, store_elsewhere,
        "kernels.c:40:", " of shared memory");
}

/* Addresses that copies may take. */
static const char aligned[] = "0=16,1=16,2=16";
enum { WHOLE = WORDS * 2 / 32 }; /* columns of multiply_long that take all of a buffer */

static void wait_for_less(struct emu_thread *thread, const char *place, uint64_t *words)
{
    words[0]++;
    teeny_emu_cp_async_wait(thread, place, words);
}

static void test_lost_wait(void **state)
{
    (void)state;
    const teeny_kernel *kernel = TEENY_KERNEL_OF(multiply_long);
    plant_with(kernel, aligned, WHOLE, 1, NV_CP_ASYNC_WAIT, nothing,
        "kernels.c:49:", " was not waited for");
    plant_with(kernel, aligned, WHOLE, 1, NV_CP_ASYNC_WAIT, wait_for_less,
        "kernels.c:49:", " was not waited for");
    plant_with(kernel, aligned, WHOLE, 1, NV_BARRIER, nothing,
        "kernels.c:49:", " of shared memory, which ");
}

/* Rounds that the loop does not have. */
static void copy_all(struct emu_thread *thread, const char *place, uint64_t *words)
{
    words[2] = 8;
    teeny_emu_cp_async_8(thread, place, words);
}

static void test_lost_mask_of_a_copy(void **state)
{
    (void)state;
    plant_with(TEENY_KERNEL_OF(multiply_long), aligned, WHOLE, 1, NV_CP_ASYNC_8, copy_all,
        "kernels.c:49:", " of a buffer of ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_barrier),
        cmocka_unit_test(test_lost_predicate),
        cmocka_unit_test(test_shuffle_without_a_lane),
        cmocka_unit_test(test_wrong_place_in_shared_memory),
        cmocka_unit_test(test_lost_wait),
        cmocka_unit_test(test_lost_mask_of_a_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
