/* Compiled kernels on the emu device: right ones at several sizes and numbers of warps; wrong ones,
 * whose lines the messages name; and right ones with a fault planted into the operations that their
 * code calls, as a mistake in the compiler would. */
#include "kernels.h"
#include "runtime/artifact.h"
#include "runtime/compile.h"
#include "runtime/emu/emu.h"
#include "runtime/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 8192 };

static teeny_device *device;
static teeny_stream *stream;
static teeny_buffer *buffers[3];

static void require(teeny_status status)
{
    if (status != TEENY_OK)
        fail_msg("%s: %s", teeny_status_name(status), teeny_message());
}

static int open_device(void **state)
{
    (void)state;
    require(teeny_device_open("emu", &device));
    require(teeny_stream_create(device, &stream));
    for (size_t i = 0; i < 3; i++)
        require(teeny_buffer_create(device, WORDS * sizeof(f32), &buffers[i]));
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++)
        teeny_buffer_destroy(buffers[i]);
    teeny_stream_destroy(stream);
    teeny_device_close(device);
    return 0;
}

static void *pointer(size_t buffer)
{
    return teeny_buffer_pointer(buffers[buffer]);
}

static void expect_message(const char *message, ...)
{
    va_list pieces;
    printf("    %s\n", message);
    va_start(pieces, message);
    for (const char *piece; (piece = va_arg(pieces, const char *));)
        if (!strstr(message, piece))
            fail_msg("`%s` is not in: %s", piece, message);
    va_end(pieces);
}

/* ---- Right kernels --------------------------------------------------------------------------- */

static void fill(void)
{
    f32 *x = pointer(1), *y = pointer(2);
    for (i32 i = 0; i < WORDS; i++) {
        x[i] = (f32)(i % 100);
        y[i] = (f32)(i % 7) * 0.5f;
    }
}

static void check_add(teeny_function *function, i32 block, i32 n)
{
    f32 *out = pointer(0);
    const f32 *x = pointer(1), *y = pointer(2);
    memset(out, 0xff, WORDS * sizeof *out);
    require(TEENY_LAUNCH_FUNCTION(
        add, function, stream, teeny_grid1((n + block - 1) / block), out, x, y, n));
    for (i32 i = 0; i < n; i++)
        assert_true(out[i] == x[i] + y[i]);
    for (i32 i = n; i < WORDS; i++)
        assert_true(out[i] != out[i]);
}

static void test_add(void **state)
{
    (void)state;
    static const i32 sizes[] = {0, 1, 31, 64, 100, 1001, 4096, WORDS};
    fill();
    for (i32 block = 32; block <= 1024; block *= 2) {
        for (int warps = 1; warps <= 8; warps *= 2) {
            const teeny_options options = {.num_warps = warps, .meta = {{"BLOCK", block}}};
            teeny_function *function;
            require(teeny_load(device, TEENY_KERNEL_OF(add), &options, &function));
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                check_add(function, block, sizes[i]);
            teeny_unload(function);
        }
    }
}

static void test_sums(void **state)
{
    (void)state;
    fill();
    for (int warps = 1; warps <= 8; warps *= 2) {
        const teeny_options options = {.num_warps = warps};
        teeny_function *function;
        require(teeny_load(device, TEENY_KERNEL_OF(sum_rows), &options, &function));
        f32 *out = pointer(0), *x = pointer(1);
        require(TEENY_LAUNCH_FUNCTION(sum_rows, function, stream, teeny_grid1(1), out, x));
        for (i32 row = 0; row < 16; row++) {
            f32 sum = 0;
            for (i32 i = 0; i < 256; i++)
                sum += x[row * 256 + i];
            assert_true(out[row] == sum);
        }
        teeny_unload(function);
    }
}

/* A quotient that C leaves open, and all others of the same thread. */
static void test_least_by_minus_one(void **state)
{
    (void)state;
    i32 *out = pointer(0), *x = pointer(1);
    for (i32 i = 0; i < 1024; i++)
        x[i] = i < 32 ? INT32_MIN : i;
    require(TEENY_LAUNCH(divide, stream, teeny_grid1(1), out, x, -1));
    require(teeny_stream_synchronize(stream));
    for (i32 i = 32; i < 1024; i++)
        assert_int_equal(out[i], -i);
}

/* ---- Wrong kernels --------------------------------------------------------------------------- */

static void test_store_out_of_bounds(void **state)
{
    (void)state;
    i32 n = WORDS + 3;
    assert_int_equal(TEENY_LAUNCH(add, stream, teeny_grid1((n + 255) / 256), pointer(0), pointer(1),
                         pointer(2), n),
        TEENY_DEVICE_FAILED);
    expect_message(teeny_message(),
        "kernel `add` failed on device emu: ", "kernels.c:6:", " of program (32, 0, 0) reads ",
        " of a buffer of 32768 bytes; TEENY_EMU_SEED=", NULL);
}

static void test_load_out_of_bounds(void **state)
{
    (void)state;
    assert_int_equal(TEENY_LAUNCH(add_unmasked, stream, teeny_grid1(33), pointer(0), pointer(1)),
        TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:11:", " of program (32, 0, 0) reads ", NULL);
}

static void test_pointer_between_elements(void **state)
{
    (void)state;
    const f32 *x = (const f32 *)((const char *)pointer(1) + 2);
    assert_int_equal(
        TEENY_LAUNCH(add_unmasked, stream, teeny_grid1(1), pointer(0), x), TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:11:", " bytes at 0x",
        "the address is not a multiple of ", NULL);
}

static void test_programs_write_one_element(void **state)
{
    (void)state;
    require(TEENY_LAUNCH(last_program, stream, teeny_grid1(1), pointer(0)));
    assert_int_equal(
        TEENY_LAUNCH(last_program, stream, teeny_grid1(2), pointer(0)), TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:16:", " writes byte 0 of a buffer of 32768 bytes, ",
        " wrote at ", "kernels.c:16:", "programs have no order", NULL);
}

static void test_lanes_write_one_element(void **state)
{
    (void)state;
    assert_int_equal(
        TEENY_LAUNCH(two_to_one, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
    expect_message(
        teeny_message(), "kernels.c:21:", " writes byte ", "no barrier lies between", NULL);
}

/* Of one value it is a race too, and the message says that it is one value; it does not of two. */
static void test_lanes_write_one_value(void **state)
{
    (void)state;
    static const char same[] = "both write the same value";
    assert_int_equal(
        TEENY_LAUNCH(one_value, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
    expect_message(teeny_message(), "kernels.c:55:", "no barrier lies between", same, NULL);
    assert_int_equal(
        TEENY_LAUNCH(two_to_one, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
    assert_null(strstr(teeny_message(), same));
}

/* A launch that fails is over: the next one is right. */
static void test_device_goes_on(void **state)
{
    (void)state;
    fill();
    require(teeny_stream_synchronize(stream));
    require(TEENY_LAUNCH(add, stream, teeny_grid1(1), pointer(0), pointer(1), pointer(2), 100));
    assert_true(((const f32 *)pointer(0))[99] == 99 + 0.5f);
}

/* ---- The device -------------------------------------------------------------------------------
 */

static void test_names(void **state)
{
    (void)state;
    teeny_device *other;
    assert_string_equal(teeny_device_name(device), "emu");
    assert_string_equal(teeny_device_target(device), "emu");
    assert_non_null(strstr(teeny_device_model(device), "sm_90a"));
    setenv("TEENY_AUTO_DEVICE", "emu", 1);
    require(teeny_device_open("auto", &other));
    assert_ptr_equal(other, device);
    teeny_device_close(other);
    setenv("TEENY_AUTO_DEVICE", "auto", 1);
    assert_int_equal(teeny_device_open("auto", &other), TEENY_UNKNOWN_DEVICE);
    unsetenv("TEENY_AUTO_DEVICE");
}

/* What a device has no use for is read all the same. */
static void test_options_are_read_on_every_device(void **state)
{
    (void)state;
    static const char *const names[] = {"emu", "cpu"};
    const teeny_options unknown = {.do_not_specialise = "m"}, all = {.do_not_specialise = "*"};
    for (size_t i = 0; i < 2; i++) {
        teeny_device *opened;
        teeny_function *function;
        require(teeny_device_open(names[i], &opened));
        assert_int_equal(
            teeny_load(opened, TEENY_KERNEL_OF(add), &unknown, &function), TEENY_OPTION_INVALID);
        expect_message(teeny_message(), "do_not_specialise is `m`", "positions below 4", NULL);
        require(teeny_load(opened, TEENY_KERNEL_OF(add), &all, &function));
        teeny_unload(function);
        teeny_device_close(opened);
    }
}

/* A stage that there is, of another device. */
static void test_stage_of_another_device(void **state)
{
    (void)state;
    const teeny_options kept = {.keep = "ttgir"};
    teeny_device *cpu;
    teeny_function *function;
    require(teeny_device_open("cpu", &cpu));
    assert_int_equal(teeny_load(cpu, TEENY_KERNEL_OF(add), &kept, &function), TEENY_OPTION_INVALID);
    expect_message(teeny_message(), "the stage 'ttgir' is none of this target's", NULL);
    teeny_device_close(cpu);
}

static void test_code_of_another_device(void **state)
{
    (void)state;
    teeny_function *function;
    const teeny_options options = {.target = "cpu"};
    assert_int_equal(
        teeny_load(device, TEENY_KERNEL_OF(add), &options, &function), TEENY_OPTION_INVALID);
    expect_message(teeny_message(), "target cpu is not for device emu", NULL);
}

/* A seed gives the same order each time. */
static void test_seed(void **state)
{
    close_device(state);
    setenv("TEENY_EMU_SEED", "2024x", 1);
    assert_int_equal(teeny_device_open("emu", &device), TEENY_OPTION_INVALID);
    expect_message(teeny_message(), "TEENY_EMU_SEED is `2024x`, not a number", NULL);
    setenv("TEENY_EMU_SEED", "2024", 1);
    open_device(state);
    char *first = NULL;
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(
            TEENY_LAUNCH(two_to_one, stream, teeny_grid1(1), pointer(0)), TEENY_DEVICE_FAILED);
        if (first)
            assert_string_equal(teeny_message(), first);
        else
            first = strdup(teeny_message());
    }
    expect_message(first, "TEENY_EMU_SEED=2024 gives", NULL);
    free(first);
    close_device(state);
    unsetenv("TEENY_EMU_SEED");
    open_device(state);
}

/* ---- Planted faults -------------------------------------------------------------------------- */

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
        memcpy(copies[i], pointer(1), WORDS * sizeof(f32));
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
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_least_by_minus_one),
        cmocka_unit_test(test_store_out_of_bounds),
        cmocka_unit_test(test_load_out_of_bounds),
        cmocka_unit_test(test_pointer_between_elements),
        cmocka_unit_test(test_programs_write_one_element),
        cmocka_unit_test(test_lanes_write_one_element),
        cmocka_unit_test(test_lanes_write_one_value),
        cmocka_unit_test(test_device_goes_on),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_options_are_read_on_every_device),
        cmocka_unit_test(test_stage_of_another_device),
        cmocka_unit_test(test_code_of_another_device),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_lost_barrier),
        cmocka_unit_test(test_lost_predicate),
        cmocka_unit_test(test_shuffle_without_a_lane),
        cmocka_unit_test(test_wrong_place_in_shared_memory),
        cmocka_unit_test(test_lost_wait),
        cmocka_unit_test(test_lost_mask_of_a_copy),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
